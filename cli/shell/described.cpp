#include "cli/shell/described.hpp"

#include <algorithm>
#include <cctype>

namespace tandem {
namespace {

// Capitals stand for something else: FILE, SIZES.
bool is_word(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char letter) {
    return std::islower(letter) != 0 || std::isdigit(letter) != 0 || letter == '-' ||
           letter == '_' || letter == '.';
  });
}

// "golden|cycle", "TEXT:{golden,cycle}" and "ENUM:value in {golden->0,cycle->1} OR {0,1}" have the
// words golden and cycle: those in the first braces, or all.
std::vector<std::string> words_of(const std::string& type) {
  const std::size_t begin = type.find('{');
  const std::string list =
      begin == std::string::npos ? type : type.substr(begin + 1, type.find('}', begin) - begin - 1);
  std::vector<std::string> words;
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t next = std::min(list.find_first_of(",|", at), list.size());
    const std::string item = list.substr(at, next - at);
    const std::string word = item.substr(0, item.find("->"));
    if (is_word(word)) words.push_back(word);
    at = next + 1;
  }
  return words;
}

DescribedOption described(Option option) {
  DescribedOption result;
  result.names = option.names();
  result.place = option.place();
  result.description = option.description();
  result.group = option.group();
  result.is_required = option.is_required();
  if (option.takes_value()) {
    const std::string type = option.type_name();
    result.words = words_of(type);
    result.type = type.substr(0, type.find(':'));
  }
  return result;
}

}  // namespace

DescribedCommand described(Command command) {
  DescribedCommand result;
  result.name = command.name();
  result.description = command.description();
  result.footer = command.footer_text();
  for (const Option option : command.options()) {
    DescribedOption one = described(option);
    if (!one.group.empty()) result.options.push_back(std::move(one));
  }
  for (const Command below : command.subcommands()) result.commands.push_back(described(below));
  return result;
}

std::string command_names(const DescribedCommand& command) {
  std::string names;
  for (const DescribedCommand& below : command.commands) {
    names += (names.empty() ? "" : " ") + below.name;
  }
  return names;
}

std::string option_names(const DescribedCommand& command) {
  std::string names;
  for (const DescribedOption& option : command.options) {
    for (const std::string& name : option.names) names += (names.empty() ? "" : " ") + name;
  }
  return names;
}

std::string first_sentence(const std::string& description) {
  std::string line = description.substr(0, description.find('\n'));
  line = line.substr(0, line.find(". "));
  if (!line.empty() && line.back() == '.') line.pop_back();
  return line;
}

std::string escaped(const std::string& text, const std::string& letters,
                    const std::string& before) {
  std::string result;
  for (const char letter : text) {
    if (letters.find(letter) != std::string::npos) result += before;
    result += letter;
  }
  return result;
}

}  // namespace tandem
