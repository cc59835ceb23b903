# topsplit_runnable(target variable): a path that runs a program of this build when a script or another program executes it. That is
# the program's own; in a cross build a script of its name that starts it under the emulator, and tells it the script's path as its
# argv[0], so that it can start itself again.
function(topsplit_runnable target variable)
  if(CMAKE_CROSSCOMPILING_EMULATOR)
    set(script ${PROJECT_BINARY_DIR}/emulated/${target})
    get_property(made GLOBAL PROPERTY topsplit_emulated)
    if(NOT target IN_LIST made)
      set_property(GLOBAL APPEND PROPERTY topsplit_emulated ${target})
      list(JOIN CMAKE_CROSSCOMPILING_EMULATOR "' '" emulator)
      file(GENERATE OUTPUT ${script} CONTENT "#!/bin/sh\nexec '${emulator}' -0 \"$0\" '$<TARGET_FILE:${target}>' \"$@\"\n"
           FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
    endif()
    set(${variable} ${script} PARENT_SCOPE)
  else()
    set(${variable} $<TARGET_FILE:${target}> PARENT_SCOPE)
  endif()
endfunction()
