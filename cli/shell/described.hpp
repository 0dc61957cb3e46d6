// The command line as data, from the tables that `--help` prints: the source of completions and
// manual pages.
#pragma once

#include <string>
#include <vector>

#include "cli/options/command.hpp"

namespace tandem {

struct DescribedOption {
  std::vector<std::string> names;  // "-o", "--out"; none: a positional argument
  std::string place;               // of an argument
  std::string type;                // "TEXT", "UINT", ...; "" for a flag
  std::string description;
  std::string group;               // its heading in the help
  std::vector<std::string> words;  // the values that it takes, if these are few words
  bool is_required = false;
};

struct DescribedCommand {
  std::string name;  // "tandem", "asm", ...
  std::string description;
  std::string footer;  // examples, mostly
  std::vector<DescribedOption> options;
  std::vector<DescribedCommand> commands;
};

// Options that the help does not list are omitted.
DescribedCommand described(Command command);

// Calls visit(path, command) for the command and all below it: "", "asm", "npy make".
template <typename Visitor>
void for_each_command(const DescribedCommand& command, const Visitor& visit,
                      const std::string& path = "") {
  visit(path, command);
  for (const DescribedCommand& below : command.commands) {
    for_each_command(below, visit, path.empty() ? below.name : path + " " + below.name);
  }
}

// Names of the commands below it, and of the options, with blanks between.
std::string command_names(const DescribedCommand& command);
std::string option_names(const DescribedCommand& command);

// The description in one line, up to its first sentence.
std::string first_sentence(const std::string& description);

// The text with `before` in front of each of the letters.
std::string escaped(const std::string& text, const std::string& letters, const std::string& before);

}  // namespace tandem
