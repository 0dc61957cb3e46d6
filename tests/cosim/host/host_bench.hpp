// A host with a machine and its memory, for scenarios: the RTL of nano alone, or beside the cycle
// model with the same host.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "cosim/verilated/rtl_core.hpp"
#include "isa/launch/launch.hpp"
#include "isa/registers/registers.hpp"
#include "isa/state/memory.hpp"
#include "isa/state/trap.hpp"

namespace tandem::host {

inline constexpr std::uint32_t start = 1;
inline constexpr std::uint32_t stop = 2;
inline constexpr std::uint32_t running = 1;
inline constexpr std::uint32_t halted = 2;
inline constexpr std::uint32_t trapped = 4;
inline constexpr std::uint32_t machine_check = 8;
inline constexpr std::uint32_t start_error = 16;
inline constexpr auto machine_check_cause = static_cast<std::uint32_t>(TrapCause::machine_check);
inline constexpr std::uint64_t patience = 100'000;  // cycles; none of the programs takes as many
inline constexpr std::uint64_t hbm_bytes = std::uint64_t{1} << 33U;
// The largest that the registers can hold.
inline constexpr std::uint64_t all_of_hbm = ~std::uint64_t{4095};
inline constexpr std::uint64_t told_at = 0x800000;
inline constexpr std::uint64_t far_data = (std::uint64_t{1} << 32U) - 4096;
inline constexpr std::uint64_t far_arguments = far_data + 8192;  // zeros
inline constexpr std::uint64_t slice =
    500;  // cycles: the cycle model notices a bus error between them

// A text with the macros `put` (a word into SMEM) and `describe` (words 0..15 of SMEM become a
// descriptor of flag 0; HBM is at `high`:`low`), built for nano.
struct Assembled {
  explicit Assembled(const std::string& text);
  Assembled(const Assembled&) = delete;
  Assembled& operator=(const Assembled&) = delete;

  Image image;
  Launch launch;
};

// Refuses what touches [refused_from, refused_to).
class HostMemory final : public MemoryPort {
 public:
  bool read(std::uint64_t address, std::uint8_t* bytes, std::size_t count) override;
  bool write(std::uint64_t address, const std::uint8_t* bytes, std::size_t count) override;

  SparseMemory contents{all_of_hbm};
  std::uint64_t refused_from = 0;
  std::uint64_t refused_to = 0;

 private:
  [[nodiscard]] bool refuses(std::uint64_t address, std::size_t count) const {
    return address < refused_to && address + count > refused_from;
  }
};

// The fault that a scenario finds.
struct Difference : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Throws Difference unless they are equal.
void expect(std::uint64_t got, std::uint64_t expected, const std::string& what);

// A core with a memory of its own.
struct Host {
  // `seed` determines the RTL's state before its reset, and the length of the reset.
  explicit Host(TpuCoreFactory make, const MemoryTimingParameters& timing = {},
                std::uint32_t seed = 1);

  void write(std::string_view name, std::uint32_t value) const {
    core->write_register(find_register(name)->number, value);
  }
  [[nodiscard]] std::uint32_t read(std::string_view name) const {
    return core->read_register(find_register(name)->number);
  }
  void load(const Assembled& program, std::uint32_t argument_words = 0);
  // Cycles that passed: fewer when it ends.
  std::uint64_t advance(std::uint64_t cycles) const;
  std::uint64_t run_to_end() const;

  HostMemory memory;
  std::unique_ptr<TpuCore> core;
};

// The RTL and the cycle model with the same host.
struct Pair {
  explicit Pair(const MemoryTimingParameters& timing = {}, std::uint32_t seed = 1)
      : rtl(make_rtl_core, timing, seed), cycle(make_cycle_core, timing, seed) {}

  void load(const Assembled& program, std::uint32_t argument_words = 0) {
    rtl.load(program, argument_words);
    cycle.load(program, argument_words);
  }
  void write(std::string_view name, std::uint32_t value) const {
    rtl.write(name, value);
    cycle.write(name, value);
  }
  // Every register, and the interrupt.
  void compare(const std::string& when, bool counters = true) const;
  void advance(std::uint64_t cycles) const {
    expect(rtl.advance(cycles), cycle.advance(cycles), "cycles that passed");
  }
  void run_to_end() const { expect(rtl.run_to_end(), cycle.run_to_end(), "cycles to the end"); }
  // Compares every `stride` cycles.
  void step_to_end(std::uint32_t stride) const;
  void compare_memory() const;

  Host rtl;
  Host cycle;
};

// For a run without a trap it also expects that no trap is reported.
void expect_status(const Host& host, std::uint32_t status, const std::string& when);

}  // namespace tandem::host
