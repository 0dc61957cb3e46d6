// One compilation from bytes to bytes.
#pragma once

#include <functional>
#include <string>

#include "compiler/contract/choices.hpp"
#include "compiler/contract/levels.hpp"
#include "isa/parameters.hpp"

namespace tandem::compiler {

// The outputs of a compilation at the level where it stops.
enum class Print : std::uint8_t {
  level,         // the program at that level
  memory,        // at `buffers`: the addresses of buffers, as text
  memory_drawn,  // the same as SVG
  useful_work,   // at `stablehlo`: what the program takes at least, as JSON (stats/useful_work.hpp)
  costs,         // at `tpu`: what each region costs, as JSON (stats/costs_json.hpp)
  decisions,     // at `tpu`: what was decided, as JSON (tune/)
  identity,      // at `stablehlo`: the program without locations, as bytes to compare
  check,         // the report of check/levels_checker.hpp on all levels
  check_passes   // and of all passes
};

// The resource limits of a compilation's process.
struct Limits {
  std::uint64_t memory = std::uint64_t{8} << 30U;  // bytes of address space
  unsigned seconds = 900;                          // of processor time
};

struct Job {
  std::string name;           // of the input, for diagnostics
  std::string input;          // its bytes
  std::optional<Level> from;  // otherwise the format is detected
  Level emit = Level::elf;
  const Parameters* machine = nullptr;
  std::string timed_machine = {};  // the machine with a timing of its memory, for runs; "": its
                                   // default
  bool machine_asked = true;  // false: assembly text that names its machine is for that machine
  Print print = Print::level;
  // Decisions taken elsewhere; an unfit one is an error.
  std::optional<Choices> choices = {};
  std::uint64_t room = compiled_reach;          // bytes of HBM for arguments and results
  bool links = false;                           // between the machines that run it
  bool start_copies = true;                     // the machine's host queues them
  std::uint64_t log_bytes = default_log_bytes;  // of HBM for messages to the host
  bool regions = false;  // the line table names regions, not JAX's operations
  double turns = 1;      // iterations that costs assume for loops whose number is not known
  Limits limits = {};

  // The name of the machine where the timing of its memory matters.
  [[nodiscard]] std::string machine_name() const {
    return timed_machine.empty() ? std::string(machine->name) : timed_machine;
  }
};

struct Outcome {
  std::string output;    // meaningful when there are no errors
  std::string messages;  // for people: errors, remarks
  bool ok = false;
  std::string taken = {};  // the outcomes of its decisions (contract/thresholds.hpp), as JSON
};

// In this process. `on_read`: called once the input has been parsed.
Outcome compile_here(const Job& job, const std::function<void()>& on_read = {});

}  // namespace tandem::compiler
