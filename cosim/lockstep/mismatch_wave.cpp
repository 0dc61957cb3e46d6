#include "cosim/lockstep/mismatch_wave.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "cosim/verilated/verilated_members.hpp"
#include "isa/archive/archive.hpp"
#include "isa/launch/launch.hpp"
#include "runtime/error.hpp"

namespace tandem {
namespace {

std::vector<std::uint8_t> registers_of(Machine& machine) {
  std::vector<std::uint8_t> bytes;
  ArchiveWriter archive(bytes);
  machine.save_registers(archive);
  return bytes;
}

// The first register that differs from the original run, or "".
std::string replay(Machine& machine, const RecentStates::Entry& from, Machine& original) {
  machine.power_up(from.hbm.size(), 0);
  machine.host_memory() = from.hbm;
  ArchiveReader archive(from.state);
  machine.restore_from(archive);
  while (machine.cycles() < original.cycles()) machine.cycle(nullptr);
  const std::vector<std::uint8_t> got = registers_of(machine);
  const std::vector<std::uint8_t> expected = registers_of(original);
  return first_difference(ArchiveReader(expected), ArchiveReader(got));
}

}  // namespace

MismatchWave write_mismatch_wave(const MismatchWaveOptions& wave, MachineOptions options,
                                 const RecentStates& states, Machine& original,
                                 std::uint64_t cycle) {
  MismatchWave result;
  result.cycle = cycle;
  const std::uint64_t first = cycle - std::min(cycle, wave_cycles_before);
  const RecentStates::Entry& from = states.before(first);
  result.window = {std::max(first, from.cycle),
                   std::min(cycle + wave_cycles_behind, original.cycles())};
  options.wave = {wave.path, result.window};
  try {
    const std::unique_ptr<Machine> machine = wave.make_machine(original.parameters(), options);
    const std::string differs = replay(*machine, from, original);
    if (!differs.empty()) {
      result.refusal = fmt::format(
          "the RTL that writes waveforms went another way: {} differs in the end", differs);
    }
  } catch (const SnapshotError& error) {
    result.refusal = error.what();
  } catch (const runtime::Error& error) {
    result.refusal = error.message;
  } catch (const LaunchError& error) {
    result.refusal = error.message;
  }
  return result;
}

std::string mismatch_wave_text(const std::optional<MismatchWave>& wave) {
  if (!wave) return {};
  if (!wave->refusal.empty()) return fmt::format("no waveform: {}\n", wave->refusal);
  return fmt::format("waveform of cycles {} to {}\n", wave->window.first, wave->window.end - 1);
}

nlohmann::json mismatch_wave_json(const MismatchWave& wave) {
  if (!wave.refusal.empty()) return {{"refusal", wave.refusal}};
  return {{"first_cycle", wave.window.first},
          {"end_cycle", wave.window.end},
          {"mismatch_cycle", wave.cycle}};
}

}  // namespace tandem
