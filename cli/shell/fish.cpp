#include <fmt/format.h>

#include "cli/shell/completion.hpp"

namespace tandem {
namespace {

std::string quoted(const std::string& text) { return "'" + escaped(text, "\\'", "\\") + "'"; }

std::string line(const std::string& path, const DescribedCommand& command,
                 const DescribedOption& option) {
  std::string text =
      fmt::format("complete -c tandem -n '__tandem_at \"{}\" {}'", path, command_names(command));
  for (const std::string& name : option.names) {
    text += name.size() > 2 ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  if (!option.type.empty()) text += option.words.empty() ? " -r" : " -x";
  if (!option.words.empty())
    text += fmt::format(" -a {}", quoted(fmt::format("{}", fmt::join(option.words, " "))));
  return text + " -d " + quoted(first_sentence(option.description)) + "\n";
}

}  // namespace

// __tandem_at PATH COMMANDS...: whether the commands typed so far are PATH, and none of the
// COMMANDS that may follow has been typed.
std::string fish_completion(const DescribedCommand& root) {
  std::string text =
      "# Completion of tandem for fish; made by: tandem completion fish\n"
      "function __tandem_at\n"
      "  set -l typed (commandline -opc)[2..-1]\n"
      "  set -l path (string split -n ' ' -- $argv[1])\n"
      "  for word in $path\n"
      "    test (count $typed) -gt 0; and test $typed[1] = $word; or return 1\n"
      "    set -e typed[1]\n"
      "  end\n"
      "  test (count $typed) -gt 0; and contains -- $typed[1] $argv[2..-1]; and return 1\n"
      "  return 0\n"
      "end\n";
  for_each_command(root, [&](const std::string& path, const DescribedCommand& command) {
    for (const DescribedCommand& below : command.commands) {
      text += fmt::format("complete -c tandem -f -n '__tandem_at \"{}\" {}' -a {} -d {}\n", path,
                          command_names(command), below.name,
                          quoted(first_sentence(below.description)));
    }
    for (const DescribedOption& option : command.options) {
      if (!option.names.empty()) text += line(path, command, option);
    }
  });
  return text;
}

}  // namespace tandem
