// tandem random: a random program as a file, or as text.
#include <fmt/format.h>

#include <memory>
#include <string>

#include "assembler/disassemble.hpp"
#include "assembler/elf.hpp"
#include "cli/commands.hpp"
#include "cli/files/files.hpp"
#include "cli/messages/messages.hpp"
#include "cli/messages/user_error.hpp"
#include "cli/options/command.hpp"
#include "cli/options/machine.hpp"
#include "cli/run/options/knob_options.hpp"
#include "cli/run/program/program.hpp"
#include "cosim/random/program.hpp"
#include "cosim/random/weights.hpp"

namespace tandem {
namespace {

struct RandomCommandOptions {
  std::uint64_t seed = 1;
  std::string preset{default_preset};
  std::string output;
  bool text = false;
  bool list = false;
  bool show = false;
  KnobOptions knobs;
};

// The launch decides the address of the text; a file does not state it.
RandomKnobs knobs_of_file(std::uint64_t seed, const KnobChoices& choices) {
  if (choices.contains("text_place") || choices.contains("launches")) {
    throw UserError{message::knobs_of_launches};
  }
  RandomKnobs knobs = random_knobs(seed, choices);
  knobs.text_place = 0;
  return knobs;
}

void print_knobs(const RandomKnobs& knobs) {
  for (const KnobRow& row : random_knob_table()) {
    fmt::print(stderr, "{} = {}\n", row.name, knobs.*row.place);
  }
  for (const auto& [name, weight] : knobs.weights) {
    fmt::print(stderr, "{}{} = {}\n", weight_prefix, name, weight);
  }
}

void write_program(const RandomCommandOptions& options) {
  const RandomKnobs knobs = knobs_of_file(options.seed, knob_choices(options.knobs));
  if (options.output.empty() && !options.text) {
    throw UserError{message::random_needs_file};
  }
  const std::string path = options.output.empty() ? "-" : options.output;
  options.text ? claim_output(path) : claim_program(path);
  const Object program = random_object(preset_named(options.preset), options.seed, knobs);
  if (options.show) print_knobs(knobs);
  if (!options.text) return write_bytes(path, write_elf(program));
  const std::string text = disassemble(program, Language::assembly);
  write_text(path, text);
}

void run_random(const RandomCommandOptions& options) {
  if (!options.list) return write_program(options);
  fmt::print("{}", knob_table_text());
}

}  // namespace

void add_random_command(Command application, int* status) {
  auto options = std::make_shared<RandomCommandOptions>();
  const Command command =
      application.add_subcommand("random", "Write a random program, legal by construction");
  command.footer(
      "Examples:\n"
      "  tandem random --seed 7 --preset nano -o random.elf\n"
      "  tandem random --seed 7 --knob density=90 --knob bundles=20 --text | less\n"
      "  tandem random --seed 7 --weights weights.toml --mix matrix -o random.elf\n"
      "  tandem random --list-knobs\n"
      "tandem lockstep --random N runs such programs without files. A knob that is not set is\n"
      "drawn from the seed; the same seed and knobs give the same program on any host. It reads\n"
      "never-written data: run it with --no-uninitialised-check (and --hbm 8G for hbm_place 2, "
      "3).");
  command.add_option("--seed", options->seed, "Seed of the program").capture_default_str();
  add_machine_option(command, options->preset).capture_default_str();
  command.add_option("-o,--output", options->output, "File to write; - is standard output");
  command.add_flag("--text", options->text, "Assembly text instead of ELF");
  command.add_flag("--show-knobs", options->show, "Print the knobs on standard error");
  command.add_flag("--list-knobs", options->list, "Only list the knobs");
  add_knob_options(command, options->knobs);
  command.callback([options, status] {
    run_random(*options);
    *status = exit_done;
  });
}

}  // namespace tandem
