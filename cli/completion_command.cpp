// tandem completion: a script with which a shell completes commands, options and their words.
#include <memory>

#include "cli/commands.hpp"
#include "cli/messages/user_error.hpp"
#include "cli/options/command.hpp"
#include "cli/shell/completion.hpp"
#include "host/output_file.hpp"

namespace tandem {

namespace {

struct CompletionOptions {
  std::string shell;
  std::string output{"-"};
};

}  // namespace

void add_completion_command(Command application, int* status) {
  auto options = std::make_shared<CompletionOptions>();
  const Command command = application.add_subcommand(
      "completion", "Prints a script that completes commands and options in a shell");
  command.footer(
      "Example:\n"
      "  source <(tandem completion bash)\n"
      "  tandem completion zsh > ~/.zfunc/_tandem\n"
      "  tandem completion fish > ~/.config/fish/completions/tandem.fish\n"
      "An installation puts them where the shells look.");
  command.add_option("shell", options->shell, "bash, zsh or fish")
      .required()
      .one_of({"bash", "zsh", "fish"});
  command.add_option("-o,--output", options->output, "File for it; - is standard output")
      .capture_default_str();
  command.callback([application, options, status] {
    const std::string& shell = options->shell;
    const auto make = shell == "bash"  ? bash_completion
                      : shell == "zsh" ? zsh_completion
                                       : fish_completion;
    write_text(options->output, make(described(application)));
    *status = exit_done;
  });
}

}  // namespace tandem
