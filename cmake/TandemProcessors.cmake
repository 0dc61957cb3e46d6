# A build for any x86-64 processor (TANDEM_NATIVE=OFF) has its hot libraries once more for processors with longer
# vectors. The dynamic loader takes the best that the processor it runs on has from the folders
# glibc-hwcaps/<level> beside a library: ld.so(8), glibc 2.33 and later.
#
#   tandem_for_processors(<library> HOT <static library>... COLD <static library>...)
#     <library> is a shared one made of all these; its twin for a level is <library>_<level>. What is in HOT is
#     compiled again for each level, what is in COLD is linked as it is.
set(TANDEM_PROCESSOR_LEVELS x86-64-v3 x86-64-v4)  # AVX2, AVX-512

function(tandem_objects_for level part result)
  get_target_property(sources ${part} SOURCES)
  get_target_property(options ${part} COMPILE_OPTIONS)
  get_target_property(links ${part} LINK_LIBRARIES)
  set(objects ${part}_${level})
  add_library(${objects} OBJECT EXCLUDE_FROM_ALL ${sources})
  if(options)
    target_compile_options(${objects} PRIVATE ${options})
  endif()
  target_compile_options(${objects} PRIVATE -march=${level})
  target_link_libraries(${objects} PRIVATE ${links})
  set(${result} $<TARGET_OBJECTS:${objects}> PARENT_SCOPE)
endfunction()

function(tandem_for_processors library)
  cmake_parse_arguments(ARG "" "" "HOT;COLD" ${ARGN})
  get_target_property(sources ${library} SOURCES)
  get_target_property(name ${library} OUTPUT_NAME)
  foreach(level IN LISTS TANDEM_PROCESSOR_LEVELS)
    set(target ${library}_${level})
    add_library(${target} SHARED ${sources})
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name}
      LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib/glibc-hwcaps/${level}")
    foreach(part IN LISTS ARG_HOT)
      tandem_objects_for(${level} ${part} objects)
      target_sources(${target} PRIVATE ${objects})
    endforeach()
    tandem_link_whole(${target} ${ARG_COLD})
    tandem_runtime_links(${target})
    add_dependencies(${library} ${target})
    tandem_library_path(${target} "$ORIGIN/../..")
  endforeach()
endfunction()
