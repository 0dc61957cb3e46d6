# Compiler settings shared by every target of this project.

set(TANDEM_SANITIZE OFF CACHE STRING
  "ON: build with AddressSanitizer and UndefinedBehaviorSanitizer; thread: with ThreadSanitizer")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
# The same objects go into executables and into shared libraries.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")

find_program(TANDEM_CCACHE ccache)
if(TANDEM_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${TANDEM_CCACHE}")
endif()

# -ffp-contract=off: a fused multiply-add rounds once where the machine rounds twice.
add_compile_options(-ffp-contract=off)
if(TANDEM_NATIVE)
  add_compile_options(-march=native)
endif()
if(TANDEM_SANITIZE)
  set(sanitizers address,undefined)
  if(TANDEM_SANITIZE STREQUAL "thread")
    set(sanitizers thread)
  endif()
  # Instrumented loops do not vectorise; that is no news.
  add_compile_options(-fsanitize=${sanitizers} -fno-sanitize-recover=all -Wno-pass-failed)
  add_link_options(-fsanitize=${sanitizers})
endif()

# Flags for our own sources only, not for Verilated ones.
add_library(tandem_warnings INTERFACE)
target_compile_options(tandem_warnings INTERFACE -Wall -Wextra -Werror)
target_include_directories(tandem_warnings INTERFACE "${PROJECT_SOURCE_DIR}")

find_package(fmt 9 REQUIRED)
