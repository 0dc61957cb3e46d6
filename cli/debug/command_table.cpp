#include "cli/debug/command_table.hpp"

#include <fmt/format.h>

#include <array>

#include "cli/messages/user_error.hpp"

namespace tandem::debug {

namespace {

constexpr std::array<Command, 30> table{{
    {"stepi", "si", "stepi [N]", "Executes N bundles.", "stepi 3", run_stepi},
    {"reverse-stepi", "rsi", "reverse-stepi [N]", "Goes back N bundles.", "rsi", run_reverse_stepi},
    {"step", "s", "step [N]", "Goes on to another source line, into macros and called functions.",
     "step", run_step},
    {"reverse-step", "rs", "reverse-step [N]", "Goes back to the beginning of the line before.",
     "rs", run_reverse_step},
    {"next", "n", "next [N]",
     "Goes on to another source line; a macro or a call counts as one line.", "next 2", run_next},
    {"reverse-next", "rn", "reverse-next [N]",
     "Goes back a line; a macro or a call counts as one line.", "rn", run_reverse_next},
    {"finish", "fin", "finish", "Goes on until the function has returned.", "finish", run_finish},
    {"continue", "c", "continue", "Goes on to the next stop, or to the end.", "continue",
     run_continue},
    {"reverse-continue", "rc", "reverse-continue",
     "Goes back to the last stop, or to the beginning; for a watchpoint, after the last write.",
     "rc", run_reverse_continue},
    {"until", "u", "until LOCATION", "Goes on to a location, or to a stop before it.", "until loop",
     run_until},
    {"reverse-until", "ru", "reverse-until LOCATION",
     "Goes back to where a location was passed last.", "ru loop", run_reverse_until},
    {"goto", "g", "goto MOMENT",
     "Goes, past all breakpoints, to the moment after N bundles; `cycle N`, `start` and `end` "
     "are "
     "moments, too.",
     "goto cycle 5000", run_goto},
    {"break", "b", "break [LOCATION] [if EXPRESSION]",
     "Stops before the bundles of a location (label, label+N, FILE:LINE, LINE, *BUNDLE); without "
     "a location, after the bundle that makes the expression true.",
     "break loop if s3 == 7 && smem[12] > 4", run_break},
    {"tbreak", "tb", "tbreak [LOCATION] [if EXPRESSION]", "The same, once.", "tbreak kernel.s:40",
     run_tbreak},
    {"watch", "w", "watch PLACE [if EXPRESSION]",
     "Stops after a bundle that writes some of a register, memory or tensor, with old and new "
     "values; a copy writes when it starts.",
     "watch vmem[0:8][3]", run_watch},
    {"delete", "d", "delete [NUMBER...]", "Deletes breakpoints; without a number, all.", "delete 2",
     run_delete},
    {"enable", "", "enable NUMBER...", "Makes breakpoints stop again.", "enable 1", run_enable},
    {"disable", "", "disable NUMBER...", "Makes breakpoints not stop.", "disable 1 3", run_disable},
    {"print", "p", "print[/TYPE] EXPRESSION",
     "Shows a value, a register, or part of a memory or tensor; types are hex, u32, s32, f32, "
     "bf16, lo, hi, s8 and bit.",
     "print/bf16 v3[0:2]", run_print},
    {"display", "", "display[/TYPE] [EXPRESSION]",
     "Shows the same after every move; without an expression, lists what is shown.",
     "display/hex s3", run_display},
    {"undisplay", "", "undisplay [NUMBER]", "Ends that; without a number, all of it.",
     "undisplay 1", run_undisplay},
    {"list", "l", "list [LOCATION]", "Source text around a location; again: the lines after.",
     "list loop", run_list},
    {"disassemble", "dis", "disassemble [LOCATION [N]]", "N bundles with their source lines.",
     "disassemble loop 5", run_disassemble},
    {"history", "h", "history [N]", "The last N bundles with everything they wrote.", "history 3",
     run_history},
    {"info", "i", "info [TOPIC]", "Tables; without a topic, which there are.", "info copies",
     run_info},
    {"where", "bt", "where", "Where the program is, and who called.", "where", run_where},
    {"assert", "", "assert EXPRESSION",
     "For scripts: ends them with status 1 unless the expression is true.", "assert y[0] == 1.5",
     run_assert},
    {"echo", "", "echo [TEXT]", "Prints the text.", "echo now the second tile", run_echo},
    {"help", "?", "help [COMMAND]", "This table, or one command with an example.", "help watch",
     run_help},
    {"quit", "q", "quit", "Leaves the debugger.", "quit", run_quit},
}};

}  // namespace

std::span<const Command> commands() { return table; }

Reply run_help(Shell&, const Arguments& arguments) {
  std::string text;
  if (!arguments.rest.empty()) {
    const Command& command = find_command(arguments.rest);
    text =
        fmt::format("{}\n  {}\n  Example: {}\n", command.usage, command.meaning, command.example);
    if (!command.alias.empty()) text += fmt::format("  Short: {}\n", command.alias);
    return {text, {}, false, false};
  }
  for (const Command& command : commands()) {
    text += fmt::format("  {:<17}{:<5}{}\n", command.name, command.alias,
                        command.meaning.substr(0, command.meaning.find(';')));
  }
  return {text + "help COMMAND says more; docs/debugger.md all of it\n", {}, false, false};
}

Reply run_echo(Shell&, const Arguments& arguments) {
  return {arguments.rest + "\n", {}, false, false};
}

Reply run_quit(Shell&, const Arguments&) { return {"", {}, false, true}; }

}  // namespace tandem::debug
