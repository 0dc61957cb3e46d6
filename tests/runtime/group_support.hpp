// Programs of groups of nano chips, and the devices that run them.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "runtime/group/group.hpp"
#include "tests/runtime/support.hpp"

namespace tandem::test {

inline constexpr std::uint32_t group_chips = 4;

runtime::DeviceOptions nano_chip(runtime::Model model);

// s1 chip, s3 the chip to the right, s4 the chip to the left; `remote` fills the descriptor d for a
// copy of a row of VMEM to the chip in a register, `empty` for a copy of nothing.
std::string group_prologue();
// Sends `steps` rows round, through so many buffers; flag 1 data, 2 sent, 3 credit.
std::string row_ring(int steps, int buffers, bool credit);
// Each chip signals the one to its right and waits for two; chip 2 halts instead: a deadlock.
std::string lost_signal();
// All wait for data that is never sent; chip 2 traps in the bundle of its wait.
std::string trap_beside_wait();
// Messages between chips, by chance, with a wait left out here and there: right programs and races.
std::string random_messages(std::mt19937& random);

struct Chips {
  explicit Chips(const std::string& text, runtime::Model model = runtime::Model::golden)
      : Chips(text, nano_chip(model)) {}
  Chips(const std::string& text, const runtime::DeviceOptions& options,
        std::uint32_t chips = group_chips);
  [[nodiscard]] std::vector<runtime::Device*> pointers() const;
  runtime::GroupResult launch(const runtime::LaunchOptions& options = {});

  std::vector<std::unique_ptr<runtime::Device>> devices;
  std::vector<runtime::ProgramHandle> programs;
};

}  // namespace tandem::test
