// Commands about breakpoints and watchpoints.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/debug/command_table.hpp"
#include "cli/debug/print.hpp"
#include "cli/messages/messages.hpp"
#include "cli/messages/user_error.hpp"

namespace tandem::debug {
namespace {

struct Conditional {
  std::string what;  // before `if`
  std::string condition;
};

// "loop if s3 == 7" -> "loop", "s3 == 7".
Conditional split_condition(const std::string& text) {
  if (text.starts_with("if ")) return {"", text.substr(3)};
  const std::size_t at = text.find(" if ");
  if (at == std::string::npos) return {text, ""};
  return {text.substr(0, text.find_last_not_of(' ', at) + 1), text.substr(at + 4)};
}

void set_condition(const Shell& shell, Breakpoint& breakpoint, const std::string& text) {
  if (text.empty()) return;
  breakpoint.condition = shell.expression(text);
  breakpoint.condition_text = text;
}

Reply added(Shell& shell, Breakpoint breakpoint, const std::string& note) {
  Breakpoints& breakpoints = shell.session().breakpoints();
  const int number = breakpoints.add(std::move(breakpoint));
  const Breakpoint& made = *breakpoints.find(number);
  return {breakpoint_text(shell.session(), made) + note,
          shared_json({{"breakpoint", number}, {"pcs", made.pcs}}), false, false};
}

Reply add_breakpoint(Shell& shell, const Arguments& arguments, bool temporary) {
  const auto [location, condition] = split_condition(arguments.rest);
  if (location.empty() && condition.empty()) {
    throw UserError{message::break_usage};
  }
  const Session& session = shell.session();
  Breakpoint breakpoint;
  breakpoint.temporary = temporary;
  breakpoint.text = location;
  set_condition(shell, breakpoint, condition);
  if (location.empty()) {
    breakpoint.kind = Breakpoint::Kind::condition;
  } else {
    breakpoint.pcs = session.source().find(location, session.golden().pc());
  }
  return added(shell, std::move(breakpoint), "");
}

// Calls change(number) for every number in the text.
template <typename Change>
Reply for_numbers(const std::string& text, Change change) {
  std::istringstream words(text);
  std::string word;
  while (words >> word) {
    const std::uint64_t number = count_argument(word, 0);
    if (number > 1'000'000'000 || !change(static_cast<int>(number))) {
      throw UserError{fmt::format(message::no_breakpoint, word)};
    }
  }
  return {};
}

}  // namespace

Reply run_break(Shell& shell, const Arguments& arguments) {
  return add_breakpoint(shell, arguments, false);
}

Reply run_tbreak(Shell& shell, const Arguments& arguments) {
  return add_breakpoint(shell, arguments, true);
}

Reply run_watch(Shell& shell, const Arguments& arguments) {
  const auto [what, condition] = split_condition(arguments.rest);
  const ExpressionPointer part = shell.expression(what);
  if (part->kind != Expression::Kind::part) {
    throw UserError{message::watch_usage};
  }
  Breakpoint breakpoint;
  breakpoint.kind = Breakpoint::Kind::watch;
  breakpoint.selection = select(*part, shell.session().now());
  breakpoint.places.emplace(breakpoint.selection);
  breakpoint.text = breakpoint.selection.text();
  set_condition(shell, breakpoint, condition);
  return added(shell, std::move(breakpoint), "");
}

Reply run_delete(Shell& shell, const Arguments& arguments) {
  Breakpoints& breakpoints = shell.session().breakpoints();
  if (arguments.rest.empty()) breakpoints.clear();
  return for_numbers(arguments.rest, [&](int number) { return breakpoints.remove(number); });
}

Reply run_enable(Shell& shell, const Arguments& arguments) {
  Breakpoints& breakpoints = shell.session().breakpoints();
  return for_numbers(arguments.rest, [&](int number) { return breakpoints.enable(number, true); });
}

Reply run_disable(Shell& shell, const Arguments& arguments) {
  Breakpoints& breakpoints = shell.session().breakpoints();
  return for_numbers(arguments.rest, [&](int number) { return breakpoints.enable(number, false); });
}

std::string breakpoint_text(const Session& session, const Breakpoint& breakpoint) {
  std::string text = fmt::format("{:<3} ", breakpoint.number);
  switch (breakpoint.kind) {
    case Breakpoint::Kind::location: text += "break "; break;
    case Breakpoint::Kind::condition: text += "break"; break;
    case Breakpoint::Kind::watch: text += "watch "; break;
  }
  text += breakpoint.text;
  if (!breakpoint.condition_text.empty()) text += fmt::format(" if {}", breakpoint.condition_text);
  if (breakpoint.temporary) text += "  (once)";
  if (!breakpoint.enabled) text += "  (disabled)";
  if (breakpoint.hits != 0) text += fmt::format("  stopped {} times", breakpoint.hits);
  text += '\n';
  constexpr std::size_t most_places = 8;
  for (std::size_t i = 0; i < std::min(breakpoint.pcs.size(), most_places); ++i) {
    text += fmt::format("      at {}\n", session.source().place(breakpoint.pcs[i]));
  }
  if (breakpoint.pcs.size() > most_places) {
    text += fmt::format("      and {} more bundles\n", breakpoint.pcs.size() - most_places);
  }
  return text;
}

}  // namespace tandem::debug
