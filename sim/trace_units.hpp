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
  Units(Program& program, std::string& out);

  void started(std::string& out, std::uint64_t cycle, const UnitSlice& slice,
               const BundleView& view);
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

  std::vector<Unit> units_;  // from Track::unit_load on
  std::uint64_t events_ = 0;
};

}  // namespace tandem::trace
