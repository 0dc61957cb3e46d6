// The debugger's commands without a terminal: a line in, an answer out.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/debug/session.hpp"

namespace tandem::debug {

struct Reply {
  std::string text;  // for people; ends in '\n' unless empty
  // For programs; nullptr if empty. A pointer, so that the many commands without JSON output
  // compile without it.
  std::shared_ptr<const nlohmann::json> data;
  bool failed = false;  // an `assert` failed
  bool quit = false;
};

// The text after the name of a command: "print/hex v3[0]" has type "hex" and rest "v3[0]".
struct Arguments {
  std::string type;
  std::string rest;
};

class Shell;

struct Command {
  std::string_view name;
  std::string_view alias;    // "" without
  std::string_view usage;    // "break LOCATION [if EXPRESSION]"
  std::string_view meaning;  // a sentence
  std::string_view example;
  Reply (*run)(Shell& shell, const Arguments& arguments);
};

// "loop 5" -> "loop", "5".
std::pair<std::string, std::string> split_word(const std::string& text);

// Every command, in the order of the manual.
std::span<const Command> commands();
// By name, alias or unambiguous prefix of a name. Throws UserError.
const Command& find_command(std::string_view word);

class Shell {
 public:
  explicit Shell(std::unique_ptr<Session> session) : session_(std::move(session)) {}

  // Executes one line; an empty one and a comment (#) do nothing. Throws UserError for errors.
  Reply execute(std::string_view line);
  // Words that can replace the last word of `line`.
  [[nodiscard]] std::vector<std::string> completions(std::string_view line) const;

  [[nodiscard]] Session& session() { return *session_; }
  [[nodiscard]] const Session& session() const { return *session_; }

  // The answer to a move: the program's position and the output of `display`.
  Reply stopped(const Stop& stop);
  // The rest of a command as an expression.
  [[nodiscard]] ExpressionPointer expression(const std::string& text) const;
  // Values of an expression as `print` shows them; a type overrides the one of the expression.
  [[nodiscard]] Reply values(const std::string& text, const std::string& type) const;

  struct Display {
    int number = 0;
    std::string text;
    std::string type;
  };
  std::vector<Display> displays;
  int last_display = 0;
  std::optional<SourceLine> listed_to;  // where `list` continues

 private:
  std::unique_ptr<Session> session_;
};

// An integer argument of a command, `absent` if the text is empty. Throws UserError.
std::uint64_t count_argument(const std::string& text, std::uint64_t absent);

}  // namespace tandem::debug
