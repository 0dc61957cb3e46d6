# Verilated RTL, one static library for each preset.
#
#   tandem_verilate(<target> TOP <module> PREFIX <class> [PRESET <preset>] [WAVES] [APART] SOURCES <file>...)
#     Verilates the module with the preset's parameters (or its own defaults) and compiles it into
#     the library <target>, whose users see the headers "<class>.h" and "<class>_members.hpp". With WAVES the class can write
#     FST waveforms. APART is built only for who needs it.
#   tandem_lint_rtl(<target> TOP <module> PRESETS <preset>... SOURCES <file>...)
#     A target that runs `verilator --lint-only -Wall` once for each preset.
#   tandem_order_packages(<list>)
#     Reorders *_pkg.sv files so that each comes after the packages it names.
#
# Verilator runs in the build, not at configure time as its own verilate() does, so an error in
# the RTL breaks only what needs the RTL. Its makefile compiles, because that knows which files
# are hot: those get -O3, the rest (reset, construction) -O1, which halves the compile time.

option(TANDEM_COVERAGE "Verilate with line and user coverage" OFF)
option(TANDEM_RANDOM_RESET "Draw unknown values of the RTL at random in every cycle, too; assertions" OFF)

find_program(VERILATOR verilator REQUIRED)
find_program(TANDEM_MAKE NAMES make gmake REQUIRED)
set(VERILATOR_INCLUDE /usr/share/verilator/include CACHE PATH "Verilator's run-time sources")
find_package(Threads REQUIRED)

# What every verilation shares. Loops must stay loops: unrolled ones are not vectorised. Warnings
# are the business of lint_rtl and do not stop a build.
set(TANDEM_VERILATOR_FLAGS -O3 --unroll-count 2 -Wno-fatal)
set(TANDEM_VERILATED_DEFINITIONS VM_SC=0 VM_TRACE=0 VM_TRACE_VCD=0 VM_TRACE_FST=0)
set(TANDEM_VERILATED_SOURCES verilated.cpp verilated_threads.cpp verilated_save.cpp)
set(TANDEM_VERILATED_LIBRARIES Threads::Threads)
if(TANDEM_RANDOM_RESET)
  list(APPEND TANDEM_VERILATOR_FLAGS --x-assign unique --x-initial unique --assert)
else()
  list(APPEND TANDEM_VERILATOR_FLAGS --x-assign fast --x-initial unique)
endif()
if(TANDEM_COVERAGE)
  list(APPEND TANDEM_VERILATOR_FLAGS --coverage-line --coverage-user)
  list(APPEND TANDEM_VERILATED_DEFINITIONS VM_COVERAGE=1)
  list(APPEND TANDEM_VERILATED_SOURCES verilated_cov.cpp)
else()
  list(APPEND TANDEM_VERILATED_DEFINITIONS VM_COVERAGE=0)
endif()

set(TANDEM_RTL_FAST "-O3")
set(TANDEM_RTL_SLOW "-O1")
if(TANDEM_NATIVE)
  string(APPEND TANDEM_RTL_FAST " -march=native")
endif()

function(tandem_verilated_runtime)
  if(NOT TARGET tandem_verilated_runtime)
    list(TRANSFORM TANDEM_VERILATED_SOURCES PREPEND "${VERILATOR_INCLUDE}/" OUTPUT_VARIABLE sources)
    add_library(tandem_verilated_runtime STATIC ${sources})
    target_include_directories(tandem_verilated_runtime SYSTEM PUBLIC
      "${VERILATOR_INCLUDE}" "${VERILATOR_INCLUDE}/vltstd")
    target_compile_definitions(tandem_verilated_runtime PUBLIC ${TANDEM_VERILATED_DEFINITIONS})
    target_compile_options(tandem_verilated_runtime PRIVATE -w)
    target_link_libraries(tandem_verilated_runtime PUBLIC ${TANDEM_VERILATED_LIBRARIES})
  endif()
endfunction()

# The writer of waveforms, and a reader of them (gtkwave/fstapi.h).
function(tandem_verilated_waves)
  tandem_verilated_runtime()
  if(NOT TARGET tandem_verilated_waves)
    add_library(tandem_verilated_waves STATIC "${VERILATOR_INCLUDE}/verilated_fst_c.cpp")
    target_compile_options(tandem_verilated_waves PRIVATE -w)
    target_link_libraries(tandem_verilated_waves PUBLIC tandem_verilated_runtime z)
  endif()
endfunction()

