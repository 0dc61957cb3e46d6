// Matches the events of two sides in order: the n-th of one with the n-th of the other.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>

namespace tandem {

// Of a comparison of two machines.
enum class Side : std::uint8_t { expected, got };

inline Side other(Side side) { return side == Side::expected ? Side::got : Side::expected; }

template <typename Event>
class Pairing {
 public:
  // The other side's event that this one is to be compared with; without one the event waits.
  std::optional<Event> meet(Side side, const Event& event) {
    std::deque<Event>& partners = waiting_[static_cast<std::size_t>(other(side))];
    if (partners.empty()) {
      waiting_[static_cast<std::size_t>(side)].push_back(event);
      return std::nullopt;
    }
    Event partner = partners.front();
    partners.pop_front();
    return partner;
  }
  // The first event of a side that waits, or nullptr.
  [[nodiscard]] const Event* waiting(Side side) const {
    const std::deque<Event>& events = waiting_[static_cast<std::size_t>(side)];
    return events.empty() ? nullptr : &events.front();
  }

  template <typename A>
  void archive(A& a) {
    a(waiting_);
  }

 private:
  std::array<std::deque<Event>, 2> waiting_;
};

}  // namespace tandem
