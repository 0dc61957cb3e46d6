// A machine by its name: a preset, or its sizes.
//
//   small                    a preset
//   lanes=32,vmem=2MiB       sizes; those not given are those of the default preset
//   edge,icache=4096         or of the preset that comes first
//   full,hbm_beat=2          with another timing of the memory
//
// Sizes and their limits are the rows of machine_sizes.def, timings those of machine_timing.def. A
// program is for a machine's sizes; timing belongs to a run.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isa/parameters.hpp"

namespace tandem {

// A row of the table.
struct MachineSize {
  enum class Unit : std::uint8_t { count, bytes };

  std::string_view name;
  std::uint32_t Parameters::*member;
  std::uint32_t least;
  std::uint32_t most;
  Unit unit;
  std::string_view meaning;
};
std::span<const MachineSize> machine_sizes();
std::string size_text(const MachineSize& size, std::uint32_t value);  // "2MiB", "32"

struct MachineTiming {
  std::string_view name;
  std::uint32_t least;
  std::uint32_t most;
  std::string_view meaning;
};
std::span<const MachineTiming> machine_timings();

struct TimingChoice {
  std::size_t row = 0;  // of machine_timings()
  std::uint32_t value = 0;
};

struct FoundMachine {
  const Parameters* machine = nullptr;  // lives as long as the program; nullptr: see complaint
  std::vector<TimingChoice> timing{};   // in the order of the rows
  std::string complaint{};              // a sentence without its full stop

  // The machine's name, and the timing that was chosen: "small,hbm_beat=2".
  [[nodiscard]] std::string name() const;
};

// The same pointer for the same sizes, however they are written; a preset's own row if the sizes
// are a preset's. Any thread may call it.
FoundMachine find_machine(std::string_view text);
// The same where timing does not apply, as for a program: timing is refused.
FoundMachine find_sizes(std::string_view text);

// The argument of `.target`: a preset's name unquoted, sizes in quotes.
std::string target_operand(std::string_view name);

// "nano, small, edge, full, or sizes as lanes=32,vmem=2MiB": for help and messages.
std::string machine_forms();

}  // namespace tandem
