// The links of a group: a ring in the order of the chips' numbers, both ways.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "sim/link/link_packet.hpp"
#include "sim/link/link_wire.hpp"

namespace tandem {

// The connection of one chip, by direction: `in` carries traffic of that direction from the
// previous chip.
template <typename Beat>
struct LinkPorts {
  std::uint32_t chip = 0;
  std::uint32_t chips = 1;
  std::array<LinkWire<Beat>*, link_ways> out{};
  std::array<LinkWire<Beat>*, link_ways> in{};
};

template <typename Beat>
class LinkRing {
 public:
  LinkRing(std::uint32_t chips, std::uint32_t latency, std::uint32_t rate) : chips_(chips) {
    for (auto& wires : wires_) wires.assign(chips, LinkWire<Beat>(latency, rate));
  }
  LinkRing(const LinkRing&) = delete;
  LinkRing& operator=(const LinkRing&) = delete;
  ~LinkRing() = default;

  // They last as long as this.
  [[nodiscard]] LinkPorts<Beat> ports(std::uint32_t chip) {
    const std::uint32_t left = (chip + chips_ - 1) % chips_;
    const std::uint32_t right = (chip + 1) % chips_;
    return {
        chip, chips_, {&wires_[0][chip], &wires_[1][chip]}, {&wires_[0][left], &wires_[1][right]}};
  }
  [[nodiscard]] bool quiet() const {
    return std::all_of(wires_.begin(), wires_.end(), [](const auto& wires) {
      return std::all_of(wires.begin(), wires.end(), [](const auto& wire) { return wire.quiet(); });
    });
  }

 private:
  std::uint32_t chips_;
  std::array<std::vector<LinkWire<Beat>>, link_ways> wires_;  // by the chip that sends
};

}  // namespace tandem
