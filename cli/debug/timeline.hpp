// The run as a line of positions, and the program's current position: position p is the state after
// p bundles (a bundle that traps counts). Snapshots taken on the way forwards, spaced by the
// execution time of the bundles between them, make every earlier position cheap to reach: restore
// the previous one, execute the rest again. The run is deterministic, so the rest is the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "cli/debug/target/target.hpp"

namespace tandem::debug {

struct TimelineOptions {
  double spacing = 0.01;                           // seconds of execution between snapshots
  std::uint64_t memory = std::uint64_t{2} << 30U;  // bytes that snapshots may take together
};

class Timeline {
 public:
  // `text_bundles`: of the program.
  Timeline(std::unique_ptr<Target> target, std::size_t text_bundles, TimelineOptions options = {});

  [[nodiscard]] std::uint64_t position() const { return position_; }
  [[nodiscard]] Target& target() { return *target_; }
  [[nodiscard]] const Target& target() const { return *target_; }
  [[nodiscard]] bool at_end() const { return target_->status() != RunStatus::running; }

  // One bundle forwards.
  RunStatus step(RetireRecord* record);
  // At most `limit` bundles forwards, a few milliseconds' worth at most; stops before a bundle
  // marked in `stops` (one entry per bundle of the text), except the first one.
  RunStatus run(std::uint64_t limit, std::span<const std::uint8_t> stops);
  // Backwards, or forwards as far as the program runs, using snapshots.
  void move_to(std::uint64_t position);

  // The last snapshot at or before a position.
  [[nodiscard]] std::uint64_t snapshot_before(std::uint64_t position) const;
  [[nodiscard]] std::size_t snapshots() const { return snapshots_.size(); }
  [[nodiscard]] std::uint64_t snapshot_bytes() const { return bytes_; }
  // The largest distance between two snapshots, in seconds of execution.
  [[nodiscard]] double widest_gap() const;

 private:
  struct Saved {
    Moment moment;
    std::uint64_t bytes = 0;  // beyond the one before
    double gap = 0;           // seconds of execution since the one before
  };
  using Snapshots = std::map<std::uint64_t, Saved>;

  void advanced(std::uint64_t bundles, bool timed);
  void save();
  void thin();
  void drop(Snapshots::iterator snapshot);
  void recount(Snapshots::iterator snapshot);

  std::unique_ptr<Target> target_;
  TimelineOptions options_;
  Snapshots snapshots_;
  Snapshots::iterator base_;  // the last snapshot at or before the position
  std::uint64_t bytes_ = 0;
  std::uint64_t position_ = 0;

  const std::vector<std::uint8_t> no_stops_;
  double clock_ = 0;             // processor time when the work was last counted
  double since_base_ = 0;        // seconds of execution since base_
  std::uint64_t uncounted_ = 0;  // bundles stepped since the clock was read
  std::uint64_t slice_ = 1000;   // bundles in about slice_seconds
  double spacing_;               // options_.spacing, or more where saving is expensive
};

}  // namespace tandem::debug
