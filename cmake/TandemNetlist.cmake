# Gates in lockstep: units of the RTL of nano as Yosys synthesizes them (cosim/netlist/netlist.py), each in the place of
# its source in a core that Verilator makes otherwise as ever. Only where `scripts/setup --group simulator` has been:
#
#   ninja -C build tandem_netlist
#
# builds build/netlist/lib/libtandem_rtl_nano.so, which takes the place of the library of that name:
# TANDEM_RTL_PATH=build/netlist/lib. No other target needs it.
set(TANDEM_NETLIST_UNITS tpu_issue)

function(tandem_netlist)
  if(NOT EXISTS "${TANDEM_SIMULATOR_PYTHON}" OR NOT TARGET tandem_rtl_nano)
    return()
  endif()
  set(folder "${PROJECT_BINARY_DIR}/netlist")
  set(sources ${TANDEM_RTL_SOURCES})
  list(FILTER sources INCLUDE REGEX "\\.sv$")
  list(TRANSFORM TANDEM_PRESET_nano PREPEND "--parameter=" OUTPUT_VARIABLE parameters)
  set(all ${TANDEM_RTL_SOURCES})
  foreach(unit IN LISTS TANDEM_NETLIST_UNITS)
    add_custom_command(OUTPUT "${folder}/${unit}.sv" "${folder}/${unit}_gates.v"
      COMMAND "${TANDEM_SIMULATOR_PYTHON}" "${PROJECT_SOURCE_DIR}/cosim/netlist/netlist.py" --unit ${unit}
        ${parameters} --out "${folder}" ${sources}
      DEPENDS ${sources} "${PROJECT_SOURCE_DIR}/cosim/netlist/netlist.py"
      "${PROJECT_SOURCE_DIR}/cosim/yosys.py"
      COMMENT "Synthesizing ${unit}" VERBATIM)
    list(FILTER all EXCLUDE REGEX "/${unit}\\.sv$")
    list(APPEND all "${folder}/${unit}.sv" "${folder}/${unit}_gates.v")
  endforeach()
  tandem_verilate(tandem_rtl_netlist_nano TOP tpu_core PREFIX Vtpu_netlist_nano PRESET nano APART SOURCES ${all})
  set(PRESET nano)
  tandem_machine(machine_netlist_nano rtl_machine.cpp.in Vtpu_netlist tandem_rtl_netlist_nano)
  tandem_plugin(netlist nano make_rtl_nano "the RTL of preset nano with units as gates"
    tandem_machine_netlist_nano tandem_rtl_netlist_nano)
  set_target_properties(tandem_plugin_netlist PROPERTIES EXCLUDE_FROM_ALL ON
    OUTPUT_NAME tandem_rtl_nano LIBRARY_OUTPUT_DIRECTORY "${folder}/lib")
  tandem_library_path(tandem_plugin_netlist "$ORIGIN" "$ORIGIN/../../lib")
  add_custom_target(tandem_netlist DEPENDS tandem_plugin_netlist)
endfunction()
