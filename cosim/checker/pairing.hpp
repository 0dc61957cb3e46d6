// Matches the events of two sides in order: the n-th of one with the n-th of the other.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tandem {

// Of a comparison of two machines.
enum class Side : std::uint8_t { expected, got };

inline Side other(Side side) { return side == Side::expected ? Side::got : Side::expected; }

// First in, first out. One side runs ahead of the other for a while until the other catches up, so
// the memory is kept and reused from its beginning.
template <typename Event>
class WaitingEvents {
 public:
  [[nodiscard]] bool empty() const { return taken_ == events_.size(); }
  [[nodiscard]] const Event& front() const { return events_[taken_]; }
  void add(const Event& event) { events_.push_back(event); }
  void drop_front() {
    ++taken_;
    if (empty() || taken_ == most_taken) forget();
  }

  template <typename A>
  void archive(A& a) {
    forget();
    a(events_);
  }

 private:
  static constexpr std::size_t most_taken = 4096;  // kept although no longer used

  void forget() {
    events_.erase(events_.begin(), events_.begin() + static_cast<std::ptrdiff_t>(taken_));
    taken_ = 0;
  }

  std::vector<Event> events_;
  std::size_t taken_ = 0;
};

template <typename Event>
class Pairing {
 public:
  // Calls `compare(partner)` with the other side's event that belongs to this one; without one the
  // event waits.
  template <typename Compare>
  void meet(Side side, const Event& event, const Compare& compare) {
    WaitingEvents<Event>& partners = waiting_[static_cast<std::size_t>(other(side))];
    if (partners.empty()) {
      waiting_[static_cast<std::size_t>(side)].add(event);
      return;
    }
    compare(partners.front());
    partners.drop_front();
  }
  // The first event of a side that waits, or nullptr.
  [[nodiscard]] const Event* waiting(Side side) const {
    const WaitingEvents<Event>& events = waiting_[static_cast<std::size_t>(side)];
    return events.empty() ? nullptr : &events.front();
  }

  template <typename A>
  void archive(A& a) {
    a(waiting_);
  }

 private:
  std::array<WaitingEvents<Event>, 2> waiting_;
};

}  // namespace tandem
