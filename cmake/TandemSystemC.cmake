# SystemC, which only the platform needs: the target PkgConfig::SYSTEMC where it is installed.
#
#   tandem_systemc_target(<target>)
#     For every target that includes <systemc>: Debian's library links at C++17 only.

find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(SYSTEMC QUIET IMPORTED_TARGET systemc>=2.3.3)
endif()
if(NOT SYSTEMC_FOUND)
  message(STATUS "SystemC (libsystemc-dev, pkg-config) not found: without sim/systemc, its example "
                 "platform and its tests; everything else is built")
endif()

function(tandem_systemc_target target)
  set_target_properties(${target} PROPERTIES CXX_STANDARD 17)
  target_link_libraries(${target} PUBLIC PkgConfig::SYSTEMC)
endfunction()
