# What `cmake --install` puts where: the library and its headers, packages for CMake and pkg-config, the documents, and
# the command where it is built. The installed tree can be moved as a whole: nothing in it names its place, except for
# those folders that the caller gave as absolute paths.
#
# One prefix holds one kind of the library, shared or static: both have the same target and the same .pc file.

include(CMakePackageConfigHelpers)

set(topsplit_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/topsplit)
set(topsplit_pc_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(TARGETS topsplit EXPORT topsplit_targets)
if(TOPSPLIT_BUILD_CLI)
  cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_LIBDIR BASE_DIRECTORY ${CMAKE_INSTALL_FULL_BINDIR}
             OUTPUT_VARIABLE topsplit_bin_to_lib)
  set_target_properties(topsplit_cli PROPERTIES INSTALL_RPATH "$ORIGIN/${topsplit_bin_to_lib}")
  install(TARGETS topsplit_cli)
endif()
install(DIRECTORY include/topsplit TYPE INCLUDE FILES_MATCHING PATTERN "*.h")
install(FILES README.md CHANGELOG.md LICENSE TYPE DOC)

# CMake: while the major version is 0 a minor version may change the ABI, so it must be the same one.
install(EXPORT topsplit_targets NAMESPACE topsplit:: FILE topsplit-targets.cmake DESTINATION ${topsplit_package_dir})
configure_package_config_file(cmake/topsplit-config.cmake.in topsplit-config.cmake
  INSTALL_DESTINATION ${topsplit_package_dir} NO_SET_AND_CHECK_MACRO)
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(topsplit_compatibility SameMinorVersion)
else()
  set(topsplit_compatibility SameMajorVersion)
endif()
write_basic_package_version_file(topsplit-config-version.cmake COMPATIBILITY ${topsplit_compatibility})
install(FILES ${PROJECT_BINARY_DIR}/topsplit-config.cmake ${PROJECT_BINARY_DIR}/topsplit-config-version.cmake
  DESTINATION ${topsplit_package_dir})

# pkg-config: a relative folder is spelt from ${prefix}, which is where the .pc file lies less the way from there. A
# static library brings what it is made of, for `pkg-config --static`.
foreach(dir LIBDIR INCLUDEDIR)
  cmake_path(APPEND topsplit_pc_${dir} "\${prefix}" ${CMAKE_INSTALL_${dir}})  # an absolute folder replaces ${prefix}
endforeach()
if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
  set(topsplit_pc_prefix ${CMAKE_INSTALL_PREFIX})
else()
  cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX}/${topsplit_pc_dir}
             OUTPUT_VARIABLE topsplit_pc_prefix)
  string(PREPEND topsplit_pc_prefix "\${pcfiledir}/")
endif()
set(topsplit_pc_cflags)
set(topsplit_pc_private)
if(NOT BUILD_SHARED_LIBS)
  set(topsplit_pc_cflags " -DTOPSPLIT_STATIC")
  string(APPEND topsplit_pc_private "Requires.private: tbb\nLibs.private: ${topsplit_keep_mapped}")
  foreach(library IN LISTS CMAKE_CXX_IMPLICIT_LINK_LIBRARIES)  # the C++ runtime, which a C linker does not add
    if(library MATCHES "^(stdc\\+\\+|c\\+\\+|m|pthread)$")
      string(APPEND topsplit_pc_private " -l${library}")
    endif()
  endforeach()
  string(APPEND topsplit_pc_private "\n")
endif()
configure_file(cmake/topsplit.pc.in topsplit.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/topsplit.pc DESTINATION ${topsplit_pc_dir})
