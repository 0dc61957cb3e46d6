// Knobs of random programs on the command line.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cosim/random/knobs.hpp"

namespace tandem {

struct KnobOptions {
  std::vector<std::string> files;
  std::vector<std::string> assignments;
};

void add_knob_options(CLI::App& command, KnobOptions& options);
// Files in their order, then what the command line says. Throws UserError and runtime::Error.
KnobChoices knob_choices(const KnobOptions& options);
// All knobs with their ranges, for people.
std::string knob_table_text();

}  // namespace tandem
