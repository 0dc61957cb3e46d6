// One direction through a chip (rtl/link/tpu_router.sv): packets from the previous chip, some of
// which are for this chip while others pass, and those that this chip sends.
//
// A packet that passes needs room for one at the next chip, a new one room for two, so that every
// ring of chips keeps a free place and something always moves. The two take turns.
#pragma once

#include <cstdint>

#include "isa/timing.hpp"
#include "sim/link/link_packet.hpp"
#include "sim/link/link_wire.hpp"
#include "sim/memory/link_send.hpp"
#include "sim/memory/ring.hpp"

namespace tandem {

class LinkRouter {
 public:
  using Wire = LinkWire<LinkBeat>;

  explicit LinkRouter(std::uint32_t chip) : chip_(chip) {}

  // ---- the oldest packet that has arrived, for the receiver -------------------------------------
  // It is for this chip, and all of it has arrived.
  [[nodiscard]] bool offers() const {
    return !heads_.empty() && heads_.front().chip == chip_ && beats_ >= heads_.front().beats;
  }
  [[nodiscard]] const LinkHeader& head() const { return heads_.front(); }
  void take_beat() { --beats_; }
  // It has left, and its buffer is free.
  void free_place() {
    heads_.pop();
    freed_ = true;
  }

  // ---- one cycle: first look(), with the state at its beginning, then advance() -----------------
  void look(std::uint64_t cycle, const LinkSend& send, const Wire& out) {
    sends_ = starts_ = false;
    if (busy_) {
      sends_ = (header_ || (own_ ? send.has_beat() : beats_ != 0)) && out.ready(cycle);
      return;
    }
    const bool passes = !heads_.empty() && heads_.front().chip != chip_ && credits_ >= 1;
    const bool sends = send.has_packet() && credits_ >= 2;
    starts_ = passes || sends;
    starts_own_ = sends && (passed_ || !passes);
  }
  void advance(std::uint64_t cycle, LinkSend& send, Wire& out, Wire& in) {
    if (freed_) in.give_credit(cycle);
    freed_ = false;
    if (starts_) start(send);
    if (sends_) put(cycle, send, out);
    if (out.take_credit(cycle)) ++credits_;
    if (in.arrives(cycle)) take(in.take_beat());
  }

  // Nothing here is active before something arrives.
  [[nodiscard]] bool idle() const { return heads_.empty() && !busy_ && !freed_; }

 private:
  void start(const LinkSend& send) {
    busy_ = header_ = true;
    own_ = starts_own_;
    passed_ = !own_;
    left_ = (own_ ? send.head() : heads_.front()).beats;
    --credits_;
  }
  void put(std::uint64_t cycle, LinkSend& send, Wire& out) {
    if (header_) {
      out.send(cycle, {true, own_ ? send.head() : heads_.front()});
      header_ = false;
    } else {
      out.send(cycle, {});
      own_ ? send.take_beat() : take_beat();
      --left_;
    }
    if (left_ != 0) return;
    busy_ = false;
    own_ ? send.end_packet() : free_place();
  }
  void take(const LinkBeat& beat) {
    if (beat.is_header) {
      heads_.push(beat.header);
    } else {
      ++beats_;
    }
  }

  std::uint32_t chip_;
  Ring<LinkHeader, timing::link_slots> heads_;
  std::uint32_t beats_ = 0;
  std::uint32_t credits_ = timing::link_slots;  // places free at the next chip
  bool busy_ = false;                           // a packet goes out
  bool own_ = false;                            // made by this chip
  bool header_ = false;                         // and of which nothing has gone
  std::uint32_t left_ = 0;                      // beats of it
  bool passed_ = false;                         // the last that began was a passing one
  bool freed_ = false;                          // a place, in the cycle before
  bool sends_ = false, starts_ = false, starts_own_ = false;  // in this cycle
};

}  // namespace tandem
