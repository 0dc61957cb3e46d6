// The subcommands. Each adds itself to the application and, when called, leaves its exit status
// in *status; UserError is handled by run_application.
#pragma once

#include <vector>

namespace tandem {

class Command;

void add_asm_command(Command application, int* status);
void add_dis_command(Command application, int* status);
void add_compile_command(Command application, int* status);
void add_run_command(Command application, int* status);
void add_lockstep_command(Command application, int* status);
void add_check_command(Command application, int* status);
void add_random_command(Command application, int* status);
void add_shrink_command(Command application, int* status);
void add_regress_command(Command application, int* status);
void add_sweep_command(Command application, int* status);
void add_coverage_command(Command application, int* status);
void add_report_command(Command application, int* status);
void add_explain_command(Command application, int* status);
void add_explore_command(Command application, int* status);
void add_debug_command(Command application, int* status);
void add_llama_command(Command application, int* status);
void add_npy_command(Command application, int* status);
void add_diff_command(Command application, int* status);
void add_machine_command(Command application, int* status);
void add_completion_command(Command application, int* status);
void add_man_command(Command application, int* status);
void add_help_command(Command application, int* status);

// Turns `tandem help run` into `tandem run --help`; other arguments as they are. Views of `argv`.
std::vector<const char*> help_as_option(int argc, const char* const* argv);

// The whole of `tandem`: parses, runs, prints errors; returns the exit status.
int run_application(int argc, const char* const* argv);

}  // namespace tandem
