// Regions between markers, and figures derived from counters.
#include "sim/counters/counter_regions.hpp"

#include <catch2/catch.hpp>

#include "sim/counters/counter_figures.hpp"

using namespace tandem;  // NOLINT: a test file

namespace {

// `cycles` of which `issued` issued a bundle and the others waited for memory.
CounterValues values(std::uint64_t cycles, std::uint64_t issued, std::uint64_t rows = 0) {
  CounterValues counters;
  counters.cycles = cycles;
  counters.causes[static_cast<std::size_t>(StallCause::issued)] = issued;
  counters.causes[static_cast<std::size_t>(StallCause::sync_wait)] = cycles - issued;
  counters.events[static_cast<std::size_t>(CountedEvent::mxu_rows)] = rows;
  return counters;
}

MarkerTiming marker(std::uint32_t code, std::uint32_t pc, const CounterValues& counters) {
  return {counters.cycles - 1, 0, pc, code, counters};
}

double figure(const CounterValues& counters, std::string_view name) {
  for (const CounterFigure& row : counter_figures(counters, presets[1])) {
    if (row.name == name) return row.value;
  }
  FAIL("no figure " << name);
  return 0;
}

double share(const CounterValues& counters, CountedEvent event) {
  for (const CounterShare& row : counter_shares(counters, presets[1])) {
    if (row.event == event) return row.share;
  }
  FAIL("no such share");
  return 0;
}

}  // namespace

TEST_CASE("A run without markers has no regions") {
  const CounterRegions regions;
  CHECK(regions.regions(values(100, 50)).empty());
}

TEST_CASE("A region goes from behind its marker to the next marker") {
  CounterRegions regions;
  regions.marked(marker(7, 3, values(10, 4)));
  regions.marked(marker(8, 5, values(30, 9)));
  const std::vector<CounterRegion> result = regions.regions(values(100, 20));
  REQUIRE(result.size() == 3);
  CHECK_FALSE(result[0].code.has_value());
  CHECK(result[0].counters == values(10, 4));
  CHECK(result[1].code == 7U);
  CHECK(result[1].pc == 3);
  CHECK(result[1].counters == values(20, 5));
  CHECK(result[2].counters == values(70, 11));
}

TEST_CASE("A marker met again adds to its region, and regions add up to the whole") {
  CounterRegions regions;
  for (std::uint64_t turn = 0; turn < 5; ++turn) {
    regions.marked(marker(2, 9, values(100 * turn + 10, 40 * turn + 1)));
    regions.marked(marker(1, 4, values(100 * turn + 70, 40 * turn + 31)));
  }
  const CounterValues whole = values(1000, 300, 17);
  CounterValues sum;
  for (const CounterRegion& region : regions.regions(whole)) sum += region.counters;
  CHECK(sum == whole);
  const std::vector<CounterRegion> result = regions.regions(whole);
  REQUIRE(result.size() == 3);
  CHECK(result[1].code == 1U);
  CHECK(result[1].times == 5);
  CHECK(result[2].times == 5);
  CHECK(result[2].counters == values(300, 150));
}

TEST_CASE("Regions may be asked for in the middle of a run") {
  CounterRegions regions;
  regions.marked(marker(1, 0, values(10, 10)));
  CHECK(regions.regions(values(15, 11)).back().counters == values(5, 1));
  CHECK(regions.regions(values(25, 12)).back().counters == values(15, 2));
}

TEST_CASE("Figures follow from the counters") {
  const CounterValues counters = values(1000, 500, 250);  // small: 16 lanes
  CHECK(figure(counters, "macs") == 250 * 16 * 16);
  CHECK(figure(counters, "mxu_use") == Approx(0.25));
  CHECK(figure(counters, "cycles_per_bundle") == Approx(2));
  CHECK(share(counters, CountedEvent::mxu_rows) == Approx(0.25));
}

TEST_CASE("A beat in every cycle is all that memory can do") {
  CounterValues counters = values(1000, 500);
  counters.events[static_cast<std::size_t>(CountedEvent::hbm_read_bytes)] = 600 * 64;
  counters.events[static_cast<std::size_t>(CountedEvent::fetch_bytes)] = 400 * 64;
  CHECK(share(counters, CountedEvent::hbm_read_bytes) == Approx(0.6));
  CHECK(figure(counters, "memory_read_use") == Approx(1));
}

TEST_CASE("Figures of a run that never began are zero") {
  for (const CounterFigure& row : counter_figures({}, presets[1])) {
    INFO(row.name);
    CHECK(row.value == 0);
  }
}
