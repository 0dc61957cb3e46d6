# Folders become libraries without naming their files, so a new source file needs no edit here.
#
#   tandem_library(<target> [LINKS <target>...] [EXCLUDE <regex>...])
#     every .cpp below the current folder, except `*_main.cpp`, `main.cpp` and what a folder with
#     a CMakeLists.txt of its own holds; an INTERFACE library while there is none.
#   tandem_executables([LINKS <target>...])
#     one executable for each `<name>_main.cpp` below the current folder, called <name>.

function(tandem_glob result pattern)
  file(GLOB_RECURSE found CONFIGURE_DEPENDS "${pattern}")
  file(GLOB nested CONFIGURE_DEPENDS "*/CMakeLists.txt")
  foreach(file IN LISTS nested)
    get_filename_component(folder "${file}" DIRECTORY)
    list(FILTER found EXCLUDE REGEX "^${folder}/")
  endforeach()
  set(${result} "${found}" PARENT_SCOPE)
endfunction()

# Adds the nested folders that exist, tracked so that a new one is noticed at the next build.
function(tandem_subdirectory name)
  file(GLOB listfile CONFIGURE_DEPENDS "${name}/CMakeLists.txt")
  if(listfile)
    add_subdirectory("${name}")
  endif()
endfunction()

function(tandem_library target)
  cmake_parse_arguments(ARG "" "" "LINKS;EXCLUDE" ${ARGN})
  tandem_glob(sources "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  list(FILTER sources EXCLUDE REGEX "(/main|_main)\\.cpp$")
  foreach(regex IN LISTS ARG_EXCLUDE)
    list(FILTER sources EXCLUDE REGEX "${regex}")
  endforeach()
  if(sources)
    add_library(${target} STATIC ${sources})
    target_link_libraries(${target} PRIVATE tandem_warnings PUBLIC fmt::fmt ${ARG_LINKS})
  else()
    add_library(${target} INTERFACE)
    target_link_libraries(${target} INTERFACE fmt::fmt ${ARG_LINKS})
  endif()
endfunction()

function(tandem_executables)
  cmake_parse_arguments(ARG "" "" "LINKS" ${ARGN})
  tandem_glob(mains "${CMAKE_CURRENT_SOURCE_DIR}/*_main.cpp")
  foreach(file IN LISTS mains)
    get_filename_component(name "${file}" NAME_WE)
    string(REGEX REPLACE "_main$" "" name "${name}")
    add_executable(${name} "${file}")
    target_link_libraries(${name} PRIVATE tandem_warnings ${ARG_LINKS})
  endforeach()
endfunction()

# Where an installed target looks for libraries, and the same target in the build folder: CMake would
# else end the latter's list with a colon, and an empty entry is the current folder.
function(tandem_library_path target)
  set_target_properties(${target} PROPERTIES INSTALL_RPATH "${ARGN}" BUILD_WITH_INSTALL_RPATH ON)
endfunction()
