#include "sim/copy_write.hpp"

namespace tandem {

CopyWrite::Cycle CopyWrite::tick(std::uint64_t cycle, const CopyMove::Put& put) {
  Cycle happened;
  const bool grant = !requests_.empty() && memory_.ready();
  const bool answer = memory_.responds(cycle);
  happened.sent = beats_ != 0 && memory_.data_ready();
  happened.quiet = !grant && !answer && !happened.sent && !put.beat;
  if (answer) {
    happened.answered = marks_.front();
    marks_.pop();
    --open_;
    memory_.respond();
  }
  if (happened.sent) {
    --beats_;
    memory_.take_data(cycle);
  }
  if (grant) {
    const Request& request = requests_.front();
    memory_.take(cycle, request.beat << shape_.byte_shift, request.beats, 0);
    requests_.pop();
  }
  if (put.beat) add_beat(put);
  return happened;
}

void CopyWrite::add_beat(const CopyMove::Put& put) {
  if (burst_left_ == 0) {
    burst_left_ = shape_.burst(put.to_beat, put.left);
    requests_.push({put.to_beat, burst_left_});
    ++open_;
  }
  if (--burst_left_ == 0) marks_.push(put.end);
  ++beats_;
}

}  // namespace tandem
