// Directed programs in lockstep under other timings of memory; each at the usual one is a test of
// its own (programs_test.cpp).
#include <fmt/format.h>

#include <array>
#include <catch2/catch.hpp>

#include "cosim/verilated/rtl_machine.hpp"
#include "runtime/models/machine.hpp"
#include "tests/programs/lockstep.hpp"

namespace tandem::directed {
namespace {

void check_all(const MachineOptions& machine, const std::vector<std::string>& paths) {
  if (rtl_presets().empty()) WARN("SKIPPED: this build has no RTL (TANDEM_PRESETS is empty)");
  for (const std::string_view name : rtl_presets()) {
    for (const std::string& path : paths) {
      std::string text;
      try {
        text = disagreement_in_lockstep(path, *find_preset(name), machine);
      } catch (const std::exception& error) {
        text = error.what();
      }
      INFO(path << " on " << name << "\n" << text);
      CHECK(text.empty());
    }
  }
}

constexpr std::uint32_t seeds = 8;

TEST_CASE("directed programs with copies agree under eight seeds of memory jitter") {
  std::vector<std::string> paths = program_paths("dma");
  const std::vector<std::string> races = program_paths("races");
  paths.insert(paths.end(), races.begin(), races.end());
  for (std::uint32_t seed = 1; seed <= seeds; ++seed) check_all(jittery_memory(seed), paths);
}

TEST_CASE("directed programs with copies agree on memories that hold them back") {
  for (const MachineOptions& machine : slow_memories()) check_all(machine, program_paths("dma"));
}

TEST_CASE("directed programs of the matrix unit agree on a fast memory") {
  check_all(fast_memory(), program_paths("matrix"));
}

TEST_CASE("each directed program agrees under one seed of memory jitter") {
  std::array<std::vector<std::string>, seeds> slices;
  std::size_t number = 0;
  for (const std::string& path : program_paths()) slices[number++ % seeds].push_back(path);
  for (std::uint32_t seed = 1; seed <= seeds; ++seed)
    check_all(jittery_memory(seed), slices[seed - 1]);
}

TEST_CASE("all directed programs agree under eight seeds of memory jitter", "[.nightly]") {
  for (std::uint32_t seed = 1; seed <= seeds; ++seed)
    check_all(jittery_memory(seed), program_paths());
}

}  // namespace
}  // namespace tandem::directed
