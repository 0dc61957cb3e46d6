#include "sim/copy_move.hpp"

namespace tandem {

void CopyMove::step() {
  const CopyRun& run = runs_.front();
  const std::uint32_t wraps = run.wraps ? 1 : 0;
  if (uses_beat()) --beats_;
  const bool last_step = step_ + 1 == run.steps;
  const bool makes = !run.empty && step_ >= wraps;
  const std::uint32_t to_index = step_ - wraps;
  put_ = {true,
          makes && run.to_hbm,
          last_step && run.last,
          run.to_hbm && !run.empty,
          run.to_beats - to_index,
          run.to_beat + to_index};
  if (last_step) {
    step_ = 0;
    runs_.pop();
  } else {
    ++step_;
  }
}

}  // namespace tandem
