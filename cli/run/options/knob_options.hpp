// Knobs of random programs on the command line.
#pragma once

#include <string>
#include <vector>

#include "cosim/random/knobs.hpp"

namespace tandem {

class Command;

struct KnobOptions {
  std::vector<std::string> files;
  std::vector<std::string> weights;  // files, see weights_file.hpp
  std::string mix;
  std::vector<std::string> assignments;
};

void add_knob_options(Command command, KnobOptions& options);
// Files of knobs in order, those of weights, then the command line. Throws UserError and
// runtime::Error.
KnobChoices knob_choices(const KnobOptions& options);
// All knobs with their ranges, for people.
std::string knob_table_text();

}  // namespace tandem
