#include "tests/schedule/crowded.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace tandem::test {
namespace {

constexpr std::int64_t no_way = std::numeric_limits<std::int64_t>::min() / 4;

// By operation and operation, the least cycles from the one to the other of the same iteration.
using Ways = std::vector<std::vector<std::int64_t>>;

Ways longest_ways(std::size_t count, const std::vector<Follows>& edges, std::uint32_t interval) {
  Ways ways(count, std::vector<std::int64_t>(count, no_way));
  for (std::size_t i = 0; i < count; ++i) ways[i][i] = 0;
  for (const Follows& edge : edges) {
    const std::int64_t cycles = edge.cycles - std::int64_t{interval} * edge.later;
    ways[edge.from][edge.to] = std::max(ways[edge.from][edge.to], cycles);
  }
  for (std::size_t over = 0; over < count; ++over) {
    for (std::size_t from = 0; from < count; ++from) {
      if (ways[from][over] == no_way) continue;
      for (std::size_t to = 0; to < count; ++to) {
        if (ways[over][to] == no_way) continue;
        ways[from][to] = std::max(ways[from][to], ways[from][over] + ways[over][to]);
      }
    }
  }
  return ways;
}

// Whether some set of slots takes fewer than there are operations that go nowhere else.
bool too_many(const std::vector<Group>& together) {
  for (std::uint32_t set = 1; set < (1U << slot_count); ++set) {
    int bound_to = 0;
    for (const Group group : together) {
      bool inside = true;
      for (std::size_t slot = 0; slot < slot_count; ++slot) {
        const bool outside = ((set >> slot) & 1U) == 0;
        if (outside && slot_accepts(static_cast<Slot>(slot), group)) inside = false;
      }
      bound_to += inside ? 1 : 0;
    }
    if (bound_to > std::popcount(set)) return true;
  }
  return false;
}

}  // namespace

bool crowded(const std::vector<Group>& groups, const std::vector<Follows>& edges,
             std::uint32_t interval) {
  const Ways ways = longest_ways(groups.size(), edges, interval);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    // Those that are always in the row of operation i, itself among them.
    std::vector<Group> together;
    for (std::size_t other = 0; other < groups.size(); ++other) {
      if (ways[i][other] == no_way || ways[i][other] + ways[other][i] != 0) continue;
      if (ways[i][other] % std::int64_t{interval} == 0) together.push_back(groups[other]);
    }
    if (together.size() > 1 && too_many(together)) return true;
  }
  return false;
}

}  // namespace tandem::test
