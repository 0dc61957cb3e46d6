// One compilation from bytes to bytes.
#pragma once

#include <functional>
#include <string>

#include "compiler/contract/choices.hpp"
#include "compiler/contract/levels.hpp"
#include "isa/parameters.hpp"

namespace tandem::compiler {

// What a compilation hands out at the level where it stops.
enum class Print : std::uint8_t {
  level,         // the program as it is there
  memory,        // at `buffers`: who lies where, as text
  memory_drawn,  // the same as SVG
  useful_work,   // at `stablehlo`: what the program takes at least, as JSON (stats/useful_work.hpp)
  costs,         // at `tpu`: what each region costs, as JSON (stats/costs_json.hpp)
  decisions,     // at `tpu`: what was decided, as JSON (tune/)
  identity,      // at `stablehlo`: the program without locations, as bytes to compare
  check,         // what check/levels_checker.hpp says of all levels
  check_passes   // and of all passes
};

// What the process of a compilation may take.
struct Limits {
  std::uint64_t memory = std::uint64_t{8} << 30U;  // bytes of address space
  unsigned seconds = 900;                          // of processor time
};

struct Job {
  std::string name;           // of the input, for diagnostics
  std::string input;          // its bytes
  std::optional<Level> from;  // otherwise as the input says
  Level emit = Level::elf;
  const Parameters* machine = nullptr;
  std::string timed_machine = {};  // the machine with a timing of its memory, for runs; "": its own
  bool machine_asked = true;  // false: a text of assembly that names its machine is for that one
  Print print = Print::level;
  // Decisions that somebody else took; an unfit one is an error.
  std::optional<Choices> choices = {};
  std::uint64_t room = compiled_reach;          // bytes of HBM for arguments and results
  bool links = false;                           // between the machines that run it
  std::uint64_t log_bytes = default_log_bytes;  // of HBM for what is told to the host
  bool regions = false;  // the line table names regions, not JAX's operations
  double turns = 1;      // that costs assume of loops whose number is not known
  Limits limits = {};

  // What the machine is called where the timing of its memory counts.
  [[nodiscard]] std::string machine_name() const {
    return timed_machine.empty() ? std::string(machine->name) : timed_machine;
  }
};

struct Outcome {
  std::string output;    // meaningful when there are no errors
  std::string messages;  // for people: errors, remarks
  bool ok = false;
  std::string taken = {};  // which ways it went where it decides (contract/thresholds.hpp), as JSON
};

// In this process. `on_read`: called once the input is a module.
Outcome compile_here(const Job& job, const std::function<void()>& on_read = {});

}  // namespace tandem::compiler
