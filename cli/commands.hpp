// The subcommands. Each adds itself to the application and, when called, leaves its exit status
// in *status; UserError and what CLI11 throws are handled by run_application.
#pragma once

#include <CLI/CLI.hpp>

namespace tandem {

void add_asm_command(CLI::App& application, int* status);
void add_dis_command(CLI::App& application, int* status);
void add_compile_command(CLI::App& application, int* status);
void add_run_command(CLI::App& application, int* status);
void add_lockstep_command(CLI::App& application, int* status);
void add_random_command(CLI::App& application, int* status);
void add_shrink_command(CLI::App& application, int* status);
void add_regress_command(CLI::App& application, int* status);
void add_coverage_command(CLI::App& application, int* status);
void add_report_command(CLI::App& application, int* status);
void add_debug_command(CLI::App& application, int* status);
void add_llama_command(CLI::App& application, int* status);
void add_npy_command(CLI::App& application, int* status);
void add_diff_command(CLI::App& application, int* status);

// The whole of `tandem`: parses, runs, prints errors; returns the exit status.
int run_application(int argc, const char* const* argv);

}  // namespace tandem
