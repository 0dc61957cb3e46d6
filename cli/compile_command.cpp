// tandem compile: executes tandem-compile, a separate executable because it needs MLIR.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <vector>

#include "cli/commands.hpp"
#include "cli/files/compiler_path.hpp"
#include "cli/messages/messages.hpp"
#include "cli/messages/user_error.hpp"
#include "cli/options/command.hpp"

namespace tandem {
namespace {

// Does not return, unless it throws.
void run_compiler(const std::vector<std::string>& arguments) {
  const std::string path = compiler_path();
  std::vector<std::string> words{path};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  if (path.find('/') != std::string::npos) {
    execv(path.c_str(), pointers.data());
  } else {
    errno = ENOENT;  // not in PATH; a file of the current folder is not used
  }
  if (errno == ENOENT) throw UserError{fmt::format(message::no_compiler, path)};
  throw UserError{fmt::format(message::file_error, path, std::strerror(errno))};
}

}  // namespace

void add_compile_command(Command application, int* /*status*/) {
  const Command command = application.add_subcommand(
      "compile", "Compile a StableHLO program, as JAX makes it, to one binary");
  command.footer("Example:\n  tandem compile model.mlirbc -o model.elf --preset full");
  // Options are tandem-compile's, including --help.
  command.remove_help_flag();
  command.prefix_command();
  command.callback([command] { run_compiler(command.remaining()); });
}

}  // namespace tandem
