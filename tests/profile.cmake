# The suites that compare every result with what it must be, and the one that measures the stack, under profiles whose values no machine
# would give: the bytes must not change. Profiles name their processor, so the script makes them when the test runs.

if(TOPSPLIT_SANITIZE OR CMAKE_CROSSCOMPILING)
  add_test(NAME profile COMMAND ${CMAKE_COMMAND} -E echo
    "profile: skipped, whole suites again under other plans, and plans are no matter of sanitizers or of the processor")
  set_tests_properties(profile PROPERTIES SKIP_REGULAR_EXPRESSION "profile: skipped")
  return()
endif()

# Last come the tests that are left out, as they ask for the plan's choices.
function(topsplit_test_under_profile extreme suite)
  add_test(NAME profile.${extreme}.${suite}
    COMMAND ${CMAKE_COMMAND} -D EXTREME=${extreme} -D SUITE=$<TARGET_FILE:${suite}>
            -D LEFT_OUT=${ARGN} -D PROFILE_TEST=$<TARGET_FILE:profile_test> -D OUT=${CMAKE_CURRENT_BINARY_DIR}/${extreme}-${suite}.profile
            -P ${CMAKE_CURRENT_SOURCE_DIR}/run_with_profile.cmake)
  set_tests_properties(profile.${extreme}.${suite} PROPERTIES TIMEOUT 900 LABELS profile COST 100)  # COST: begun first
endfunction()

foreach(extreme least most)
  foreach(suite topk_contract_test topk_cases_test split_contract_test split_cases_test float_environment_test memory_stack_test)
    topsplit_test_under_profile(${extreme} ${suite})
  endforeach()
  topsplit_test_under_profile(${extreme} topk_shared_test topk_shared_plan.*)
  topsplit_test_under_profile(${extreme} digests_test *digests.the_plan_takes_these_regimes*)
endforeach()
# Merging has the plan's least grain alone of these, which its greatest value turns off.
topsplit_test_under_profile(least topk_merge_test)
