# What `cmake --install` gives: libtandem_runtime.so with the RTL libraries it loads, its headers and
# a package for find_package(Tandem), all of component `runtime`; and the executables.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set_target_properties(tandem_runtime_library PROPERTIES EXPORT_NAME runtime)
tandem_library_path(tandem_runtime_library "$ORIGIN")
target_include_directories(tandem_runtime_library INTERFACE
  "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/tandem>")
install(TARGETS tandem_runtime_library EXPORT TandemTargets COMPONENT runtime
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT runtime)
install(TARGETS ${TANDEM_PLUGINS} COMPONENT runtime
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT runtime)
foreach(level IN LISTS TANDEM_PROCESSOR_LEVELS)
  if(TARGET tandem_runtime_library_${level})
    install(TARGETS tandem_runtime_library_${level} COMPONENT runtime
      LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/glibc-hwcaps/${level}" COMPONENT runtime)
  endif()
endforeach()
foreach(folder host isa sim runtime assembler schedule)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/${folder}"
    DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/tandem" COMPONENT runtime
    FILES_MATCHING PATTERN "*.hpp" PATTERN "*.def" PATTERN "systemc" EXCLUDE PATTERN "emit" EXCLUDE)
endforeach()
install(EXPORT TandemTargets NAMESPACE Tandem:: COMPONENT runtime
  DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/Tandem")
configure_package_config_file(cmake/TandemConfig.cmake.in TandemConfig.cmake
  INSTALL_DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/Tandem")
# Before version 1.0 any minor version may change what a program is built against (docs/stability.md).
write_basic_package_version_file(TandemConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/TandemConfig.cmake"
  "${CMAKE_CURRENT_BINARY_DIR}/TandemConfigVersion.cmake" COMPONENT runtime
  DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/Tandem")
file(RELATIVE_PATH TANDEM_PREFIX_OF_PC "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
configure_file(cmake/tandem.pc.in tandem.pc @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/tandem.pc" COMPONENT runtime
  DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
# The executable; where it is built, it finds the repository's files as if they were installed.
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/share/tandem")
file(CREATE_LINK "${PROJECT_SOURCE_DIR}/benchmarks"
  "${PROJECT_BINARY_DIR}/share/tandem/benchmarks" SYMBOLIC)
file(CREATE_LINK "${PROJECT_SOURCE_DIR}/llama" "${PROJECT_BINARY_DIR}/share/tandem/llama" SYMBOLIC)
file(CREATE_LINK "${PROJECT_SOURCE_DIR}/kernels"
  "${PROJECT_BINARY_DIR}/share/tandem/kernels" SYMBOLIC)
# And the Llama's program and model, which `tandem llama` looks for beside it.
tandem_library_path(tandem "$ORIGIN/lib" "$ORIGIN/../lib" "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
install(TARGETS tandem COMPONENT tools RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
if(TARGET tandem-compile)
  install(TARGETS tandem-compile COMPONENT tools RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/llama"
  DESTINATION "${CMAKE_INSTALL_DATADIR}/tandem" COMPONENT tools
  FILES_MATCHING PATTERN "*.s" PATTERN "*.inc" PATTERN "*.bin" PATTERN "*.grammar")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/benchmarks/common"
  DESTINATION "${CMAKE_INSTALL_DATADIR}/tandem/benchmarks" COMPONENT tools
  FILES_MATCHING PATTERN "*.s" PATTERN "*.inc" PATTERN "*.bin" PATTERN "*.grammar")
# The functions that compiled programs may call.
install(DIRECTORY "${PROJECT_SOURCE_DIR}/kernels"
  DESTINATION "${CMAKE_INSTALL_DATADIR}/tandem" COMPONENT tools
  FILES_MATCHING PATTERN "*.s" PATTERN "*.inc" PATTERN "run" EXCLUDE PATTERN "tutorial" EXCLUDE)
# The checker for cores from elsewhere: a C header, SystemVerilog's package and interface, the library
# of both and a file for pkg-config. It needs nothing else of ours.
install(TARGETS tandem_checker_library COMPONENT checker
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT checker)
install(FILES cosim/c_interface/tandem_checker.h cosim/c_interface/tandem_checker_pkg.sv
  cosim/c_interface/tandem_checker.sv COMPONENT checker
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
configure_file(cmake/tandem_checker.pc.in tandem_checker.pc @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/tandem_checker.pc" COMPONENT checker
  DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
