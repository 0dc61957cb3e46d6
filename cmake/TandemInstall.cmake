# What `cmake --install` gives: libtandem_runtime.so with the RTL libraries it loads, its headers and
# a package for find_package(Tandem), all of component `runtime`; and the executables.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set_target_properties(tandem_runtime_library PROPERTIES EXPORT_NAME runtime INSTALL_RPATH "$ORIGIN")
target_include_directories(tandem_runtime_library INTERFACE
  "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/tandem>")
install(TARGETS tandem_runtime_library EXPORT TandemTargets COMPONENT runtime
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT runtime)
foreach(preset IN LISTS TANDEM_PRESETS)
  if(TARGET tandem_rtl_plugin_${preset})
    install(TARGETS tandem_rtl_plugin_${preset} COMPONENT runtime
      LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT runtime)
  endif()
endforeach()
foreach(folder isa sim runtime assembler schedule)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/${folder}"
    DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/tandem" COMPONENT runtime
    FILES_MATCHING PATTERN "*.hpp" PATTERN "*.def" PATTERN "systemc" EXCLUDE PATTERN "emit" EXCLUDE)
endforeach()
install(EXPORT TandemTargets NAMESPACE Tandem:: COMPONENT runtime
  DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/Tandem")
configure_package_config_file(cmake/TandemConfig.cmake.in TandemConfig.cmake
  INSTALL_DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/Tandem")
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/TandemConfig.cmake" COMPONENT runtime
  DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/Tandem")
install(TARGETS tandem COMPONENT tools RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
