# Machines that are no presets, whose RTL is built: TANDEM_MACHINES, names as `tandem machine` prints
# them. scripts/rtl adds to it.
#
#   TANDEM_MACHINE_IDS         a name for files and C++, for each: lanes_32_vmem_2MiB_...
#   TANDEM_MACHINE_NAME_<id>   lanes=32,vmem=2MiB,smem=64KiB,icache=1024
#   TANDEM_PRESET_<id>         parameters of the top modules, as in rtl/presets.cmake

set(TANDEM_MACHINES "" CACHE STRING "Machines that are no presets, to verilate: lanes=32,vmem=2MiB,smem=64KiB,icache=1024")

# "2MiB" or 2097152
function(tandem_bytes result text)
  string(REPLACE "KiB" "*1024" text "${text}")
  string(REPLACE "MiB" "*1048576" text "${text}")
  math(EXPR bytes "${text}")
  set(${result} ${bytes} PARENT_SCOPE)
endfunction()

set(TANDEM_MACHINE_IDS "")
foreach(machine IN LISTS TANDEM_MACHINES)
  if(NOT machine MATCHES "^lanes=([0-9]+),vmem=([0-9]+[KM]?i?B?),smem=([0-9]+[KM]?i?B?),icache=([0-9]+)$")
    message(FATAL_ERROR "TANDEM_MACHINES: '${machine}' is no machine as `tandem machine` names it")
  endif()
  set(lanes ${CMAKE_MATCH_1})
  set(icache ${CMAKE_MATCH_4})
  tandem_bytes(vmem ${CMAKE_MATCH_2})
  tandem_bytes(smem ${CMAKE_MATCH_3})
  math(EXPR rows "${vmem} / ${lanes} / 4")
  math(EXPR words "${smem} / 4")
  string(REGEX REPLACE "[=,]" "_" id "${machine}")
  list(APPEND TANDEM_MACHINE_IDS ${id})
  set(TANDEM_MACHINE_NAME_${id} "${machine}")
  set(TANDEM_PRESET_${id} LANES=${lanes} VMEM_ROWS=${rows} SMEM_WORDS=${words} ICACHE_BUNDLES=${icache})
endforeach()
