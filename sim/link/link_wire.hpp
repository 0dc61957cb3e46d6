// A link from one chip to the next: one definition for every model that knows time (the RTL in
// cosim, the cycle-exact model). It takes a beat every `rate` cycles; a beat taken in cycle t comes
// out in t + latency. So does a credit in the other direction, by which the receiver reports that
// it has room for another packet.
//
// One end sees nothing of the other before `latency` cycles have passed, so each of two chips may
// run alone for that long, one after the other.
#pragma once

#include <cstdint>
#include <deque>
#include <utility>

namespace tandem {

template <typename Beat>
class LinkWire {
 public:
  static constexpr std::uint64_t never = ~std::uint64_t{0};

  LinkWire(std::uint32_t latency, std::uint32_t rate) : latency_(latency), rate_(rate) {}

  // ---- the sender's end -------------------------------------------------------------------------
  [[nodiscard]] bool ready(std::uint64_t cycle) const { return cycle >= free_from_; }
  void send(std::uint64_t cycle, Beat beat) {
    free_from_ = cycle + rate_;
    beats_.emplace_back(cycle + latency_, std::move(beat));
  }
  [[nodiscard]] std::uint64_t next_credit() const {
    return credits_.empty() ? never : credits_.front();
  }
  // Whether a credit arrives in this cycle; takes it.
  bool take_credit(std::uint64_t cycle) {
    if (next_credit() > cycle) return false;
    credits_.pop_front();
    return true;
  }

  // ---- the receiver's end -----------------------------------------------------------------------
  [[nodiscard]] std::uint64_t next_beat() const {
    return beats_.empty() ? never : beats_.front().first;
  }
  [[nodiscard]] bool arrives(std::uint64_t cycle) const { return next_beat() <= cycle; }
  Beat take_beat() {
    Beat beat = std::move(beats_.front().second);
    beats_.pop_front();
    return beat;
  }
  void give_credit(std::uint64_t cycle) { credits_.push_back(cycle + latency_); }

  // Nothing is in flight, not even a credit.
  [[nodiscard]] bool quiet() const { return beats_.empty() && credits_.empty(); }

 private:
  std::uint32_t latency_;
  std::uint32_t rate_;
  std::uint64_t free_from_ = 0;
  std::deque<std::pair<std::uint64_t, Beat>> beats_;  // by the cycle in which they arrive
  std::deque<std::uint64_t> credits_;
};

}  // namespace tandem
