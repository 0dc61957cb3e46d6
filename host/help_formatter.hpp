// The help of CLI11, in lines of at most a hundred columns. Only for code that includes CLI11
// anyway.
#pragma once

#include <CLI/CLI.hpp>
#include <sstream>
#include <string>
#include <utility>

namespace tandem {

class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override {
    std::istringstream help(CLI::Formatter::make_help(app, std::move(name), mode));
    std::string text;
    for (std::string line; std::getline(help, line);) text += wrapped(line) + "\n";
    return text;
  }

 private:
  static constexpr std::size_t widest = 100;      // columns
  static constexpr std::size_t text_column = 30;  // where CLI11 begins the text of an option

  // Wraps between words; further lines are aligned with the text.
  static std::string wrapped(const std::string& line) {
    if (line.size() <= widest) return line;
    const std::size_t margin = line.starts_with("  ") ? text_column : 0;
    const std::size_t space = line.rfind(' ', widest);
    if (space == std::string::npos || space <= margin) return line;
    return line.substr(0, space) + "\n" +
           wrapped(std::string(margin, ' ') + line.substr(space + 1));
  }
};

}  // namespace tandem
