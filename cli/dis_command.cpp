// tandem dis: objects and programs back to text.
#include <array>
#include <memory>
#include <string>

#include "assembler/disassemble.hpp"
#include "cli/commands.hpp"
#include "cli/files/files.hpp"
#include "cli/messages/user_error.hpp"
#include "cli/options/command.hpp"
#include "cli/run/program/program.hpp"

namespace tandem {
namespace {

struct DisOptions {
  std::string input;
  std::string output = "-";
  Language language = Language::assembly;
};

constexpr std::array languages{Language::assembly, Language::python};

void run_dis(const DisOptions& options) {
  const std::string text = disassemble(load_object(options.input, {}), options.language);
  claim_output(options.output);
  write_text(options.output, text);
}

}  // namespace

void add_dis_command(Command application, int* status) {
  auto options = std::make_shared<DisOptions>();
  const Command command = application.add_subcommand("dis", "Disassemble");
  command.footer(
      "Example:\n"
      "  tandem dis kernel.elf | less\n"
      "The text assembles to the same bytes again.");
  command.add_option("input", options->input, "Object or program; - is standard input").required();
  command.add_option("-o,--output", options->output, "File to write; - is standard output");
  command.add_choice(
      "--as", {"assembly", "python"},
      [options](std::size_t place) { options->language = languages.at(place); },
      "assembly (default) or python: a module of the package tandem.assembly");
  command.callback([options, status] {
    run_dis(*options);
    *status = exit_done;
  });
}

}  // namespace tandem
