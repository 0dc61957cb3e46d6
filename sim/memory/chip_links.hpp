// The link logic of a chip in a group, besides the two sides of the copy engine: for each direction
// a reader, a mover and a packetizer; the routers; and one receiver for both directions
// (rtl/link/).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "isa/timing.hpp"
#include "sim/link/link_ring.hpp"
#include "sim/memory/copy_move.hpp"
#include "sim/memory/copy_read.hpp"
#include "sim/memory/copy_tag.hpp"
#include "sim/memory/link_receive.hpp"
#include "sim/memory/link_router.hpp"
#include "sim/memory/link_send.hpp"
#include "sim/memory/ring.hpp"

namespace tandem {

// A copy to another chip that a reader has begun.
struct SendTag {
  CopyTag tag;
  LinkHeader head;  // of its packets
};

class ChipLinks {
 public:
  static constexpr std::uint64_t never = ~std::uint64_t{0};

  struct Way {
    Way(BeatShape shape, std::uint32_t chip) : reader(shape), send(shape), router(chip) {}

    [[nodiscard]] bool full() const { return moving.size() + ended.size() == timing::copy_moving; }
    [[nodiscard]] bool idle() const {
      return moving.empty() && ended.empty() && mover.idle() && !send.has_packet() && router.idle();
    }

    CopyRead reader;
    CopyMove mover;
    Ring<SendTag, timing::copy_moving> moving;  // after the reader, not fully put
    Ring<CopyTag, timing::copy_moving> ended;   // whose source is read, but not complete
    LinkSend send;
    LinkRouter router;
    bool goes = false;  // the mover, in this cycle
  };

  ChipLinks(BeatShape shape, const LinkPorts<LinkBeat>& ports)
      : ways{Way(shape, ports.chip), Way(shape, ports.chip)}, ports_(ports) {}

  [[nodiscard]] std::uint32_t chip() const { return ports_.chip; }
  [[nodiscard]] LinkWay way_to(std::uint32_t chip) const {
    return tandem::way_to(ports_.chip, chip, ports_.chips);
  }
  // Nothing here is active before something arrives from a neighbour or from the queue of copies.
  [[nodiscard]] bool idle() const { return ways[0].idle() && ways[1].idle() && receive.idle(); }
  // When something now in flight arrives from a neighbour, or ~0.
  [[nodiscard]] std::uint64_t next_event() const {
    std::uint64_t next = never;
    for (std::uint32_t way = 0; way < link_ways; ++way) {
      next = std::min({next, ports_.in[way]->next_beat(), ports_.out[way]->next_credit()});
    }
    return next;
  }

  // From the state at the beginning of the cycle: the actions in it.
  void look(std::uint64_t cycle, bool room, bool between) {
    receive.look(ways[0].router, ways[1].router, room, between);
    reads_chip_ = false;
    for (std::uint32_t i = 0; i < link_ways; ++i) {
      Way& way = ways[i];
      way.router.look(cycle, way.send, *ports_.out[i]);
      way.goes = way.mover.goes(way.send.has_room()) && !(way.mover.from_chip() && reads_chip_);
      reads_chip_ = reads_chip_ || (way.goes && way.mover.from_chip());
    }
  }
  // One of these movers reads a scratchpad, so its port is occupied.
  [[nodiscard]] bool reads_chip() const { return reads_chip_; }
  void advance(std::uint64_t cycle) {
    for (std::uint32_t i = 0; i < link_ways; ++i) {
      Way& way = ways[i];
      way.router.advance(cycle, way.send, *ports_.out[i], *ports_.in[i]);
      const CopyMove::Put& put = way.mover.put();
      if (!put.step) continue;
      way.send.put(put, way.moving.front().head);
      if (!put.end) continue;
      way.ended.push(way.moving.front().tag);
      way.moving.pop();
    }
    receive.advance(ways[0].router, ways[1].router);
  }

  std::array<Way, link_ways> ways;
  LinkReceive receive;

 private:
  LinkPorts<LinkBeat> ports_;
  bool reads_chip_ = false;
};

}  // namespace tandem
