// Golden models that are the chips of a group: they run in turns, and copies to another chip happen
// immediately. Flags only grow and are only observed by waits, so without races the order in which
// the chips run is not observable; races are found in every order.
//
//   for (std::uint32_t chip = 0; chip < 4; ++chip) model[chip].start(launch[chip]);
//   GoldenGroup group({&model[0], &model[1], &model[2], &model[3]});
//   while (group.run(100'000) == GroupStatus::running) { ... }
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "isa/golden/golden_model.hpp"

namespace tandem {

enum class GroupStatus : std::uint8_t {
  running,
  halted,      // every chip
  ended,       // ended_by() trapped, or was reported; the others stay where they were
  deadlocked,  // every chip waits or has halted; at least one waits
};

// A wait that has not ended.
struct GroupWait {
  std::uint32_t flag = 0;
  std::uint32_t held = 0;
  std::uint32_t wanted = 0;
  std::vector<std::uint64_t> received;  // by chip: the total that the others have added
};

class GoldenGroup {
 public:
  // By chip number; each was started with a launch for that chip and number of chips, and has no
  // platform memory. They must outlive this, which links them during its lifetime.
  explicit GoldenGroup(std::vector<GoldenModel*> chips);
  ~GoldenGroup();
  GoldenGroup(const GoldenGroup&) = delete;
  GoldenGroup& operator=(const GoldenGroup&) = delete;

  // Every chip continues for at most this many bundles, in turns of a few thousand.
  GroupStatus run(std::uint64_t bundles);
  // One chip alone, for callers that want another order.
  void advance(std::uint32_t chip, std::uint64_t bundles);

  // To be called by callers that run the chips themselves when one has ended.
  void note_end(std::uint32_t chip);

  [[nodiscard]] GroupStatus status() const;
  [[nodiscard]] RunStatus status_of(std::uint32_t chip) const { return chips_[chip]->status(); }
  [[nodiscard]] std::uint32_t chips() const { return static_cast<std::uint32_t>(chips_.size()); }
  // The first chip that trapped or was reported.
  [[nodiscard]] std::optional<std::uint32_t> ended_by() const { return ended_by_; }
  // The wait of the chip, if it waits.
  [[nodiscard]] std::optional<GroupWait> wait_of(std::uint32_t chip) const;

 private:
  struct Links;
  [[nodiscard]] bool can_go_on(std::uint32_t chip) const;

  std::vector<GoldenModel*> chips_;
  std::unique_ptr<Links> links_;
  std::optional<std::uint32_t> ended_by_;
};

}  // namespace tandem
