#include "isa/golden/races.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tandem::golden {
namespace {

Finding race(std::uint32_t pc, std::optional<std::uint32_t> origin, std::string message) {
  if (origin == RaceDetector::before_entry) origin.reset();
  return {FindingKind::race, pc, origin, std::move(message)};
}

}  // namespace

void RaceDetector::TouchCounts::add(const Footprint& footprint, std::uint32_t change) {
  for (const Interval& run : footprint.runs) {
    const std::uint64_t last = (run.end - 1) / grain_bytes;
    for (std::uint64_t grain = run.begin / grain_bytes; grain <= last; ++grain) {
      counts[grain] += change;
    }
  }
}

RaceDetector::RaceDetector(const Parameters& parameters, bool enabled)
    : enabled_(enabled),
      vmem_{parameters.row_bytes(), std::vector<std::uint32_t>(parameters.vmem_rows())},
      smem_{4, std::vector<std::uint32_t>(parameters.smem_words())} {}

bool RaceDetector::covers_itself(const Copy& copy, std::uint64_t size) {
  if (copy.moves_nothing()) return false;
  return static_cast<unsigned __int128>(copy.runs()) * copy.length > size;
}

Finding RaceDetector::self_overlap(std::uint32_t pc) {
  const std::string where = pc == before_entry ? "of the start" : fmt::format("at PC {}", pc);
  return race(pc, pc, fmt::format("the copy {} writes some bytes twice", where));
}

std::string RaceDetector::at(std::uint32_t pc, std::uint32_t chip) const {
  if (pc == before_entry) return "the start";
  return times_ == nullptr ? fmt::format("PC {}", pc) : fmt::format("PC {} of chip {}", pc, chip);
}

void RaceDetector::start() {
  for (const Pending& copy : pending_) count(copy, ~0U);
  pending_.clear();
  unproven_.fill(0);
}

void RaceDetector::count(const Pending& pending, std::uint32_t change) {
  for (const Footprint* side : {&pending.source, &pending.destination}) {
    if (side->runs.empty()) continue;
    sides_[index(side->space)] += change;
    if (side->space == MemorySpace::vmem) vmem_.add(*side, change);
    if (side->space == MemorySpace::smem) smem_.add(*side, change);
  }
  unproven_[pending.flag] += std::uint64_t{pending.amount} * (change == 1 ? 1 : ~std::uint64_t{0});
}

std::optional<Finding> RaceDetector::touch(MemorySpace space, std::uint64_t address, bool write,
                                           std::uint32_t pc) const {
  if (space == MemorySpace::smem && smem_.counts[address / 4] == 0) return std::nullopt;
  for (const Pending& copy : pending_) {
    const bool written = copy.destination.space == space && copy.destination.contains(address);
    const bool read = write && copy.source.space == space && copy.source.contains(address);
    if (!written && !read) continue;
    return race(
        pc, copy.pc,
        fmt::format("{} {} {}, which the copy started at {} may still be {}: no wait has proved it "
                    "complete",
                    at(pc), write ? "writes" : "reads",
                    byte_text(space, address, vmem_.grain_bytes), at(copy.pc, copy.chip),
                    written ? "writing" : "reading"));
  }
  return std::nullopt;
}

std::optional<Finding> RaceDetector::conflict(const Pending& starting,
                                              const Pending& earlier) const {
  struct Pair {
    const Footprint& mine;
    const Footprint& theirs;
    std::string_view verbs[2];
  };
  const Pair pairs[] = {
      {starting.destination, earlier.destination, {"writes", "writing"}},
      {starting.destination, earlier.source, {"writes", "reading"}},
      {starting.source, earlier.destination, {"reads", "writing"}},
  };
  for (const Pair& pair : pairs) {
    const auto address = first_common(pair.mine, pair.theirs);
    if (!address) continue;
    const std::string where = byte_text(pair.mine.space, *address, vmem_.grain_bytes);
    return race(
        starting.pc, earlier.pc,
        fmt::format("the copy at {} {} {}, which the copy started at {} may still be {}: no "
                    "wait has proved it complete",
                    at(starting.pc, starting.chip), pair.verbs[0], where,
                    at(earlier.pc, earlier.chip), pair.verbs[1]));
  }
  return std::nullopt;
}

std::optional<Finding> RaceDetector::first_conflict(const Pending& starting) const {
  for (const Pending& earlier : pending_) {
    if (auto found = conflict(starting, earlier)) return found;
  }
  if (pending_.size() < max_pending) return std::nullopt;
  return race(
      starting.pc, pending_.front().pc,
      fmt::format("{} starts one copy more than the {} that no wait has proved complete; the "
                  "first was started at {}",
                  at(starting.pc, starting.chip), max_pending,
                  at(pending_.front().pc, pending_.front().chip)));
}

