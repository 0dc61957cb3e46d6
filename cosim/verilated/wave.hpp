// Waveforms of a Verilated machine whose class was made for it (TANDEM_WAVE_PRESETS). Cycle n
// begins at n ns with the rising edge; values that depend on the inputs of the cycle come half a ns
// later.
#pragma once

#include <verilated.h>
#include <verilated_fst_c.h>

#include <cstdint>
#include <memory>
#include <type_traits>

#include "cosim/verilated/wave_view.hpp"
#include "runtime/models/machine.hpp"

namespace tandem {

// The members that Verilator adds to a class that traces.
template <typename Top>
concept WritesWaves = requires(Top& top, VerilatedFstC* file) {
  top.trace(file, 0);
};

template <typename Top>
class Wave {
 public:
  // Throws LaunchError when the file cannot be written. If the class does not trace, nothing is
  // written.
  Wave(Top& top, const WaveOptions& options) : options_(options) {
    if constexpr (WritesWaves<Top>) {
      top.contextp()->traceEverOn(true);
      file_ = std::make_unique<VerilatedFstC>();
      file_->set_time_unit("1ns");
      file_->set_time_resolution("1ps");
      top.trace(file_.get(), all_levels);
      file_->open(options_.path.c_str());
      if (!file_->isOpen()) throw LaunchError{options_.path + ": cannot create"};
    }
  }

  // After the edge that begins the cycle, and after its inputs are set.
  void edge(std::uint64_t cycle) { dump(cycle, 0); }
  void middle(std::uint64_t cycle) { dump(cycle, wave_ticks / 2); }

 private:
  static constexpr int all_levels = 99;
  void dump(std::uint64_t cycle, std::uint64_t ticks) {
    if constexpr (WritesWaves<Top>) {
      if (options_.window.contains(cycle)) file_->dump(cycle * wave_ticks + ticks);
    }
  }

  // Without waves nothing of Verilator's writer is linked.
  struct Nothing {};
  using File = std::conditional_t<WritesWaves<Top>, VerilatedFstC, Nothing>;

  WaveOptions options_;
  std::unique_ptr<File> file_;
};

}  // namespace tandem
