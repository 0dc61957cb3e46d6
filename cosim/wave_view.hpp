// The signals of a waveform worth looking at first, as a saved view for GTKWave.
#pragma once

#include <string>
#include <vector>

namespace tandem {

struct WaveSignal {
  std::string name;  // with the bits that it has: "TOP.tpu_core.ret_issue_pc_o[31:0]"
  enum class Format { binary, hex, decimal } format = Format::binary;
};

struct WaveGroup {
  std::string title;
  std::vector<WaveSignal> signals;
};

// Ports and signals of tpu_core that say what the machine does, top down.
std::vector<WaveGroup> wave_groups();

// The view that goes with a waveform: x.fst has x.gtkw beside it.
std::string wave_view_path(const std::string& wave_path);
std::string wave_view(const std::string& wave_path);

}  // namespace tandem
