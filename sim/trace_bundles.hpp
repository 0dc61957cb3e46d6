// The tracks that follow the issue: bundles, stalls, markers and slots.
//
// Every cycle of a run is either a bundle's or lost, so the packets of a bundle, with the stalls
// before it, depend only on the bundle, its predicates and those stalls: they are encoded once for
// each such combination and then repeated byte for byte. That is what makes a trace cheap to write
// and small to keep.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/timing_events.hpp"
#include "sim/trace_program.hpp"
#include "sim/trace_sequence.hpp"

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
  Bundles(Program& program, std::string& out);

  void lost(const LostCycles& event) { stalls_.push_back(event); }
  // The flows are of copies that the bundle waited for or uses first.
  void issued(std::string& out, const IssueTiming& event, const Flows& flows);
  // An instant on a track of its own, before anything issues.
  void instant(std::string& out, std::uint64_t cycle, std::string_view event, std::uint32_t name);
  // Stalls after the last bundle belong to it.
  void finish(std::string& out);

  // Slices and instants.
  [[nodiscard]] std::uint64_t events() const { return events_; }

 private:
  static constexpr std::size_t kept_stalls = 3;  // most bundles have fewer before them
  static constexpr std::size_t kept_variants = 8;

  struct Stall {
    std::uint64_t count = 0;
    StallCause cause{};
    bool operator==(const Stall&) const = default;
  };
  // Packets of a bundle after certain stalls.
  struct Variant {
    std::uint16_t enabled = 0;
    std::uint8_t stall_count = 0;
    std::array<Stall, kept_stalls> stalls{};
    std::uint32_t events = 0;
    std::string packets;
  };
  struct Memory {
    std::vector<Variant> variants;
    std::size_t next = 0;  // to be replaced
  };

  [[nodiscard]] bool is_plain(const IssueTiming& event, const Flows& flows) const;
  Variant* find(const IssueTiming& event);
  Variant& replaced(const IssueTiming& event);
  void introduce(std::string& out, const BundleView& view);
  void encode(std::string& out, const IssueTiming& event, const Flows& flows);
  void encode_stalls(std::string& out, std::uint64_t before, std::uint32_t location);
  void encode_slots(std::string& out, const IssueTiming& event, const BundleView& view,
                    const Flows& flows);
  void put(std::string& out, std::uint64_t cycle, std::string_view event, bool counts);

  Program& program_;
  Sequence sequence_;
  std::vector<LostCycles> stalls_;  // since the last bundle
  std::vector<Memory> memories_;    // by pc
  std::array<std::uint32_t, cause_count> cause_names_{};
  std::array<std::string, slot_count> slot_ends_;
  std::string issue_end_;
  std::string stall_end_;
  std::uint32_t last_location_ = 0;
  std::uint64_t events_ = 0;
};

}  // namespace tandem::trace
