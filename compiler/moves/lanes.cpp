#include "compiler/moves/lanes.hpp"

#include <optional>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tandem::compiler {
namespace {

bool follows(const Lanes& lanes, std::int64_t count,
             llvm::function_ref<std::int64_t(std::int64_t)> way) {
  return llvm::all_of(lanes, [&](const auto& pair) {
    return ((way(pair.first) % count) + count) % count == pair.second;
  });
}

// Where the amount added to a lane's number changes, and by how much.
struct Change {
  std::int64_t lane = 0;
  std::int64_t by = 0;
};
using Changes = std::vector<Change>;

// The changes that remain after a jump of the first one's height, repeated every `period` lanes
// from there on. Empty where it would have occurred earlier.
std::optional<Changes> without(const Changes& changes, std::int64_t period, const Lanes& sorted) {
  const std::int64_t first = changes.front().lane;
  if (first - period > sorted.front().first) return std::nullopt;
  Changes left;
  auto next = changes.begin();
  std::int64_t before = sorted.front().first;
  for (const auto& [lane, from] : sorted) {
    std::int64_t by = 0;
    if (next != changes.end() && next->lane == lane) by = (next++)->by;
    const auto times = [&](std::int64_t j) { return (j - first + period) / period; };
    if (lane != sorted.front().first) by -= (times(lane) - times(before)) * changes.front().by;
    if (by != 0) left.push_back({lane, by});
    before = lane;
  }
  return left;
}

// A slope, and at most three jumps, each of the period that leaves the fewest changes.
Way by_jumps(Lanes lanes, std::int64_t count) {
  constexpr std::size_t most_jumps = 3;
  llvm::sort(lanes);
  const auto& [to, from] = lanes.front();
  Way way{Way::Kind::jumps, 1, 0, {}};
  if (lanes.size() > 1) {
    const std::int64_t apart = lanes[1].first - to;
    if ((lanes[1].second - from) % apart != 0) return {};
    way.factor = (lanes[1].second - from) / apart;
  }
  Changes changes;
  for (std::size_t i = 1; i < lanes.size(); ++i) {
    const std::int64_t by =
        lanes[i].second - lanes[i - 1].second - way.factor * (lanes[i].first - lanes[i - 1].first);
    if (by != 0) changes.push_back({lanes[i].first, by});
  }
  std::int64_t at_first = from - way.factor * to;
  while (!changes.empty()) {
    if (way.jumps.size() == most_jumps) return {};
    Jump jump{count, 0, changes.front().by};
    std::optional<Changes> best;
    for (std::int64_t period = 1; period <= count; ++period) {
      auto left = without(changes, period, lanes);
      if (!left || (best && left->size() >= best->size())) continue;
      jump.period = period;
      best = std::move(left);
    }
    jump.shift = (jump.period - changes.front().lane % jump.period) % jump.period;
    at_first -= jump.by * ((to + jump.shift) / jump.period);
    way.jumps.push_back(jump);
    changes = std::move(*best);
  }
  way.offset = at_first;
  return way;
}

}  // namespace

Way way_of(const Lanes& lanes, std::int64_t count) {
  const std::int64_t to = lanes.front().first;
  const std::int64_t from = lanes.front().second;
  if (follows(lanes, count, [&](std::int64_t j) { return j + from - to; })) {
    const std::int64_t by = ((to - from) % count + count) % count;
    return {by == 0 ? Way::Kind::stay : Way::Kind::rotate, 0, by, {}};
  }
  if (follows(lanes, count, [&](std::int64_t j) { return from + to - j; })) {
    return {Way::Kind::reverse, 0, from + to, {}};
  }
  for (std::int64_t factor = 1; factor < count; ++factor) {
    const std::int64_t bits = (to / factor) ^ (from / factor);
    if (follows(lanes, count,
                [&](std::int64_t j) { return (j / factor ^ bits) * factor + j % factor; })) {
      return {Way::Kind::swap, factor, bits, {}};
    }
  }
  for (std::int64_t factor = 2; factor <= count; ++factor) {
    const std::int64_t scaled = from - to * factor;
    if (follows(lanes, count, [&](std::int64_t j) { return j * factor + scaled; })) {
      return {Way::Kind::scale, factor, scaled, {}};
    }
    const std::int64_t divided = from - to / factor;
    if (follows(lanes, count, [&](std::int64_t j) { return j / factor + divided; })) {
      return {Way::Kind::divide, factor, divided, {}};
    }
    const std::int64_t repeated = from - to % factor;
    if (follows(lanes, count, [&](std::int64_t j) { return j % factor + repeated; })) {
      return {Way::Kind::repeat, factor, repeated, {}};
    }
  }
  return by_jumps(lanes, count);
}

Range range_of(const Lanes& lanes) {
  std::vector<std::int64_t> places;
  for (const auto& [to, from] : lanes) places.push_back(to);
  llvm::sort(places);
  Range range{places.front(), places.back() + 1, 1, 1};
  // The adjacent lanes that it begins with, and the distance to the next group.
  std::size_t run = 1;
  while (run < places.size() && places[run] == places[run - 1] + 1) ++run;
  if (run == places.size()) return range;
  range.step = places[run] - places.front();
  range.run = static_cast<std::int64_t>(run);
  for (const auto [i, place] : llvm::enumerate(places)) {
    const auto number = static_cast<std::int64_t>(i);
    const std::int64_t expected =
        range.first + number / range.run * range.step + number % range.run;
    if (place != expected) return {0, 0, 0, 1};
  }
  return range;
}

}  // namespace tandem::compiler
