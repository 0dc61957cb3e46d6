// Where time went, by bundle and over time, out of timing events.
#include "sim/counters/profile.hpp"

#include <catch2/catch.hpp>
#include <numeric>

#include "assembler/assembler.hpp"
#include "isa/object/object.hpp"
#include "sim/events/timing_order.hpp"

using namespace tandem;  // NOLINT: a test file

namespace {

Image image_of(const std::string& text) {
  const std::vector<SourceText> sources{{"test.s", text}};
  const LinkResult result = build(sources);
  REQUIRE(result.ok());
  return make_image(result.program);
}

const std::string three_bundles = ".global start\nstart: { s4 = mov 1 }\n{ s5 = mov 2 }\nhalt\n";

std::uint16_t only(Slot slot) {
  return static_cast<std::uint16_t>(1U << static_cast<unsigned>(slot));
}

IssueTiming issue(std::uint64_t cycle, std::uint32_t pc, std::uint16_t enabled = 1) {
  IssueTiming event;
  event.cycle = cycle;
  event.pc = pc;
  event.enabled = enabled;
  return event;
}

std::uint64_t sum(const std::vector<std::uint64_t>& values) {
  return std::accumulate(values.begin(), values.end(), std::uint64_t{0});
}

}  // namespace

TEST_CASE("Lost cycles belong to the bundle that issues next") {
  const Image image = image_of(three_bundles);
  Profile profile(image);
  profile.lost({0, 5, StallCause::start});
  profile.issued(issue(5, 0));
  profile.lost({6, 2, StallCause::sync_wait});
  profile.lost({8, 1, StallCause::eup});
  profile.issued(issue(9, 1));
  profile.ended(10);
  const std::vector<BundleProfile> bundles = profile.bundles();
  REQUIRE(bundles.size() == 2);
  CHECK(bundles[0].pc == 0);
  CHECK(bundles[0].total() == 6);
  CHECK(bundles[1].issues() == 1);
  CHECK(bundles[1].cycles[static_cast<std::size_t>(StallCause::sync_wait)] == 2);
  CHECK(bundles[1].cycles[static_cast<std::size_t>(StallCause::eup)] == 1);
}

TEST_CASE("The drain behind a halt belongs to the halt") {
  const Image image = image_of(three_bundles);
  Profile profile(image);
  profile.issued(issue(0, 2));
  profile.lost({1, 30, StallCause::drain});
  profile.ended(31);
  CHECK(profile.bundles().at(0).total() == 31);
}

TEST_CASE("A bundle that traps did not issue, and its cycle is drain") {
  const Image image = image_of(three_bundles);
  Profile profile(image);
  OrderedTiming ordered(profile);
  profile.issued(issue(0, 0));
  IssueTiming trapped = issue(1, 1);
  trapped.trap.cause = TrapCause::explicit_trap;
  ordered.issued(trapped);
  ordered.lost({1, 4, StallCause::drain});
  ordered.ended(5);
  const BundleProfile bundle = profile.bundles().at(1);
  CHECK(bundle.issues() == 0);
  CHECK(bundle.total() == 4);
}

TEST_CASE("A run that traps before its first bundle has a profile") {
  const Image image = image_of(three_bundles);
  Profile profile(image);
  IssueTiming trapped = issue(9, 77);  // outside the text
  trapped.trap.cause = TrapCause::jump_range;
  profile.lost({0, 12, StallCause::drain});
  profile.issued(trapped);
  profile.ended(12);
  CHECK(profile.bundles().empty());
  CHECK(sum(profile.cause_over_time(StallCause::drain)) == 12);
}

