// Packets for this chip (rtl/link/tpu_link_receive.sv): one beat a cycle to VMEM or to the write
// port, where it has priority over the movers; and the flags of arrived copies.
//
// A packet is taken once all of it has arrived, one from each direction in turn. One to HBM waits
// for the end of a burst that a mover has begun, and stalls the movers to HBM until it is done; one
// to VMEM stalls those to the chip while it is written.
#pragma once

#include <array>
#include <cstdint>

#include "isa/timing.hpp"
#include "sim/link/link_packet.hpp"
#include "sim/memory/copy_move.hpp"
#include "sim/memory/link_router.hpp"
#include "sim/memory/ring.hpp"

namespace tandem {

class LinkReceive {
 public:
  // ---- one cycle: first look(), with the state at its beginning ---------------------------------
  // `room`: the write port takes one more beat; `between`: the next one may begin a burst.
  void look(const LinkRouter& right, const LinkRouter& left, bool room, bool between) {
    adds_ = !done_.empty() && (!done_.front().hbm || answered_ != 0);
    starts_ = goes_ = owns_ = false;
    const std::array<const LinkRouter*, link_ways> routers{&right, &left};
    if (!busy_) return choose(routers);
    const LinkHeader& head = routers[way_]->head();
    const bool to_hbm = head.hbm && head.beats != 0;
    owns_ = to_hbm && (begun_ || between);
    goes_ = !to_hbm || (owns_ && room);
    takes_vmem_ = goes_ && !head.hbm && head.beats != 0;
  }
  [[nodiscard]] bool holds_chip() const { return goes_ && takes_vmem_; }
  [[nodiscard]] bool holds_hbm() const { return owns_; }
  // A beat for the write port in this cycle: put().beat.
  [[nodiscard]] const CopyMove::Put& put() const { return put_; }

  // ---- and its events, in this order ------------------------------------------------------------
  // A flag is added to: of added().
  bool add() {
    if (!adds_) return false;
    added_ = done_.front();
    done_.pop();
    if (added_.hbm) --answered_;
    return true;
  }
  [[nodiscard]] const LinkHeader& added() const { return added_; }
  // HBM has answered the last burst of a copy.
  void answer() { ++answered_; }
  void advance(LinkRouter& right, LinkRouter& left) {
    if (ends_) done_.push(ending_);
    ends_ = false;
    put_.beat = false;
    if (starts_) {
      busy_ = true;
      way_ = next_way_;
    }
    if (goes_) step(way_ == 0 ? right : left);
  }

  [[nodiscard]] bool idle() const { return !busy_ && done_.empty() && !ends_ && !put_.beat; }

 private:
  void choose(const std::array<const LinkRouter*, link_ways>& routers) {
    const bool room = done_.size() + 2 <= timing::link_arrivals;
    for (std::uint32_t i = 1; i <= link_ways && !starts_; ++i) {
      next_way_ = (way_ + i) % link_ways;
      const LinkRouter& router = *routers[next_way_];
      starts_ = router.offers() && (room || !router.head().last);
    }
  }
  void step(LinkRouter& router) {
    const LinkHeader& head = router.head();
    const bool last = step_ + 1 >= head.beats;
    put_.beat = head.hbm && head.beats != 0;
    put_.arrival = true;
    put_.to_beat = head.to_beat + step_;
    put_.left = head.beats - step_;
    put_.end = ends_ = last && head.last;
    ending_ = head;
    ending_.hbm = put_.beat;
    if (head.beats != 0) router.take_beat();
    ++step_;
    begun_ = true;
    if (!last) return;
    router.free_place();
    busy_ = begun_ = false;
    step_ = 0;
  }

  bool busy_ = false;
  std::uint32_t way_ = 0;  // of the current packet, or of the last one
  std::uint32_t step_ = 0;
  bool begun_ = false;  // one beat of it has gone
  bool ends_ = false;   // the last beat of a copy is put in this cycle
  LinkHeader ending_;
  CopyMove::Put put_;
  Ring<LinkHeader, timing::link_arrivals> done_;  // copies that are put, the oldest first
  std::uint32_t answered_ = 0;                    // of these to HBM, starting with the oldest
  LinkHeader added_;
  // In this cycle.
  bool adds_ = false, starts_ = false, goes_ = false, owns_ = false, takes_vmem_ = false;
  std::uint32_t next_way_ = 0;
};

}  // namespace tandem
