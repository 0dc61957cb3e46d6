# The wheel's contents below tandem/, component `python`, and the target python_package that makes
# them all. What this build does not have is left out: the plugin needs its header, the compiler MLIR.
add_custom_target(python_package)

function(tandem_in_wheel target destination)
  if(TARGET ${target})
    add_dependencies(python_package ${target})
    install(TARGETS ${target} COMPONENT python
      LIBRARY DESTINATION "tandem/${destination}" COMPONENT python
      RUNTIME DESTINATION "tandem/${destination}" COMPONENT python)
  endif()
endfunction()

# Libraries are in the wheel's lib/, or in the build folder's.
if(TARGET tandem_core)
  tandem_library_path(tandem_core "$ORIGIN/lib" "$ORIGIN/../../lib")
endif()
if(TARGET pjrt_plugin_tandem)
  tandem_library_path(pjrt_plugin_tandem "$ORIGIN" "$ORIGIN/../../../lib")
endif()
tandem_in_wheel(tandem_core ".")
tandem_in_wheel(pjrt_plugin_tandem lib)
tandem_in_wheel(tandem_runtime_library lib)
foreach(preset IN LISTS TANDEM_PRESETS)
  tandem_in_wheel(tandem_plugin_rtl_${preset} lib)
endforeach()
tandem_in_wheel(tandem_plugin_lockstep lib)
foreach(level IN LISTS TANDEM_PROCESSOR_LEVELS)
  tandem_in_wheel(tandem_runtime_library_${level} lib/glibc-hwcaps/${level})
endforeach()
tandem_in_wheel(tandem bin)
if(TARGET tandem-compile)
  if(TANDEM_NATIVE)
    get_filename_component(llvm "${TANDEM_MLIR_DIR}/../../.." ABSOLUTE)
    tandem_library_path(tandem-compile "${llvm}/lib")  # Debian's
  endif()
  tandem_in_wheel(tandem-compile bin)
endif()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/kernels" DESTINATION "tandem/share/tandem" COMPONENT python
  FILES_MATCHING PATTERN "*.s" PATTERN "*.inc" PATTERN "run" EXCLUDE PATTERN "tutorial" EXCLUDE)
