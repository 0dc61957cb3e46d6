# share/tandem/commit: the commit that `tandem` was built from, which `tandem --version` prints. It is a file of its own
# and not in the executable, so that a commit compiles and links nothing, and the same sources are the same executable
# whatever their history. Written where `tandem` is linked, and where HEAD has moved since.
set(TANDEM_COMMIT_FILE "${PROJECT_BINARY_DIR}/share/tandem/commit")
set(TANDEM_WRITE_COMMIT "${CMAKE_COMMAND}" "-DSOURCE=${PROJECT_SOURCE_DIR}" "-DFILE=${TANDEM_COMMIT_FILE}"
  -P "${PROJECT_SOURCE_DIR}/cmake/write_commit.cmake")
execute_process(COMMAND git rev-parse --git-path logs/HEAD WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
  OUTPUT_VARIABLE TANDEM_HEAD_LOG OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
get_filename_component(TANDEM_HEAD_LOG "${TANDEM_HEAD_LOG}" ABSOLUTE BASE_DIR "${PROJECT_SOURCE_DIR}")
if(NOT EXISTS "${TANDEM_HEAD_LOG}" OR IS_DIRECTORY "${TANDEM_HEAD_LOG}")
  set(TANDEM_HEAD_LOG "")
endif()
add_custom_command(OUTPUT "${TANDEM_COMMIT_FILE}" COMMAND ${TANDEM_WRITE_COMMIT} DEPENDS ${TANDEM_HEAD_LOG}
  COMMENT "Noting the commit" VERBATIM)
add_custom_target(tandem_commit DEPENDS "${TANDEM_COMMIT_FILE}")
add_dependencies(tandem tandem_commit)
add_custom_command(TARGET tandem POST_BUILD COMMAND ${TANDEM_WRITE_COMMIT} VERBATIM)
include(GNUInstallDirs)
install(FILES "${TANDEM_COMMIT_FILE}" DESTINATION "${CMAKE_INSTALL_DATADIR}/tandem" COMPONENT tools)
install(FILES "${TANDEM_COMMIT_FILE}" DESTINATION "tandem/share/tandem" COMPONENT python)