TEST_CASE("Units are busy from the issue of an operation for as long as it takes") {
  const Image image =
      image_of(".global start\nstart: { mxmul.bf16 a0, v1.lo, rows=5 ; v2 = exp2 v3 }\nhalt\n");
  Profile profile(image);
  const auto both = static_cast<std::uint16_t>(only(Slot::mx) | only(Slot::xu));
  profile.issued(issue(10, 0, both));
  profile.issued(issue(20, 0, only(Slot::mx)));  // the other predicate does not hold
  profile.ended(100);
  CHECK(sum(profile.unit_over_time(5)) == 10);  // MXU multiply
  CHECK(sum(profile.unit_over_time(6)) == 4);   // EUP
  CHECK(profile.unit_over_time(5).at(14) == 1);
  CHECK(profile.unit_over_time(5).at(15) == 0);
}

TEST_CASE("Copies that overlap count once") {
  const Image image = image_of(three_bundles);
  Profile profile(image);
  profile.copy_started({10, 1, {}});
  profile.copy_started({15, 2, {}});
  profile.copy_done({20, 1});
  profile.copy_done({29, 2});
  profile.copy_started({50, 3, {}});  // never done: the run was given up on
  profile.finish(60);
  CHECK(sum(profile.unit_over_time(8)) == 20 + 10);
}

TEST_CASE("Nothing is lost when buckets grow wider") {
  TimeBuckets buckets(2);
  buckets.add_range(0, 3, 1000);
  buckets.add(1, 100);
  buckets.add_range(0, 1'000'000, 1);
  CHECK(buckets.width() == 1024);
  CHECK(sum(buckets.row(0, 1'000'001)) == 1001);
  CHECK(buckets.row(0, 1'000'001).size() == 977);
  CHECK(buckets.row(1, 1'000'001).at(0) == 1);
}

TEST_CASE("A run of a billion cycles needs no more buckets than a short one") {
  TimeBuckets buckets(1);
  for (std::uint64_t cycle = 0; cycle < 1'000'000'000; cycle += 999'983) {
    buckets.add_range(0, cycle, 999'983);
  }
  CHECK(buckets.row(0, 1'000'000'000).size() <= TimeBuckets::most_buckets);
  CHECK(sum(buckets.row(0, 2'000'000'000)) == 1001ULL * 999'983);
}

TEST_CASE("The steps of a bundle add up to its cycles") {
  const Image image = image_of(three_bundles);
  Profile profile(image);
  profile.lost({0, 5, StallCause::start});
  profile.issued(issue(5, 0));
  const std::uint64_t rounds = 5000;  // more than there are steps of one cycle
  std::uint64_t cycle = 6;
  for (std::uint64_t i = 0; i < rounds; ++i) {
    profile.lost({cycle, 2, StallCause::eup});
    profile.issued(issue(cycle + 2, 1));
    cycle += 3;
  }
  profile.lost({cycle, 40, StallCause::drain});
  profile.ended(cycle + 40);
  const std::vector<BundleProfile> bundles = profile.bundles();
  REQUIRE(bundles.size() == 2);
  for (const BundleProfile& bundle : bundles) {
    std::uint64_t total = 0;
    for (const StepCycles& part : bundle.steps) total += part.cycles;
    CHECK(total == bundle.total());
    CHECK(bundle.steps.size() <= CycleSteps::most_steps);
  }
  CHECK(bundles[0].steps == StepList{{0, 6}});
  CHECK(bundles[1].steps.front().cycles == profile.step_cycles() - 6);
  CHECK(bundles[1].steps[1] == StepCycles{1, profile.step_cycles()});
}

TEST_CASE("Lists of steps are added and made wider") {
  StepList sum{{0, 3}, {4, 1}};
  add_steps(sum, {{1, 2}, {4, 5}, {9, 1}});
  CHECK(sum == StepList{{0, 3}, {1, 2}, {4, 6}, {9, 1}});
  CHECK(wider_steps(sum) == StepList{{0, 5}, {2, 6}, {4, 1}});
  CycleSteps steps;
  steps.add_range(0, 0, 3 * CycleSteps::most_steps);
  CHECK(steps.width() == 4);
  CHECK(steps.row(0).size() == 3 * CycleSteps::most_steps / 4);
  CHECK(steps.row(7).empty());
}