function(tandem_verilate target)
  cmake_parse_arguments(ARG "WAVES;APART" "TOP;PREFIX;PRESET" "SOURCES" ${ARGN})
  set(flags ${TANDEM_VERILATOR_FLAGS})
  set(runtime tandem_verilated_runtime)
  tandem_verilated_runtime()
  if(ARG_WAVES)
    tandem_verilated_waves()
    list(APPEND flags --trace-fst)
    set(runtime tandem_verilated_waves)
  endif()
  set(parameters "")
  if(ARG_PRESET)
    list(TRANSFORM TANDEM_PRESET_${ARG_PRESET} PREPEND "-G" OUTPUT_VARIABLE parameters)
  endif()
  set(folder "${PROJECT_BINARY_DIR}/verilated/${target}")
  set(makefile "${folder}/${ARG_PREFIX}.mk")
  set(header "${folder}/${ARG_PREFIX}.h")
  set(members "${folder}/${ARG_PREFIX}_members.hpp")
  set(archive "${folder}/${ARG_PREFIX}__ALL.a")

  add_custom_command(OUTPUT "${makefile}" "${header}"
    COMMAND "${VERILATOR}" --cc ${ARG_SOURCES} --top-module ${ARG_TOP} --prefix ${ARG_PREFIX}
      ${parameters} ${flags} -Mdir "${folder}"
    COMMAND "${CMAKE_COMMAND}" -E touch "${makefile}" "${header}"
    DEPENDS ${ARG_SOURCES}
    COMMENT "Verilating ${target}" VERBATIM)
  add_custom_command(OUTPUT "${archive}"
    COMMAND nice "${TANDEM_MAKE}" --silent -C "${folder}" -f ${ARG_PREFIX}.mk -j2
      ${ARG_PREFIX}__ALL.a VM_PARALLEL_BUILDS=1
      "CXX=${CMAKE_CXX_COMPILER}" "OBJCACHE=${TANDEM_CCACHE}"
      "OPT_FAST=${TANDEM_RTL_FAST}" OPT_SLOW=${TANDEM_RTL_SLOW} "USER_CPPFLAGS=-w -fPIC"
    DEPENDS "${makefile}"
    COMMENT "Compiling ${target}" VERBATIM)

  add_custom_command(OUTPUT "${members}"
    COMMAND "${CMAKE_COMMAND}" "-DHEADER=${folder}/${ARG_PREFIX}___024root.h"
      "-DPREFIX=${ARG_PREFIX}" "-DOUTPUT=${members}" "-DSOURCES=${ARG_SOURCES}"
      "-DPARAMETERS=${parameters}" -P "${PROJECT_SOURCE_DIR}/cmake/verilated_members.cmake"
    DEPENDS "${header}" "${PROJECT_SOURCE_DIR}/cmake/verilated_members.cmake"
    COMMENT "Listing members of ${target}" VERBATIM)

  # Users compile against the header alone and wait for the archive only when they link (Ninja
  # knows it by its path), so both kinds of compiling overlap.
  add_custom_target(${target}_header DEPENDS "${header}" "${members}")
  set(all ALL)
  if(ARG_APART)
    set(all "")
  endif()
  add_custom_target(${target}_archive ${all} DEPENDS "${archive}")
  add_library(${target} INTERFACE)
  add_dependencies(${target} ${target}_header)
  target_include_directories(${target} SYSTEM INTERFACE "${folder}")
  target_link_libraries(${target} INTERFACE "${archive}" ${runtime})
endfunction()

function(tandem_lint_rtl target)
  cmake_parse_arguments(ARG "" "TOP" "PRESETS;SOURCES" ${ARGN})
  set(stamps "")
  foreach(preset IN LISTS ARG_PRESETS)
    list(TRANSFORM TANDEM_PRESET_${preset} PREPEND "-G" OUTPUT_VARIABLE parameters)
    set(stamp "${CMAKE_CURRENT_BINARY_DIR}/${target}-${preset}.stamp")
    add_custom_command(OUTPUT "${stamp}"
      COMMAND "${VERILATOR}" --lint-only -Wall ${ARG_SOURCES} --top-module ${ARG_TOP} ${parameters}
      COMMAND "${CMAKE_COMMAND}" -E touch "${stamp}"
      DEPENDS ${ARG_SOURCES}
      COMMENT "Linting ${ARG_TOP} (${preset})" VERBATIM)
    list(APPEND stamps "${stamp}")
  endforeach()
  add_custom_target(${target} DEPENDS ${stamps})
endfunction()

function(tandem_order_packages files)
  set(waiting ${${files}})
  set(ordered "")
  while(waiting)
    set(ready "")
    foreach(file IN LISTS waiting)
      set(others ${waiting})
      list(REMOVE_ITEM others "${file}")
      file(READ "${file}" text)
      set(free TRUE)
      foreach(other IN LISTS others)
        get_filename_component(package "${other}" NAME_WE)
        if(text MATCHES "${package}::")
          set(free FALSE)
        endif()
      endforeach()
      if(free)
        list(APPEND ready "${file}")
      endif()
    endforeach()
    if(NOT ready)
      message(FATAL_ERROR "RTL packages refer to each other in a circle: ${waiting}")
    endif()
    list(APPEND ordered ${ready})
    list(REMOVE_ITEM waiting ${ready})
  endwhile()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ordered})
  set(${files} ${ordered} PARENT_SCOPE)
endfunction()
