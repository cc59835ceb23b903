# The report's page in a real browser: made of two small results, used by a script (report_page.js), and looked at by a
# screenshot, which must be there and not blank.
#   cmake -D COMMAND=topsplit -D CHROMIUM=program -D CHECK=report_page.js -D OUT=folder -P check_report_page.cmake

cmake_minimum_required(VERSION 3.25)

if(NOT CHROMIUM)
  message(STATUS "report_page skipped: no chromium here (sh cmake/bootstrap.sh browser)")
  return()
endif()
file(REMOVE_RECURSE ${OUT})
file(MAKE_DIRECTORY ${OUT})

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE error TIMEOUT 120)
  set(output "${output}" PARENT_SCOPE)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "report page: ${ARGN}: ${result}\n${output}\n${error}")
  endif()
endfunction()

# Each instruction set there is, whatever they are called.
set(grid --n 1e3,1e4 --k 10,100 --piece 4,64 --bytes 64K --isa all --against std --min-time 0.0001)
run(${COMMAND} sweep ${grid} -o ${OUT}/before.json)
# A result that is slower without doubt: each time has two digits more before the point.
file(READ ${OUT}/before.json text)
string(REGEX REPLACE "(\"real_time\": )" "\\110" text "${text}")
file(WRITE ${OUT}/after.json "${text}")
run(${COMMAND} report ${OUT}/before.json ${OUT}/after.json -o ${OUT}/report.html)

file(READ ${OUT}/report.html page)
file(READ ${CHECK} check)
string(FIND "${page}" "</body>" end REVERSE)
string(SUBSTRING "${page}" 0 ${end} page)
file(WRITE ${OUT}/checked.html "${page}<script>${check}</script></body></html>")

set(browser ${CHROMIUM} --headless=new --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir=${OUT}/profile
  --virtual-time-budget=10000 --window-size=1280,5000)
run(${browser} --dump-dom file://${OUT}/checked.html)
if(NOT output MATCHES "page: all right</pre>")
  string(REGEX MATCH "page: [^<]*" said "${output}")
  message(FATAL_ERROR "report page: the script says \"${said}\"")
endif()
run(${browser} --screenshot=${OUT}/report.png file://${OUT}/report.html)
file(SIZE ${OUT}/report.png bytes)
if(bytes LESS 100000)
  message(FATAL_ERROR "report page: the screenshot has only ${bytes} bytes")
endif()
message(STATUS "report page: all right; ${OUT}/report.png")
