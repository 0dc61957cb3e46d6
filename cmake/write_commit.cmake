# Writes FILE: the commit of SOURCE and its day, and whether files differ from it. In an archive without history
# (`git archive`) .gitattributes has put both into commit.txt; where neither is, the file is empty.
execute_process(COMMAND git -c core.abbrev=12 show --no-patch --format=%h\ %cs HEAD
  WORKING_DIRECTORY "${SOURCE}" OUTPUT_VARIABLE commit RESULT_VARIABLE failed OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
execute_process(COMMAND git rev-parse --show-toplevel WORKING_DIRECTORY "${SOURCE}"
  OUTPUT_VARIABLE top OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT failed AND top STREQUAL SOURCE)
  # Whoever works in the repository meanwhile finds no lock.
  execute_process(COMMAND git --no-optional-locks status --porcelain --untracked-files=no
    WORKING_DIRECTORY "${SOURCE}" OUTPUT_VARIABLE changes ERROR_QUIET)
  if(changes)
    string(APPEND commit ", with changes")
  endif()
else()
  file(READ "${CMAKE_CURRENT_LIST_DIR}/commit.txt" commit)
  if(commit MATCHES "Format:")
    set(commit "")
  endif()
  string(STRIP "${commit}" commit)
endif()
file(WRITE "${FILE}" "${commit}\n")
