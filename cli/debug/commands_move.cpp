// Commands that execute the program.
#include <fmt/format.h>

#include "cli/debug/command_table.hpp"
#include "cli/messages/messages.hpp"
#include "cli/messages/user_error.hpp"

namespace tandem::debug {
namespace {

// Repeats a move while it is not stopped early.
template <typename Move>
Reply repeat(Shell& shell, const Arguments& arguments, Move move) {
  Stop stop;
  for (std::uint64_t left = count_argument(arguments.rest, 1); left != 0; --left) {
    stop = move(shell.session());
    if (stop.reason != StopReason::done) break;
  }
  return shell.stopped(stop);
}

void want_nothing(const Arguments& arguments) {
  if (!arguments.rest.empty()) throw UserError{message::takes_no_arguments};
}

Until wanted_location(const Session& session, const Arguments& arguments, const char* command) {
  if (arguments.rest.empty()) {
    throw UserError{fmt::format(message::location_missing, command)};
  }
  return {session.source().find(arguments.rest, session.golden().pc()), {}};
}

}  // namespace

Reply run_stepi(Shell& shell, const Arguments& arguments) {
  return shell.stopped(shell.session().step(count_argument(arguments.rest, 1)));
}

Reply run_reverse_stepi(Shell& shell, const Arguments& arguments) {
  return shell.stopped(shell.session().reverse_step(count_argument(arguments.rest, 1)));
}

Reply run_step(Shell& shell, const Arguments& arguments) {
  return repeat(shell, arguments, [](Session& session) { return session.step_line(false); });
}

Reply run_reverse_step(Shell& shell, const Arguments& arguments) {
  return repeat(shell, arguments,
                [](Session& session) { return session.reverse_step_line(false); });
}

Reply run_next(Shell& shell, const Arguments& arguments) {
  return repeat(shell, arguments, [](Session& session) { return session.step_line(true); });
}

Reply run_reverse_next(Shell& shell, const Arguments& arguments) {
  return repeat(shell, arguments, [](Session& session) { return session.reverse_step_line(true); });
}

Reply run_finish(Shell& shell, const Arguments& arguments) {
  want_nothing(arguments);
  return shell.stopped(shell.session().finish());
}

Reply run_continue(Shell& shell, const Arguments& arguments) {
  want_nothing(arguments);
  return shell.stopped(shell.session().run());
}

Reply run_reverse_continue(Shell& shell, const Arguments& arguments) {
  want_nothing(arguments);
  return shell.stopped(shell.session().reverse_run());
}

Reply run_until(Shell& shell, const Arguments& arguments) {
  const Until until = wanted_location(shell.session(), arguments, "until");
  return shell.stopped(shell.session().run(&until));
}

Reply run_reverse_until(Shell& shell, const Arguments& arguments) {
  const Until until = wanted_location(shell.session(), arguments, "reverse-until");
  return shell.stopped(shell.session().reverse_run(&until));
}

Reply run_goto(Shell& shell, const Arguments& arguments) {
  Session& session = shell.session();
  constexpr std::string_view cycle = "cycle ";
  if (arguments.rest == "start") return shell.stopped(session.move_to(0));
  if (arguments.rest == "end") return shell.stopped(session.move_to(~std::uint64_t{0}));
  if (arguments.rest.starts_with(cycle)) {
    const std::string number = arguments.rest.substr(cycle.size());
    return shell.stopped(session.move_to_cycle(count_argument(number, 0)));
  }
  if (arguments.rest.empty()) throw UserError{message::goto_usage};
  return shell.stopped(session.move_to(count_argument(arguments.rest, 0)));
}

}  // namespace tandem::debug
