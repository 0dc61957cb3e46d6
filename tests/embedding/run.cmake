# cmake -DSOURCE=<repository> -DBUILD=<build folder> -DTANDEM=<executable> -DCOMPILER=<c++> -P run.cmake
# Installs the build, builds the project of docs/embedding.md from the installed files, runs it.
set(work "${BUILD}/embedding")
file(REMOVE_RECURSE "${work}")
file(MAKE_DIRECTORY "${work}/project")

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE out)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGN}: ${status}\n${out}")
  endif()
  set(output "${out}" PARENT_SCOPE)
endfunction()

# The document shows the very program.
file(READ "${SOURCE}/tests/embedding/main.cpp" program)
file(READ "${SOURCE}/docs/embedding.md" page)
string(FIND "${page}" "${program}" at)
if(at EQUAL -1)
  message(FATAL_ERROR "docs/embedding.md does not show tests/embedding/main.cpp")
endif()

run("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${work}/installed" --component runtime)
configure_file("${SOURCE}/tests/embedding/main.cpp" "${work}/project/main.cpp" COPYONLY)
configure_file("${SOURCE}/tests/embedding/CMakeLists.txt.in" "${work}/project/CMakeLists.txt" COPYONLY)
run("${CMAKE_COMMAND}" -S "${work}/project" -B "${work}/build" -G Ninja
  "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_PREFIX_PATH=${work}/installed")
run("${CMAKE_COMMAND}" --build "${work}/build")
run("${TANDEM}" asm "${SOURCE}/benchmarks/tutorial/scale.s" -o "${work}/scale.elf")
run("${work}/build/embedded" "${work}/scale.elf")
if(NOT output MATCHES "^y\\[99\\] = 42 after [1-9][0-9]* cycles\n$")
  message(FATAL_ERROR "unexpected: ${output}")
endif()

# Another version is not taken for this one.
file(WRITE "${work}/other/CMakeLists.txt"
  "cmake_minimum_required(VERSION 3.22)\nproject(other LANGUAGES NONE)\nfind_package(Tandem 99.0 REQUIRED)\n")
execute_process(COMMAND "${CMAKE_COMMAND}" -S "${work}/other" -B "${work}/other/build" -G Ninja
  "-DCMAKE_PREFIX_PATH=${work}/installed" RESULT_VARIABLE status ERROR_VARIABLE out OUTPUT_QUIET)
if(status EQUAL 0 OR NOT out MATCHES "version: 0.4")
  message(FATAL_ERROR "version 99.0 is not refused: ${out}")
endif()

# Without CMake, by pkg-config.
find_program(PKG_CONFIG pkg-config REQUIRED)
file(GLOB_RECURSE package "${work}/installed/*/tandem.pc")
get_filename_component(folder "${package}" DIRECTORY)
run("${CMAKE_COMMAND}" -E env "PKG_CONFIG_PATH=${folder}" "${PKG_CONFIG}" --cflags --libs tandem)
separate_arguments(flags UNIX_COMMAND "${output}")
run("${CMAKE_COMMAND}" -E env "PKG_CONFIG_PATH=${folder}" "${PKG_CONFIG}" --variable=libdir tandem)
string(STRIP "${output}" libraries)
run("${COMPILER}" "${work}/project/main.cpp" ${flags} "-Wl,-rpath,${libraries}" -o "${work}/by_pkg_config")
run("${work}/by_pkg_config" "${work}/scale.elf")
if(NOT output MATCHES "^y\\[99\\] = 42 after [1-9][0-9]* cycles\n$")
  message(FATAL_ERROR "unexpected: ${output}")
endif()

# The installed executable finds its libraries, the Llama's program and its model from any folder.
run("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${work}/installed" --component tools)
run("${CMAKE_COMMAND}" -E chdir "${work}" "${work}/installed/bin/tandem" llama --tokens 2)
if(NOT output MATCHES "2 tokens")
  message(FATAL_ERROR "unexpected: ${output}")
endif()
run("${CMAKE_COMMAND}" -E chdir "${work}" "${work}/installed/bin/tandem" lockstep
  --models golden,cycle scale.elf --in "x=${SOURCE}/tests/embedding/x.npy")
if(NOT output MATCHES "no difference")
  message(FATAL_ERROR "unexpected: ${output}")
endif()
