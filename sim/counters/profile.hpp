// Where a run's time went, by bundle and over time: a reader of timing events whose memory does not
// grow with the run. `tandem report` shows it.
//
//   Profile profile(image);
//   OrderedTiming ordered(profile);  // events must come in order
//   ... run a machine with &ordered as its sink ...
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "isa/image.hpp"
#include "sim/counters/cycle_steps.hpp"
#include "sim/counters/time_buckets.hpp"
#include "sim/events/counter_values.hpp"
#include "sim/events/timing_events.hpp"
#include "sim/events/unit_use.hpp"

namespace tandem {

using CycleCounts = std::array<std::uint64_t, cause_count>;  // by StallCause

// The cycles that belong to one bundle of the text: those in which it issued, and those lost before
// it could; after a halt or trap, also those until the end.
struct BundleProfile {
  std::uint32_t pc = 0;
  CycleCounts cycles{};  // cause `issued`: how often it issued
  StepList steps{};      // the same cycles over time, in steps of Profile::step_cycles()

  [[nodiscard]] std::uint64_t issues() const {
    return cycles[static_cast<std::size_t>(StallCause::issued)];
  }
  [[nodiscard]] std::uint64_t total() const;
};

// The rows of a timeline: a share of each bucket's cycles.
struct ProfileTrack {
  std::string_view title;
  std::string_view meaning;
  std::uint32_t per_cycle;  // the maximum per cycle
};

class Profile final : public TimingSink {
 public:
  // The image must outlive the profile.
  explicit Profile(const Image& image);

  void issued(const IssueTiming& event) override;
  void lost(const LostCycles& event) override;
  void copy_started(const CopyStart& event) override;
  void copy_done(const CopyDone& event) override;
  void beats(const MemoryBeats& event) override;
  void progress(std::uint64_t) override {}
  void ended(std::uint64_t cycles) override { finish(cycles); }
  // An abandoned run has no ended(): this many cycles have been seen.
  void finish(std::uint64_t cycles);

  [[nodiscard]] bool finished() const { return finished_; }
  [[nodiscard]] std::uint64_t cycles() const { return cycles_; }
  // The bundles that were seen, by PC. Their cycles add up to cycles().
  [[nodiscard]] std::vector<BundleProfile> bundles() const;
  [[nodiscard]] std::uint64_t step_cycles() const { return steps_.width(); }

  // Over time: cycles by cause, and the tracks below.
  [[nodiscard]] std::uint64_t bucket_cycles() const { return buckets_.width(); }
  [[nodiscard]] std::vector<std::uint64_t> cause_over_time(StallCause cause) const;
  static const std::vector<ProfileTrack>& unit_tracks();
  [[nodiscard]] std::vector<std::uint64_t> unit_over_time(std::size_t track) const;
  [[nodiscard]] std::vector<std::uint64_t> beats_over_time(MemoryPath path) const;

 private:
  struct SlotUnit {
    std::uint16_t slot = 0;  // as a bit
    UnitUse use;
  };
  struct Busy {
    std::uint64_t first = 0;
    std::uint64_t until = 0;
  };

  BundleProfile& bundle(std::uint32_t pc);
  void tell_steps(std::uint32_t pc, std::uint64_t end);
  [[nodiscard]] std::vector<SlotUnit> units_of(std::uint32_t pc) const;
  void start_unit(std::uint64_t cycle, const UnitUse& use);
  void end_unit(BusyUnit unit, std::uint64_t cycle);

  const Image& image_;
  std::vector<std::uint32_t> place_;  // by PC: index + 1 in bundles_, 0 when not seen
  std::vector<BundleProfile> bundles_;
  std::vector<std::vector<SlotUnit>> uses_;  // parallel to bundles_
  CycleCounts pending_{};                    // lost, of the bundle that issues next
  std::optional<std::uint32_t> last_pc_;
  CycleSteps steps_;        // rows parallel to bundles_
  std::uint64_t told_ = 0;  // cycles that belong to a bundle
  std::array<Busy, busy_unit_count> busy_{};
  std::uint64_t copies_in_flight_ = 0;
  std::uint64_t copies_since_ = 0;
  TimeBuckets buckets_;
  std::uint64_t cycles_ = 0;
  bool finished_ = false;
};

}  // namespace tandem
