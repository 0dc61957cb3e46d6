// The tracks that follow the issue: bundles, stalls, markers and slots, and operations that start
// on units.
//
// Every cycle of a run is either a bundle's or lost, so the packets of a bundle, with the stalls
// before it, depend only on the bundle, its predicates, those stalls, and how long its units have
// been busy: they are encoded once for each such combination and then repeated byte for byte. This
// makes a trace cheap to write and small to keep.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/events/timing_events.hpp"
#include "sim/trace/trace_blocks.hpp"
#include "sim/trace/trace_program.hpp"
#include "sim/trace/trace_sequence.hpp"
#include "sim/trace/trace_units.hpp"

namespace tandem::trace {

// Ids of flows that pass through a bundle.
struct Flows {
  std::vector<std::uint64_t> waited;  // through the operation that waits
  std::vector<std::uint64_t> used;    // and end at the bundle
  [[nodiscard]] bool empty() const { return waited.empty() && used.empty(); }
  void clear() {
    waited.clear();
    used.clear();
  }
};

class Bundles {
 public:
  Bundles(Program& program, Units& units, std::string& out);

  // Must come before the first issue of a bundle; repeated, it does nothing.
  void introduce(std::string& out, std::uint32_t pc);
  void lost(const LostCycles& event) { stalls_.push_back(event); }
  // The flows are of copies that the bundle waited for or uses first.
  void issued(Blocks& blocks, const IssueTiming& event, const Flows& flows);
  void trapped(std::string& out, const IssueTiming& event);
  // After the packets of a stretch were repeated: it ends before this cycle, with the bundle at pc.
  void issued_again(std::uint64_t cycle, std::uint64_t events, std::uint32_t pc);
  // An instant on a separate track, before anything issues.
  void instant(std::string& out, std::uint64_t cycle, std::string_view event, std::uint32_t name);
  // Stalls after the last bundle belong to it.
  void finish(std::string& out);

  // Slices and instants.
  [[nodiscard]] std::uint64_t events() const { return events_; }

 private:
  static constexpr std::size_t kept_stalls = 3;  // most bundles have fewer before them
  static constexpr std::size_t kept_units = 4;   // load, store, one of mx, one of xu
  static constexpr std::size_t kept_variants = 8;

  // The data that the packets of a bundle depend on: enabled slots and the number of stalls; count
  // and cause of each; by unit the cycles since its last packet; by unit how long it is still busy.
  // Words, so that comparing costs next to nothing.
  using Key = std::array<std::uint64_t, 1 + kept_stalls + kept_units + 1>;
  struct Variant {
    Key key;
    std::uint32_t events = 0;
    Piece piece;
  };
  struct Memory {
    std::vector<Variant> variants;
    std::size_t next = 0;  // to be replaced
  };

  [[nodiscard]] bool is_plain(const IssueTiming& event, const Flows& flows) const;
  [[nodiscard]] Key key_of(const IssueTiming& event, const BundleView& view) const;
  static bool same(const Key& a, const Key& b);
  Variant* find(std::uint32_t pc, const Key& key);
  Variant& replaced(std::uint32_t pc);
  void repeat(Blocks& blocks, Variant& variant, const IssueTiming& event, const BundleView& view);
  void encode(std::string& out, const IssueTiming& event, const Flows& flows);
  void encode_stalls(std::string& out, std::uint64_t before, std::uint32_t location);
  void encode_slots(std::string& out, const IssueTiming& event, const BundleView& view,
                    const Flows& flows);
  void put(std::string& out, std::uint64_t cycle, std::string_view event, bool counts);

  Program& program_;
  Units& units_;
  Sequence sequence_;
  std::vector<LostCycles> stalls_;  // since the last bundle
  std::vector<Memory> memories_;    // by pc
  std::vector<bool> introduced_;    // by pc
  std::array<std::uint32_t, cause_count> cause_names_{};
  std::array<std::string, slot_count> slot_ends_;
  std::string issue_end_;
  std::string stall_end_;
  std::uint32_t last_location_ = 0;
  std::uint64_t events_ = 0;
};

}  // namespace tandem::trace
