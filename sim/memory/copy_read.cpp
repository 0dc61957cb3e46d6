#include "sim/memory/copy_read.hpp"

#include <bit>

#include "isa/descriptor.hpp"
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
  flag_here = flag;
  remote = is_remote(words_of);
  if (remote) {
    chip = get_field(words_of, descriptor_field::chip);
    amount = get_field(words_of, descriptor_field::amount_there);
    amount_here = get_field(words_of, descriptor_field::amount_here);
    if (amount_here != 0) flag_here = get_field(words_of, descriptor_field::flag_here);
  }
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
  const bool both_same = (from == CopySpace::hbm) == (to == CopySpace::hbm);
  goes_out = to == CopySpace::hbm && !both_same && !empty;
  alone = both_same && !empty;
}

void CopyRead::begin(const CopyTask& task) {
  task_ = task;
  active_ = true;
  from_hbm_ = task.from == CopySpace::hbm && !task.empty;
  run_.to_hbm = task.to == CopySpace::hbm || task.leaves;  // a link is like the write port
  run_.from_chip = task.from != CopySpace::hbm && !task.empty;
  run_.empty = task.empty;
  source_step_ = static_cast<std::uint64_t>(std::int64_t{task.source_strides[0]});
  destination_step_ = static_cast<std::uint64_t>(std::int64_t{task.destination_strides[0]});
  rows_begun_ = 0;
  is_first_run_ = true;
  index_.fill(0);
  source_.fill(task.source);
  destination_.fill(task.destination);
  std::int32_t strides = 0;
  for (const std::int32_t stride : task.source_strides) strides |= stride;
  for (const std::int32_t stride : task.destination_strides) strides |= stride;
  same_lanes_ = (static_cast<std::uint32_t>(strides) & ((1U << shape_.byte_shift) - 1)) == 0;
  begin_row();
}

// The first run of the innermost dimension.
void CopyRead::begin_row() {
  inner_left_ = task_.empty ? 1 : task_.counts[0];
  outer_done_ =
      task_.empty || (index_[1] + 1 == task_.counts[1] && index_[2] + 1 == task_.counts[2]);
  begin_run();
}

void CopyRead::find_lanes() {
  const std::uint32_t from_lane = shape_.lane(source_[0]);
  const std::uint32_t to_lane = shape_.lane(destination_[0]);
  const std::uint32_t from_beats = shape_.beats(task_.words, from_lane);
  beat_ = source_[0] >> shape_.byte_shift;
  run_.kept = from_hbm_ && !is_first_run_ && beat_ == held_beat_;
  const bool turns_back = to_lane < from_lane && from_beats != 1;
  run_.takes = from_hbm_ ? from_beats - (run_.kept ? 1 : 0) : 0;
  run_.wraps = turns_back && !run_.kept;
  run_.first_take = run_.kept && !turns_back ? 1 : 0;
  beat_ += run_.kept ? 1 : 0;
  run_.steps = task_.empty ? 1 : shape_.beats(task_.words, to_lane) + (run_.wraps ? 1 : 0);
}

void CopyRead::next_outer_run() {
  std::size_t dimension = 1;
  if (index_[1] + 1 == task_.counts[1]) index_[dimension++] = 0;
  ++index_[dimension];
  const auto step = [dimension](auto& places, std::int32_t stride) {
    places[dimension] += static_cast<std::uint64_t>(std::int64_t{stride});
    for (std::size_t i = 0; i < dimension; ++i) places[i] = places[dimension];
  };
  step(source_, task_.source_strides[dimension]);
  step(destination_, task_.destination_strides[dimension]);
  begin_row();
}

}  // namespace tandem