void RaceDetector::add(Pending&& pending) {
  count(pending, 1);
  pending_.push_back(std::move(pending));
}

std::optional<Finding> RaceDetector::start(const Copy& copy, std::uint32_t pc) {
  if (!enabled_) return std::nullopt;
  std::optional<Finding> found;
  Pending starting{pc, copy.flag, copy.amount, {}, {}, own_chip()};
  if (!copy.moves_nothing()) {
    build_footprint(starting.source, copy, copy.source);
    if (build_footprint(starting.destination, copy, copy.destination)) {
      found = self_overlap(pc);
    }
    if (const auto address = first_common(starting.source, starting.destination)) {
      const std::string where = byte_text(copy.source.space, *address, vmem_.grain_bytes);
      found = race(pc, pc, fmt::format("the copy at PC {} both reads and writes {}", pc, where));
    }
  }
  if (!found) found = first_conflict(starting);
  if (copy.amount_here == 0) {
    add(std::move(starting));
    return found;
  }
  // Completion of the reads is proved by the flag here.
  Pending reading{pc, copy.flag_here, copy.amount_here, {}, {}, own_chip()};
  std::swap(reading.source, starting.source);
  add(std::move(starting));
  add(std::move(reading));
  return found;
}

std::optional<Finding> RaceDetector::check_wait(std::uint32_t flag, std::uint32_t value,
                                                std::uint32_t n, std::uint32_t pc) const {
  const auto unproven = static_cast<std::int64_t>(unproven_[flag]);
  if (unproven == 0) return std::nullopt;
  const bool ends_satisfied = static_cast<std::int32_t>(value - n) >= 0;
  if (ends_satisfied) return in_group() ? check_order(flag, value, n, pc) : std::nullopt;
  const std::int64_t sure =
      static_cast<std::int32_t>(value - static_cast<std::uint32_t>(unproven) - n);
  if (sure < 0 && sure + unproven < 0) return std::nullopt;
  return race(
      pc, std::nullopt,
      fmt::format("the wait at {} may or may not end: f{} wraps around when all copies have "
                  "added to it",
                  at(pc), flag));
}

void RaceDetector::wait(std::uint32_t flag, std::uint32_t value, std::uint32_t n,
                        std::uint32_t pc) {
  if (unproven_[flag] == 0) return;
  const auto proved = part_proved(flag, value, n);
  if (in_group()) learn(proved, flag, pc);
  for (auto copy = proved; copy != pending_.end(); ++copy) count(*copy, ~0U);
  pending_.erase(proved, pending_.end());
}

std::vector<RaceDetector::Pending>::iterator RaceDetector::part_proved(std::uint32_t flag,
                                                                       std::uint32_t value,
                                                                       std::uint32_t n) {
  if (in_group()) {
    const Proof found = proof(flag, value, n);
    std::size_t place = 0;
    return std::stable_partition(pending_.begin(), pending_.end(),
                                 [&](const Pending&) { return !found.proved[place++]; });
  }
  // How far the flag is certainly past n (negative: short of it), and with all copies. Copies of
  // one flag complete in the order of their start: without this one, the flag could have reached
  // the sum of the older ones.
  const auto unproven = static_cast<std::int64_t>(unproven_[flag]);
  std::int64_t without =
      static_cast<std::int32_t>(value - static_cast<std::uint32_t>(unproven) - n);
  return std::stable_partition(pending_.begin(), pending_.end(),
                               [flag, &without](const Pending& copy) {
                                 if (copy.flag != flag) return true;
                                 const bool proven = without < 0;
                                 without += static_cast<std::int64_t>(copy.amount);
                                 return !proven;
                               });
}

std::optional<Finding> RaceDetector::set_flag(std::uint32_t flag, std::uint32_t pc) {
  if (in_group()) {
    times_->flags[flag].set = times_->time();
    times_->flags[flag].set_pc = pc;
  }
  if (unproven_[flag] == 0) return std::nullopt;
  const auto copy = std::find_if(pending_.begin(), pending_.end(), [flag](const Pending& item) {
    return item.flag == flag && item.amount != 0;
  });
  return race(pc, copy->pc,
              fmt::format("{} sets f{}, to which the copy started at {} may still add", at(pc),
                          flag, at(copy->pc, copy->chip)));
}

}  // namespace tandem::golden
