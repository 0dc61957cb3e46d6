# The wheel's contents below tandem/, component `python`, and the target python_package that makes
# them all. What this build does not have is left out: the plugin needs its header, the compiler MLIR.
add_custom_target(python_package)

function(tandem_in_wheel target destination rpath)
  if(TARGET ${target})
    add_dependencies(python_package ${target})
    set_target_properties(${target} PROPERTIES INSTALL_RPATH "${rpath}")
    install(TARGETS ${target} COMPONENT python
      LIBRARY DESTINATION "tandem/${destination}" COMPONENT python
      RUNTIME DESTINATION "tandem/${destination}" COMPONENT python)
  endif()
endfunction()

tandem_in_wheel(tandem_core "." "$ORIGIN/lib")
tandem_in_wheel(pjrt_plugin_tandem lib "$ORIGIN")
tandem_in_wheel(tandem_runtime_library lib "$ORIGIN")
foreach(preset IN LISTS TANDEM_PRESETS)
  tandem_in_wheel(tandem_plugin_rtl_${preset} lib "$ORIGIN")
endforeach()
tandem_in_wheel(tandem_plugin_lockstep lib "$ORIGIN")
tandem_in_wheel(tandem bin "$ORIGIN/../lib;$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
if(TARGET tandem-compile)
  get_filename_component(llvm "${TANDEM_MLIR_DIR}/../../.." ABSOLUTE)
  tandem_in_wheel(tandem-compile bin "${llvm}/lib")  # Debian's, never in the wheel
endif()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/kernels" DESTINATION "tandem/share/tandem" COMPONENT python
  FILES_MATCHING PATTERN "*.s" PATTERN "*.inc" PATTERN "run" EXCLUDE PATTERN "tutorial" EXCLUDE)
