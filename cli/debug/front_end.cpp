#include "cli/debug/front_end.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/debug/line_editor.hpp"
#include "cli/files/files.hpp"
#include "cli/messages/user_error.hpp"
#include "cli/terminal/colour.hpp"
#include "report/json/json_text.hpp"

namespace tandem::debug {
namespace {

constexpr const char* prompt = "(tandem) ";

std::atomic<Interrupt*> interrupted_session{nullptr};

void on_interrupt(int /*signal*/) {
  Interrupt* const interrupt = interrupted_session.load();
  if (interrupt != nullptr) interrupt->store(true);
}

// Ctrl-C ends the command that runs, not the debugger, as long as this lives.
class InterruptScope {
 public:
  explicit InterruptScope(Interrupt& interrupt) {
    interrupted_session = &interrupt;
    struct sigaction action {};
    action.sa_handler = on_interrupt;  // without SA_RESTART: reading a line ends, too
    sigaction(SIGINT, &action, &before_);
  }
  ~InterruptScope() {
    sigaction(SIGINT, &before_, nullptr);
    interrupted_session = nullptr;
  }
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;

 private:
  struct sigaction before_ {};
};

class FrontEnd {
 public:
  FrontEnd(Shell& shell, bool json) : shell_(shell), json_(json) {}

  // Executes a line and prints its answer. Throws on errors.
  Reply execute(const std::string& line) {
    shell_.session().interrupt() = false;
    const Reply reply = shell_.execute(line);
    failed_ = failed_ || reply.failed;
    answer(line, reply);
    return reply;
  }

  // The same, printing errors.
  Reply execute_and_explain(const std::string& line) {
    try {
      return execute(line);
    } catch (const UserError& error) {
      if (json_) {
        print_json({{"command", line}, {"ok", false}, {"error", error.message}});
      } else {
        fmt::print("{}\n", error.message);
      }
      std::fflush(stdout);
    }
    return {};
  }

  void begin() { answer("", shell_.stopped({})); }

  // Whether the session continues.
  bool run_script(std::istream& script, const std::string& name) {
    std::string line;
    for (std::size_t number = 1; std::getline(script, line); ++number) {
      if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
      if (!json_) fmt::print("{}{}\n", prompt, line);
      try {
        const Reply reply = execute(line);
        if (reply.quit || reply.failed) return false;
      } catch (const UserError& error) {
        std::fflush(stdout);
        mistaken_ = true;
        fmt::print(stderr, "{}:{}: {}\n", name, number, error.message);
      }
    }
    return true;
  }

  void run_program_dialogue() {
    const InterruptScope scope(shell_.session().interrupt());
    for (std::string line; std::getline(std::cin, line);) {
      if (execute_and_explain(line).quit) return;
    }
  }

  void run_terminal() {
    const InterruptScope scope(shell_.session().interrupt());
    LineEditor editor(prompt, [this](std::string_view line) { return shell_.completions(line); });
    std::string last;
    while (const auto line = editor.read()) {
      // An empty line repeats the previous move, as users expect from a debugger.
      const bool is_empty = line->find_first_not_of(" \t\r\n") == std::string::npos;
      if (!is_empty) last = *line;
      if (is_empty && shell_.session().interrupt().exchange(false)) last.clear();
      if (execute_and_explain(is_empty ? last : *line).quit) return;
    }
    fmt::print("\n");
  }

  // 2 after an error, which does not hide later output; 1 after a failed assertion.
  [[nodiscard]] int status() const {
    if (failed_) return exit_failed;
    return mistaken_ ? exit_usage : exit_done;
  }

 private:
  void answer(const std::string& line, const Reply& reply) const {
    if (json_) {
      print_json({{"command", line},
                  {"ok", !reply.failed},
                  {"text", reply.text},
                  {"data", reply.data ? *reply.data : nlohmann::json()}});
    } else {
      print_answer(reply.text);
    }
    std::fflush(stdout);
  }

  static void print_json(const nlohmann::json& json) { fmt::print("{}\n", json_text(json, -1)); }

  Shell& shell_;
  bool json_;
  bool failed_ = false;
  bool mistaken_ = false;  // in a script
};

}  // namespace

int run_front_end(Shell& shell, const FrontEndOptions& options) {
  FrontEnd front(shell, options.json);
  front.begin();
  bool goes_on = true;
  for (const std::string& path : options.scripts) {
    std::istringstream script(read_text(path));
    goes_on = goes_on && front.run_script(script, path);
  }
  const bool terminal = isatty(STDIN_FILENO) != 0;
  if (goes_on && terminal && !options.json) {
    front.run_terminal();
  } else if (goes_on && options.scripts.empty() && options.json) {
    front.run_program_dialogue();
  } else if (goes_on && options.scripts.empty()) {
    front.run_script(std::cin, "standard input");
  }
  return front.status();
}

}  // namespace tandem::debug
