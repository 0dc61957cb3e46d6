# Precompiled headers.
#
#   tandem_precompile(<target> <header>)
#     Every file of the target is compiled as if it included <header> first. The header only lists
#     headers of others that many files of the target include; each file still includes what it uses,
#     so that the target builds without it too (-DTANDEM_PRECOMPILE=OFF, as clang-tidy sees it).
#   tandem_reuse_precompiled(<target> <owner>)
#     The target uses the header of another one that is compiled with the same options.
#
# ccache hits all the same: it is told to accept them, and clang leaves the time out of the header. It
# takes what a file depends on from the compiler (depend mode) and never runs the preprocessor itself.
# What one checkout compiled also serves another one (CCACHE_BASEDIR), except with precompiled headers,
# which name the folder.

option(TANDEM_PRECOMPILE "Use precompiled headers" ON)

if(TANDEM_CCACHE AND CMAKE_CXX_COMPILER_LAUNCHER STREQUAL TANDEM_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env CCACHE_DEPEND=1
    "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}"
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime "${TANDEM_CCACHE}")
endif()

function(tandem_precompile target header)
  if(TANDEM_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/${header}")
    target_compile_options(${target} PRIVATE -Xclang -fno-pch-timestamp)
  endif()
endfunction()

function(tandem_reuse_precompiled target owner)
  if(TANDEM_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM ${owner})
    target_compile_options(${target} PRIVATE -Xclang -fno-pch-timestamp)
  endif()
endfunction()
