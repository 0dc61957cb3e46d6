#include "cli/shell/manual.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "isa/version.hpp"

namespace tandem {
namespace {

// A line of text, escaped so that no letter is troff markup.
std::string plain(const std::string& text) {
  std::string result;
  bool begins = true;
  for (const char letter : text) {
    if (begins && (letter == '.' || letter == '\'')) result += "\\&";
    begins = letter == '\n';
    if (letter == '\\') {
      result += "\\e";
    } else if (letter == '-') {
      result += "\\-";
    } else {
      result += letter;
    }
  }
  return result;
}

std::string synopsis(const std::string& name, const DescribedCommand& command) {
  std::string text = ".B " + plain(name) + "\n";
  for (const DescribedOption& option : command.options) {
    if (option.names.empty() || !option.is_required) continue;
    text += fmt::format("\\fB{}\\fR \\fI{}\\fR\n", plain(option.names.back()), plain(option.type));
  }
  text += "[\\fIoption\\fR]...\n";
  if (!command.commands.empty()) text += "\\fIcommand\\fR\n";
  for (const DescribedOption& option : command.options) {
    if (option.names.empty()) {
      const std::string place = "\\fI" + plain(option.place) + "\\fR";
      text += (option.is_required ? place : "[" + place + "]") + "\n";
    }
  }
  return text;
}

std::string option_text(const DescribedOption& option) {
  std::string head;
  for (const std::string& name : option.names) {
    head += (head.empty() ? "\\fB" : ", \\fB") + plain(name) + "\\fR";
  }
  if (option.names.empty()) head = "\\fI" + plain(option.place) + "\\fR";
  if (!option.words.empty()) {
    head += plain(fmt::format(" {}", fmt::join(option.words, "|")));
  } else if (!option.type.empty() && !option.names.empty()) {
    head += " \\fI" + plain(option.type) + "\\fR";
  }
  return ".TP\n" + head + "\n" + plain(option.description) + "\n";
}

// Options under the headings of the help, in order.
std::string option_groups(const DescribedCommand& command) {
  std::vector<std::string> groups;
  for (const DescribedOption& option : command.options) {
    if (std::find(groups.begin(), groups.end(), option.group) == groups.end()) {
      groups.push_back(option.group);
    }
  }
  std::string text;
  for (const std::string& group : groups) {
    text += ".SS \"" + plain(group) + "\"\n";
    for (const DescribedOption& option : command.options) {
      if (option.group == group) text += option_text(option);
    }
  }
  return text;
}

std::string examples(const DescribedCommand& command) {
  if (command.footer.empty()) return "";
  return ".PP\n.nf\n" + plain(command.footer) + "\n.fi\n";
}

std::string command_list(const DescribedCommand& command) {
  std::string text;
  for (const DescribedCommand& below : command.commands) {
    text += ".TP\n\\fB" + plain(below.name) + "\\fR\n" + plain(below.description) + "\n";
  }
  return text;
}

// The text after the name in lists of pages.
std::string purpose(const DescribedCommand& command) {
  const std::string sentence = first_sentence(command.description);
  const std::string own = "Tandem: ";
  return sentence.rfind(own, 0) == 0 ? sentence.substr(own.size()) : sentence;
}

std::string page(const std::string& name, const std::string& manual_name,
                 const DescribedCommand& command) {
  std::string text = fmt::format(
      ".TH \"{}\" 1 \"\" \"tandem {}\" \"Tandem\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n{}"
      ".SH DESCRIPTION\n{}\n",
      manual_name, version, plain(manual_name), plain(purpose(command)), synopsis(name, command),
      plain(command.description));
  text += examples(command);
  if (!command.commands.empty()) text += ".SH COMMANDS\n" + command_list(command);
  text += ".SH OPTIONS\n" + option_groups(command);
  for (const DescribedCommand& below : command.commands) {
    if (name == "tandem") continue;  // they have separate pages
    text += ".SH \"" + plain(name + " " + below.name) + "\"\n" + plain(below.description) + "\n" +
            examples(below) + option_groups(below);
  }
  return text +
         ".SH EXIT STATUS\n0: done. 1: the program trapped, raced, differed or met a limit. 2: bad "
         "usage or bad input, or an output that could not be written. 130, 143: interrupted.\n";
}

}  // namespace

std::vector<ManualPage> manual_pages(const DescribedCommand& root) {
  std::vector<ManualPage> pages{{"tandem.1", page("tandem", "tandem", root)}};
  for (const DescribedCommand& command : root.commands) {
    pages.push_back({"tandem-" + command.name + ".1",
                     page("tandem " + command.name, "tandem-" + command.name, command)});
  }
  return pages;
}

}  // namespace tandem
