# cmake -DSOURCE=<repository> -DBUILD=<build folder> -DTANDEM=<executable> -DLIBRARIES=lib -P systemverilog.cmake
# Installs the checker and does what docs/foreign_systemverilog.md says, as a stranger would.
set(work "${BUILD}/foreign_systemverilog")
file(REMOVE_RECURSE "${work}")
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${work}" --component checker
  RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE out)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${out}")
endif()
set(ENV{PKG_CONFIG_PATH} "${work}/${LIBRARIES}/pkgconfig")
execute_process(COMMAND tests/kernels/run "${BUILD}" tests/kernels/replay.py "${TANDEM}"
    docs/foreign_systemverilog.md
  WORKING_DIRECTORY "${SOURCE}" RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE out)
message("${out}")
if(NOT status EQUAL 0)
  message(FATAL_ERROR "docs/foreign_systemverilog.md does not say what happens")
endif()
