#include "sim/trace/trace_use.hpp"

#include <algorithm>

namespace tandem::trace {

void Use::busy_later(std::size_t counter, std::uint64_t first, std::uint64_t count) {
  while (count != 0) {
    const auto number = static_cast<std::size_t>((first - start_) / counter_interval);
    if (number > later_.size()) later_.resize(number);
    Interval& interval = number == 0 ? current_ : later_[number - 1];
    const std::uint64_t rest = counter_interval - (first - start_) % counter_interval;
    const std::uint64_t here = std::min(count, rest);
    interval.at(counter) += static_cast<std::uint8_t>(here);
    first += here;
    count -= here;
  }
}

void Use::give(Blocks& blocks, std::size_t counter, std::uint8_t value) {
  const auto encode = [&](std::string& out) {
    std::string event = event_bytes(EventType::counter, uuid_of(Track::use_mxu) + counter);
    protobuf::put_number(event, field::counter_value, value);
    sequence_.event(out, start_, event);
  };
  ++events_;
  const std::uint64_t since = start_ - sequence_.clock();
  if (since > counter_interval || value > counter_interval) return encode(blocks.packets());
  Piece& piece = packets_.at(counter).at(value).at(since / counter_interval);
  if (piece.packets.empty()) encode(piece.packets);
  sequence_.set_clock(start_);
  blocks.add(piece);
}

// Only changes since the previous interval.
void Use::give(Blocks& blocks) {
  for (std::size_t i = 0; i < counters; ++i) {
    if (given_[i] == current_[i]) continue;
    given_[i] = current_[i];
    give(blocks, i, current_[i]);
  }
  blocks.packets_added();
  start_ += counter_interval;
  current_ = {};
  if (later_.empty()) return;
  current_ = later_.front();
  later_.pop_front();
}

void Use::finish(Blocks& blocks, std::uint64_t cycles) {
  while (start_ < cycles) give(blocks);
}

}  // namespace tandem::trace
