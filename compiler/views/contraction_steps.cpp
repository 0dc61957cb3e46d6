#include "compiler/views/contraction_steps.hpp"

#include "compiler/contract/attributes.hpp"
#include "compiler/views/products.hpp"

namespace tandem::compiler {

// Where there are many chunks, several in an iteration of the loop: as many as keep the unit busy
// for longer than the loop overhead, and not so many that the loop cannot be a pipeline.
ContractionSteps contraction_steps(mlir::linalg::LinalgOp op, const Parameters& machine) {
  constexpr std::int64_t few = 16;  // multiplies and their splits
  constexpr std::int64_t several = 4;
  constexpr std::int64_t many = 8;
  constexpr std::int64_t enough = 8;  // multiplies
  const auto ranges = op.getStaticLoopRanges();
  const std::int64_t halves = ranges[2];
  const std::int64_t chunks = ranges[3];
  const auto passes = static_cast<std::int64_t>(passes_of(op).size());
  ContractionSteps steps;
  steps.groups = (ranges[0] + sublanes - 1) / sublanes;
  steps.tiles = (ranges[1] + machine.lanes - 1) / machine.lanes;
  // A contraction that waits for its operands part by part has few loops. Text comes in beats of L
  // words, so more of it costs little on wide machines.
  const std::int64_t written = steps.groups * halves * chunks * passes * passes;
  const bool arrives = attribute::arrives.is_on(op);
  steps.written_out =
      written <= few || (arrives && written * steps.tiles <= std::int64_t{machine.lanes} / 2);
  const std::int64_t multiplies = halves * steps.groups;
  if (!steps.written_out && chunks >= many && multiplies < enough && passes == 1) {
    steps.turn = std::min(several, enough / multiplies);
  }
  const std::int64_t rest = chunks - 1;  // without the last one
  steps.head = rest == 0 ? 0 : (rest - 1) % steps.turn + 1;
  steps.turns = (rest - steps.head) / steps.turn;
  return steps;
}

}  // namespace tandem::compiler
