// Packets of one direction that the chip creates itself (rtl/link/tpu_link_send.sv): cuts the beats
// that a mover puts into bursts, a header for each, and keeps them for the router.
#pragma once

#include <cstdint>

#include "isa/timing.hpp"
#include "sim/link/link_packet.hpp"
#include "sim/memory/copy_move.hpp"
#include "sim/memory/copy_read.hpp"
#include "sim/memory/ring.hpp"

namespace tandem {

class LinkSend {
 public:
  explicit LinkSend(BeatShape shape) : shape_(shape) {}

  // The mover may pick one more step.
  [[nodiscard]] bool has_room() const {
    return beats_ + 2 <= timing::link_send_beats && heads_.size() + 2 <= timing::link_send_packets;
  }
  [[nodiscard]] bool has_packet() const { return !heads_.empty(); }
  [[nodiscard]] const LinkHeader& head() const { return heads_.front(); }
  [[nodiscard]] bool has_beat() const { return beats_ != 0; }
  void take_beat() { --beats_; }
  void end_packet() { heads_.pop(); }

  // The beat that the mover puts in this cycle; `of` holds the destination of the copy.
  void put(const CopyMove::Put& put, const LinkHeader& of) {
    if (put.end && put.empty) add(of, 0, 0, true);
    if (!put.beat) return;
    if (burst_left_ == 0) {
      burst_left_ = shape_.burst(put.to_beat, put.left);
      add(of, put.to_beat, burst_left_, put.final && burst_left_ == put.left);
    }
    --burst_left_;
    ++beats_;
  }

 private:
  void add(const LinkHeader& of, std::uint64_t to_beat, std::uint32_t beats, bool last) {
    LinkHeader& head = heads_.push();
    head = of;
    head.to_beat = to_beat;
    head.beats = static_cast<std::uint8_t>(beats);
    head.last = last;
  }

  BeatShape shape_;
  Ring<LinkHeader, timing::link_send_packets> heads_;
  std::uint32_t beats_ = 0;
  std::uint32_t burst_left_ = 0;  // remaining beats of the packet being cut
};

}  // namespace tandem
