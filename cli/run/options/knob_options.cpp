#include "cli/run/options/knob_options.hpp"

#include <fmt/format.h>

#include "cli/files/files.hpp"
#include "cli/options/command.hpp"
#include "cli/run/options/weights_file.hpp"
#include "cosim/random/weights.hpp"

namespace tandem {
namespace {

constexpr std::uint64_t largest_knob_file = 1U << 20U;

}  // namespace

void add_knob_options(Command command, KnobOptions& options) {
  command
      .add_option("--knob", options.assignments,
                  "NAME=VALUE or NAME=LOW..HIGH: of the random programs; may be repeated "
                  "(tandem random --list-knobs)")
      .allow_extra_args(false)
      .group("Random programs");
  command
      .add_option("--knobs", options.files,
                  "File with lines NAME = VALUE or NAME = \"LOW..HIGH\"; may be repeated")
      .allow_extra_args(false)
      .group("Random programs");
  command
      .add_option("--weights", options.weights,
                  "TOML file with weights of instructions; may be repeated")
      .allow_extra_args(false)
      .group("Random programs");
  command.add_option("--mix", options.mix, "One of the mixes in the files of --weights")
      .group("Random programs");
}

KnobChoices knob_choices(const KnobOptions& options) {
  KnobChoices choices;
  for (const std::string& file : options.files) {
    choose_knobs(choices, read_text(file, largest_knob_file), file);
  }
  add_weights(choices, options.weights, options.mix);
  for (const std::string& assignment : options.assignments) choose_knob(choices, assignment);
  return choices;
}

std::string knob_table_text() {
  std::string text;
  for (const KnobRow& row : random_knob_table()) {
    text += fmt::format("{:14} {:>3}..{:<8} {}\n", row.name, row.lowest, row.highest, row.meaning);
  }
  return text;
}

}  // namespace tandem
