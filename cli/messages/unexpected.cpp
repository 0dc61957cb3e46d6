#include "cli/messages/unexpected.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "cli/messages/messages.hpp"
#include "host/nearest_name.hpp"

namespace tandem {
namespace {

std::string_view without_dashes(std::string_view name) {
  return name.substr(std::min(name.find_first_not_of('-'), name.size()));
}

// ": did you mean `--preset`?", ", see tandem run --help".
std::string nearest_option(const std::string& path, Command command, std::string_view wanted) {
  NearestName nearest(without_dashes(wanted));
  for (const Option& option : command.options()) {
    if (option.group().empty()) continue;  // the help does not list it
    for (const std::string& name : option.names()) {
      if (name.starts_with("--")) nearest.consider(without_dashes(name));
    }
  }
  if (nearest.name().empty())
    return fmt::format("; tandem{}{} --help lists them", path.empty() ? "" : " ", path);
  return fmt::format(": did you mean `--{}`?", nearest.name());
}

}  // namespace

std::string unknown_subcommand(Command application, const std::string& name) {
  NearestName nearest(name);
  std::string names;
  for (const Command& command : application.subcommands()) {
    nearest.consider(command.name());
    names += (names.empty() ? "" : ", ") + command.name();
  }
  if (!nearest.name().empty()) {
    return fmt::format(message::unknown_subcommand_near, name, nearest.name());
  }
  return fmt::format(message::unknown_subcommand, name, names);
}

std::string unexpected_arguments(const std::string& path, Command command,
                                 const std::vector<std::string>& arguments) {
  const auto option = std::find_if(arguments.begin(), arguments.end(), [](const std::string& text) {
    return text.size() > 1 && text.front() == '-';
  });
  const std::string where = path.empty() ? "tandem" : path;
  if (option == arguments.end()) {
    return fmt::format(message::unexpected_argument, where,
                       arguments.empty() ? "" : arguments.front());
  }
  const std::string name = option->substr(0, option->find('='));
  return fmt::format(message::unknown_option, where, name, nearest_option(path, command, name));
}

}  // namespace tandem
