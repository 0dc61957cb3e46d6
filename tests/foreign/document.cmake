# cmake -DSOURCE=<repository> -DBUILD=<build folder> -DTANDEM=<executable> -DLIBRARIES=lib
#   -DDOCUMENT=<name> -P document.cmake
# Installs the checker and follows docs/<name>.md, as a new user would.
set(work "${BUILD}/documents/${DOCUMENT}")
file(REMOVE_RECURSE "${work}")
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${work}" --component checker
  RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE out)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${out}")
endif()
set(ENV{PKG_CONFIG_PATH} "${work}/${LIBRARIES}/pkgconfig")
set(ENV{LD_LIBRARY_PATH} "${work}/${LIBRARIES}")
execute_process(COMMAND tests/kernels/run "${BUILD}" tests/kernels/replay.py "${TANDEM}"
    "docs/${DOCUMENT}.md"
  WORKING_DIRECTORY "${SOURCE}" RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE out)
message("${out}")
if(NOT status EQUAL 0)
  message(FATAL_ERROR "docs/${DOCUMENT}.md does not say what happens")
endif()
# The library's exported symbols.
execute_process(COMMAND nm -D --defined-only "${work}/${LIBRARIES}/libtandem_checker.so"
  OUTPUT_VARIABLE symbols)
string(REGEX REPLACE "[0-9a-f]+ T tandem_checker_[a-z_]+@@TANDEM_CHECKER_1\n" "" others "${symbols}")
string(REGEX REPLACE "[0-9a-f]+ A TANDEM_CHECKER_1\n" "" others "${others}")
if(NOT others STREQUAL "")
  message(FATAL_ERROR "exported beside the C interface: ${others}")
endif()
