// The waveform of the cycles before a mismatch, written when it was found: RTL of the same sources
// that writes waveforms repeats the last few thousand cycles, from a state of the other one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "cosim/lockstep/recent_states.hpp"
#include "runtime/models/machine.hpp"

namespace tandem {

// Makes the RTL that writes the waveform its options name. Throws runtime::Error or LaunchError
// when this build has none.
using WaveMachineFactory = std::unique_ptr<Machine> (*)(const Parameters& parameters,
                                                        const MachineOptions& options);

// The file and its writer.
struct MismatchWaveOptions {
  std::string path;  // "": none
  WaveMachineFactory make_machine = nullptr;
};

struct MismatchWave {
  CycleWindow window;       // of cycles that are in it
  std::uint64_t cycle = 0;  // of the mismatch
  std::string refusal;      // not "": why it is missing
};

// Cycles shown before a mismatch, and after the one in which it was seen.
inline constexpr std::uint64_t wave_cycles_before = 400;
inline constexpr std::uint64_t wave_cycles_behind = 50;

// `original` is where its run ended, the mismatch is in cycle `cycle`; `options` are those it was
// created with. At the end the registers of both machines must be the same: a waveform of a
// different execution is refused.
MismatchWave write_mismatch_wave(const MismatchWaveOptions& wave, MachineOptions options,
                                 const RecentStates& states, Machine& original,
                                 std::uint64_t cycle);

// A line of text for people, or "".
std::string mismatch_wave_text(const std::optional<MismatchWave>& wave);
nlohmann::json mismatch_wave_json(const MismatchWave& wave);

}  // namespace tandem
