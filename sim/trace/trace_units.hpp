// The tracks of units: from the issue of an operation until its unit takes the next one.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/trace/trace_sequence.hpp"

namespace tandem::trace {

class Units {
 public:
  struct Gap {
    std::uint64_t since = 0;  // cycles since the last packet
    std::uint16_t busy = 0;   // 0, or a slice is to be ended first, busy - 1 cycles after it
  };

  // The effect of a stretch of the run: the state in which it finds the units that it uses, and in
  // which it leaves them.
  struct State {
    std::int64_t clock = 0;       // of the last packet, counted from the stretch's first cycle
    std::int64_t busy_until = 0;  // so, too
    bool open = false;
    bool operator==(const State&) const = default;
  };
  struct Effect {
    std::uint32_t used = 0;  // bits, from Track::unit_load on
    std::array<State, unit_tracks> before{};
    std::array<State, unit_tracks> after{};
    std::uint64_t events = 0;
  };

  Units(Program& program, std::string& out);

  // Everything besides the slice that the packets of a slice beginning in this cycle depend on: the
  // end of the previous one.
  [[nodiscard]] Gap gap(const UnitSlice& slice, std::uint64_t cycle) const;
  // Must come before the first slice of an operation; repeated, it does nothing.
  void introduce(std::string& out, const UnitSlice& slice, const BundleView& view);
  void started(std::string& out, std::uint64_t cycle, const UnitSlice& slice);
  // The same, when its packets are known.
  void started_again(std::uint64_t cycle, const UnitSlice& slice);

  // The effect of everything that starts between these two calls; the first cycle is `cycle`.
  void begin_effect(std::uint64_t cycle);
  Effect end_effect();
  // Whether a stretch that begins in this cycle has the same packets and effect.
  [[nodiscard]] bool are_as_before(const Effect& effect, std::uint64_t cycle) const;
  void apply(const Effect& effect, std::uint64_t cycle);

  // Ends running slices.
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
  [[nodiscard]] State state(std::size_t unit, std::uint64_t cycle) const;

  std::vector<Unit> units_;  // from Track::unit_load on
  std::uint64_t events_ = 0;
  Effect effect_;  // the one that continues, after its events
  std::uint64_t effect_cycle_ = 0;
};

}  // namespace tandem::trace
