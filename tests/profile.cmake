# The suites that compare every result with the oracle, under profiles whose values no machine would give: the bytes must
# not change. Profiles name their processor, so the script makes them when the test runs.

foreach(extreme least most)
  foreach(suite topk_contract_test topk_merge_test topk_shared_test split_contract_test)
    add_test(NAME profile.${extreme}.${suite}
      COMMAND ${CMAKE_COMMAND} -D EXTREME=${extreme} -D SUITE=$<TARGET_FILE:${suite}>
              -D PROFILE_TEST=$<TARGET_FILE:profile_test>
              -D OUT=${CMAKE_CURRENT_BINARY_DIR}/${extreme}-${suite}.profile
              -P ${CMAKE_CURRENT_SOURCE_DIR}/run_with_profile.cmake)
    set_tests_properties(profile.${extreme}.${suite} PROPERTIES TIMEOUT 900)
  endforeach()
endforeach()
