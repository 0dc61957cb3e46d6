// The tracks of units: from the issue of an operation until its unit takes the next one.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/trace_sequence.hpp"

namespace tandem::trace {

class Units {
 public:
  struct Gap {
    std::uint64_t since = 0;  // cycles since the last packet
    std::uint16_t busy = 0;   // 0, or a slice is to be ended first, busy - 1 cycles behind it
  };

  Units(Program& program, std::string& out);

  // All that the packets of a slice that begins in this cycle depend on, beside the slice: when the
  // one before ends.
  [[nodiscard]] Gap gap(const UnitSlice& slice, std::uint64_t cycle) const;
  // Must come before the first slice of an operation; repeated, it does nothing.
  void introduce(std::string& out, const UnitSlice& slice, const BundleView& view);
  void started(std::string& out, std::uint64_t cycle, const UnitSlice& slice);
  // The same, when its packets are known.
  void started_again(std::uint64_t cycle, const UnitSlice& slice);
  // Ends what still runs.
  void finish(std::string& out);

  [[nodiscard]] std::uint64_t events() const { return events_; }

 private:
  struct Unit {
    Sequence sequence;
    std::string end_event;
    std::uint64_t busy_until = 0;
    bool open = false;  // a slice began whose end is not written yet
  };

  Unit& unit_of(const UnitSlice& slice) { return units_[index_of(slice)]; }
  static std::size_t index_of(const UnitSlice& slice);

  std::vector<Unit> units_;  // from Track::unit_load on
  std::uint64_t events_ = 0;
};

}  // namespace tandem::trace
