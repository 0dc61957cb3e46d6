// Traffic between chips: a packet is a header and the beats of at most one burst, in whole beats of
// the destination (docs/reference.md, section 5; rtl/README.md, Links).
#pragma once

#include <cstdint>

namespace tandem {

// Directions of a ring: to the chip of the next higher number, and back.
inline constexpr std::uint32_t link_ways = 2;
enum class LinkWay : std::uint8_t { right, left };

// The shorter way round. At half way both are equal: even-numbered chips send to the right,
// odd-numbered ones to the left, so that the links of both directions carry the same load.
constexpr LinkWay way_to(std::uint32_t from, std::uint32_t to, std::uint32_t chips) {
  const std::uint32_t distance = to >= from ? to - from : to + chips - from;
  if (2 * distance == chips) return from % 2 == 0 ? LinkWay::right : LinkWay::left;
  return 2 * distance < chips ? LinkWay::right : LinkWay::left;
}

struct LinkHeader {
  std::uint64_t to_beat = 0;   // where its first beat goes: address / bytes of a beat
  std::uint32_t sequence = 0;  // of the copy's bundle at its sender, the low 32 bits
  std::uint32_t amount = 0;    // added to the flag there
  std::uint8_t chip = 0;
  std::uint8_t sender = 0;
  std::uint8_t flag = 0;
  std::uint8_t beats = 0;
  bool hbm = false;   // else VMEM
  bool last = false;  // of its copy
};

// A beat without its bytes, which a model of time does not carry.
struct LinkBeat {
  bool is_header = false;
  LinkHeader header;
};

}  // namespace tandem
