# What shells and `man` read of `tandem`, made by itself from the tables of --help, where an installation has them.
include(GNUInstallDirs)
set(TANDEM_SHARE "${PROJECT_BINARY_DIR}/share")
set(TANDEM_BASH "${TANDEM_SHARE}/bash-completion/completions/tandem")
set(TANDEM_ZSH "${TANDEM_SHARE}/zsh/site-functions/_tandem")
set(TANDEM_FISH "${TANDEM_SHARE}/fish/vendor_completions.d/tandem.fish")
foreach(folder bash-completion/completions zsh/site-functions fish/vendor_completions.d man/man1)
  file(MAKE_DIRECTORY "${TANDEM_SHARE}/${folder}")
endforeach()
add_custom_command(OUTPUT "${TANDEM_BASH}" "${TANDEM_ZSH}" "${TANDEM_FISH}" "${TANDEM_SHARE}/man/man1/tandem.1"
  COMMAND tandem completion bash -o "${TANDEM_BASH}"
  COMMAND tandem completion zsh -o "${TANDEM_ZSH}"
  COMMAND tandem completion fish -o "${TANDEM_FISH}"
  COMMAND tandem man --folder "${TANDEM_SHARE}/man/man1"
  DEPENDS tandem COMMENT "Completions and manual pages" VERBATIM)
add_custom_target(tandem_shell ALL DEPENDS "${TANDEM_BASH}")
foreach(folder bash-completion zsh fish man)
  install(DIRECTORY "${TANDEM_SHARE}/${folder}" DESTINATION "${CMAKE_INSTALL_DATADIR}" COMPONENT tools)
endforeach()
