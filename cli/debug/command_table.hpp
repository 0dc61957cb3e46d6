// The functions behind the command table, in files by kind.
#pragma once

#include <string>
#include <vector>

#include "cli/debug/shell.hpp"

namespace tandem::debug {

using CommandFunction = Reply(Shell&, const Arguments&);

// commands_move.cpp
CommandFunction run_stepi, run_reverse_stepi, run_step, run_reverse_step, run_next,
    run_reverse_next, run_finish, run_continue, run_reverse_continue, run_until, run_reverse_until,
    run_goto;
// commands_stop.cpp
CommandFunction run_break, run_tbreak, run_watch, run_delete, run_enable, run_disable;
// commands_print.cpp
CommandFunction run_print, run_display, run_undisplay, run_list, run_disassemble, run_history,
    run_assert;
// commands_info.cpp
CommandFunction run_info, run_where;
// command_table.cpp
CommandFunction run_help, run_echo, run_quit;

// One or more lines about a breakpoint, for `info breakpoints`.
std::string breakpoint_text(const Session& session, const Breakpoint& breakpoint);
// The subjects of `info`.
std::vector<std::string> info_topics();

}  // namespace tandem::debug
