#include "cosim/lockstep/timing_history.hpp"

#include <catch2/catch.hpp>

namespace tandem {
namespace {

constexpr std::uint64_t many = 5000;  // more bundles than a history keeps

IssueTiming issue(std::uint64_t sequence, std::uint64_t cycle) {
  IssueTiming event;
  event.sequence = sequence;
  event.cycle = cycle;
  event.pc = static_cast<std::uint32_t>(sequence + 100);
  return event;
}

}  // namespace

TEST_CASE("a bundle's lost cycles are those between the one before and itself") {
  TimingHistory history;
  history.lost({0, 3, StallCause::fetch});
  history.issued(issue(0, 3));
  history.issued(issue(1, 4));
  history.lost({5, 2, StallCause::fetch});
  history.lost({7, 1, StallCause::drain});
  history.issued(issue(2, 8));
  CHECK(history.find(0)->lost.size() == 1);
  CHECK(history.find(1)->lost.empty());
  const auto bundle = history.find(2);
  REQUIRE(bundle->lost.size() == 2);
  CHECK(bundle->cycle == 8);
  CHECK(bundle->pc == 102);
  CHECK(bundle->lost[0].first == 5);
  CHECK(bundle->lost[1].cause == StallCause::drain);
  CHECK(history.next_sequence() == 3);
  CHECK_FALSE(history.find(3));
}

TEST_CASE("old bundles are forgotten, and no other's lost cycles stand in for theirs") {
  TimingHistory history;
  for (std::uint64_t n = 0; n < many; ++n) {
    history.lost({3 * n, 1, StallCause::fetch});
    history.lost({3 * n + 1, 1, StallCause::drain});
    history.issued(issue(n, 3 * n + 2));
  }
  CHECK_FALSE(history.find(0));
  const auto newest = history.find(many - 1);
  REQUIRE(newest->lost.size() == 2);
  CHECK(newest->lost[0].first == 3 * (many - 1));
  const auto oldest = history.find(many - 4000);  // its runs have been written over
  REQUIRE(oldest);
  CHECK(oldest->lost.empty());
}

}  // namespace tandem
