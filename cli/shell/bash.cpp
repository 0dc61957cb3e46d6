#include <fmt/format.h>

#include "cli/shell/completion.hpp"

namespace tandem {
namespace {

std::string joined(const std::vector<std::string>& words, const char* between) {
  return fmt::format("{}", fmt::join(words, between));
}

// The words of an option's value, for each option of the command that has any.
std::string value_cases(const std::string& path, const DescribedCommand& command) {
  std::string text;
  for (const DescribedOption& option : command.options) {
    if (option.type.empty() || option.names.empty()) continue;
    for (const std::string& name : option.names) {
      text += fmt::format("    '{}|{}') values='{}' ;;\n", path, name, joined(option.words, " "));
    }
  }
  return text;
}

}  // namespace

// The path of the commands is found first ("npy make"); then the previous word decides whether a
// value is expected. `values` is unset if none is, and empty for a file or free text. Bash treats =
// and : as separate words.
std::string bash_completion(const DescribedCommand& root) {
  std::string paths;
  std::string values;
  for_each_command(root, [&](const std::string& path, const DescribedCommand& command) {
    paths += fmt::format("    '{}') commands='{}' options='{}' ;;\n", path, command_names(command),
                         option_names(command));
    values += value_cases(path, command);
  });
  return "# Completion of tandem for bash; made by: tandem completion bash\n"
         "_tandem() {\n"
         "  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
         "  local path= word commands options values at\n"
         "  [ \"$current\" = = ] && current=\n"
         "  [ \"$before\" = = ] && before=${COMP_WORDS[COMP_CWORD-2]}\n"
         "  for ((at = 1; at < COMP_CWORD; at++)); do\n"
         "    word=${COMP_WORDS[at]}\n"
         "    _tandem_at \"$path\"\n"
         "    case \" $commands \" in *\" $word \"*) path=${path:+$path }$word ;; *) break ;; "
         "esac\n"
         "  done\n"
         "  _tandem_at \"$path\"\n"
         "  unset values\n"
         "  case \"$path|$before\" in\n" +
         values +
         "  esac\n"
         "  if [ -n \"${values+set}\" ]; then\n"
         "    COMPREPLY=($(compgen -W \"$values\" -- \"$current\"))\n"
         "  elif [[ $current == -* ]]; then\n"
         "    COMPREPLY=($(compgen -W \"$options\" -- \"$current\"))\n"
         "  else\n"
         "    COMPREPLY=($(compgen -W \"$commands\" -- \"$current\"))\n"
         "  fi\n"
         "}\n"
         "# Sets commands and options to those at a path.\n"
         "_tandem_at() {\n"
         "  case \"$1\" in\n" +
         paths +
         "  esac\n"
         "}\n"
         "complete -o default -F _tandem tandem\n";
}

}  // namespace tandem
