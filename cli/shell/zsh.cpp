#include <fmt/format.h>

#include <algorithm>

#include "cli/shell/completion.hpp"

namespace tandem {
namespace {

std::string function_name(const std::string& path) {
  std::string name = "_tandem" + (path.empty() ? "" : " " + path);
  std::replace(name.begin(), name.end(), ' ', '_');
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

// Text between single quotes, in which zsh's specifications have : [ ] as marks.
std::string quoted(const std::string& text) {
  std::string plain;
  for (const char letter : escaped(text, "\\:[]", "\\")) {
    plain += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  }
  return plain;
}

std::string value_of(const DescribedOption& option) {
  if (option.type.empty()) return "";
  if (option.words.empty()) return ":value:_files";
  return fmt::format(":value:({})", fmt::join(option.words, " "));
}

// One line of _arguments: '*' since nearly all may be repeated, and tandem itself reports errors.
std::string arguments_of(const DescribedCommand& command) {
  std::string text;
  for (const DescribedOption& option : command.options) {
    for (const std::string& name : option.names) {
      const bool takes_assignment = !option.type.empty() && name.size() > 2;
      text += fmt::format("    '*{}{}[{}]{}' \\\n", name, takes_assignment ? "=" : "",
                          quoted(first_sentence(option.description)), value_of(option));
    }
  }
  return text;
}

std::string commands_of(const std::string& path, const DescribedCommand& command) {
  std::string rows;
  std::string calls;
  for (const DescribedCommand& below : command.commands) {
    rows += fmt::format("      '{}:{}'\n", below.name, quoted(first_sentence(below.description)));
    calls += fmt::format("        {}) {} ;;\n", below.name,
                         function_name(path.empty() ? below.name : path + " " + below.name));
  }
  return "    '1:command:->command' '*::argument:->argument'\n"
         "  case $state in\n"
         "    command)\n"
         "      commands=(\n" +
         rows +
         "      )\n"
         "      _describe command commands ;;\n"
         "    argument)\n"
         "      case $words[1] in\n" +
         calls +
         "      esac ;;\n"
         "  esac\n";
}

}  // namespace

std::string zsh_completion(const DescribedCommand& root) {
  std::string text =
      "#compdef tandem\n# Completion of tandem for zsh; made by: tandem completion zsh\n";
  for_each_command(root, [&](const std::string& path, const DescribedCommand& command) {
    text += function_name(path) + "() {\n  local state line commands\n  _arguments -C \\\n" +
            arguments_of(command) +
            (command.commands.empty() ? "    '*:file:_files'\n" : commands_of(path, command)) +
            "}\n";
  });
  // Read by `source`, or put into a folder of $fpath and called by its name.
  return text +
         "if [ \"$funcstack[1]\" = _tandem ]; then _tandem \"$@\"; else compdef _tandem tandem; "
         "fi\n";
}

}  // namespace tandem
