#include "sim/copy_read.hpp"

#include <bit>

#include "isa/parameters.hpp"

namespace tandem {
namespace {

constexpr std::uint32_t length_word = 6;
constexpr std::uint32_t first_dimension_word = 7;

}  // namespace

BeatShape::BeatShape(std::uint32_t lane_count)
    : lanes(lane_count),
      word_shift(static_cast<std::uint32_t>(std::countr_zero(lanes))),
      byte_shift(word_shift + 2),
      page_beats(static_cast<std::uint32_t>(burst_limit_bytes >> byte_shift)) {}

CopyTask::CopyTask(std::uint64_t sequence, const CopyIssue& copy)
    : sequence(sequence), source(copy.source), destination(copy.destination) {
  const auto& words_of = copy.descriptor;
  flag = words_of[0] >> 16U & 0xffU;
  amount = words_of[1];
  from = static_cast<CopySpace>(words_of[0] >> 8U & 3U);
  to = static_cast<CopySpace>(words_of[0] >> 10U & 3U);
  words = words_of[length_word] / 4;
  empty = words == 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const std::size_t first = first_dimension_word + 3 * i;
    counts[i] = words_of[first];
    source_strides[i] = static_cast<std::int32_t>(words_of[first + 1]);
    destination_strides[i] = static_cast<std::int32_t>(words_of[first + 2]);
    empty = empty || counts[i] == 0;
  }
}

void CopyRead::begin(const CopyTask& task) {
  task_ = task;
  active_ = true;
  from_hbm_ = task.from == CopySpace::hbm && !task.empty;
  index_.fill(0);
  source_.fill(task.source);
  destination_.fill(task.destination);
  begin_run();
}

void CopyRead::begin_run() {
  first_ = true;
  last_run_ = task_.empty;
  if (!last_run_) {
    last_run_ = index_[0] + 1 == task_.counts[0] && index_[1] + 1 == task_.counts[1] &&
                index_[2] + 1 == task_.counts[2];
  }
  if (!from_hbm_) return;
  beat_ = source_[0] >> shape_.byte_shift;
  left_ = shape_.beats(task_.words, shape_.lane(source_[0]));
  burst_ = shape_.burst(beat_, left_);
}

void CopyRead::next_run() {
  std::size_t dimension = 0;
  while (index_[dimension] + 1 == task_.counts[dimension]) index_[dimension++] = 0;
  ++index_[dimension];
  const auto step = [dimension](auto& places, std::int32_t stride) {
    places[dimension] += static_cast<std::uint64_t>(std::int64_t{stride});
    for (std::size_t i = 0; i < dimension; ++i) places[i] = places[dimension];
  };
  step(source_, task_.source_strides[dimension]);
  step(destination_, task_.destination_strides[dimension]);
  begin_run();
}

}  // namespace tandem
