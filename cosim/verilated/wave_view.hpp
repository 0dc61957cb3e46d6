// The signals of a waveform worth looking at first, as a saved view for GTKWave.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tandem {

// Time in a waveform: a cycle has this many ticks of 1 ps, GTKWave's own unit.
inline constexpr std::uint64_t wave_ticks = 1000;

struct WaveSignal {
  std::string name;  // with its range of bits: "TOP.tpu_core.ret_issue_pc_o[31:0]"
  enum class Format { binary, hex, decimal } format = Format::binary;
};

struct WaveGroup {
  std::string title;
  std::vector<WaveSignal> signals;
};

// Ports and signals of tpu_core that show the machine's activity, top down.
std::vector<WaveGroup> wave_groups();

// The view for a waveform: x.gtkw next to x.fst. It shows the time from one cycle on, with
// GTKWave's marker at another.
std::string wave_view_path(const std::string& wave_path);
std::string wave_view(const std::string& wave_path, std::uint64_t first_cycle,
                      std::uint64_t marked_cycle);

}  // namespace tandem
