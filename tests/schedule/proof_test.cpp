// The validator: schedules hold, and schedules that were tampered with do not.
#include <catch2/catch.hpp>
#include <random>

#include "schedule/proof/validate.hpp"
#include "tests/schedule/support.hpp"

namespace tandem::test {

using namespace schedule;  // NOLINT: a test file

namespace {

struct Case {
  LinearBlock block;
  Result result;
};

Case scheduled(std::uint32_t seed) {
  Case made{random_registers(seed, true), {}};
  made.result = schedule_block(made.block, {Level::full, find_preset("small")});
  return made;
}

// How many of the schedules with a possible change the validator refuses.
template <typename Change>
double refused(std::uint32_t seeds, const Change& change) {
  std::uint32_t tried = 0;
  std::uint32_t caught = 0;
  for (std::uint32_t seed = 1; seed <= seeds; ++seed) {
    Case made = scheduled(seed);
    if (!made.result.ok() || made.result.cuts.empty()) continue;
    std::mt19937 random(seed);
    if (!change(made, random)) continue;
    ++tried;
    const std::string trouble = validate(made.block, made.result);
    if (trouble.empty()) UNSCOPED_INFO("not caught: seed " << seed);
    caught += trouble.empty() ? 0U : 1U;
  }
  REQUIRE(tried > seeds / 4);
  return static_cast<double>(caught) / tried;
}

std::size_t some_issue(const Case& made, std::mt19937& random) {
  return random() % made.result.issues.size();
}

}  // namespace

TEST_CASE("schedules of random blocks are proved") {
  std::uint32_t proved = 0;
  for (std::uint32_t seed = 1; seed <= 300; ++seed) {
    const Case made = scheduled(seed);
    if (!made.result.ok() || made.result.cuts.empty()) continue;
    INFO("seed " << seed);
    REQUIRE(validate(made.block, made.result) == "");
    ++proved;
  }
  CHECK(proved > 200);
}

TEST_CASE("a schedule that has lost an operation is refused") {
  CHECK(refused(200, [](Case& made, std::mt19937& random) {
          const std::size_t at = some_issue(made, random);
          if (made.result.issues[at].added) return false;
          made.result.issues.erase(made.result.issues.begin() + static_cast<std::ptrdiff_t>(at));
          return true;
        }) == 1.0);
}

TEST_CASE("a schedule in which an operation reads another register is refused") {
  CHECK(refused(200, [](Case& made, std::mt19937& random) {
          Issue& issue = made.result.issues[some_issue(made, random)];
          const Effects effects = effects_of(issue.operation);
          if (issue.added || effects.read_count == 0) return false;
          const RegisterUse use = effects.read_list[0];
          if (use.place == predicate_place) return false;
          std::int32_t& number = issue.operation.operands[use.place].value;
          number = number % (static_cast<std::int32_t>(register_count(use.file)) - 1) + 1;
          return number != use.index;
        }) > 0.9);
}

TEST_CASE("schedules whose neighbouring bundles have changed places are refused where it matters") {
  CHECK(refused(300, [](Case& made, std::mt19937& random) {
          Issue& issue = made.result.issues[some_issue(made, random)];
          const std::uint32_t bundle = issue.bundle;
          for (const Cut& cut : made.result.cuts) {
            if (cut.bundle == bundle + 1) return false;
          }
          for (Issue& item : made.result.issues) {
            if (item.bundle == bundle || item.bundle == bundle + 1) {
              item.bundle = 2 * bundle + 1 - item.bundle;
            }
          }
          std::stable_sort(made.result.issues.begin(), made.result.issues.end(),
                           [](const Issue& a, const Issue& b) { return a.bundle < b.bundle; });
          return bundle + 1 < made.result.bundles;
        }) > 0.5);
}

TEST_CASE("a schedule in which a branch decides otherwise is refused") {
  CHECK(refused(300, [](Case& made, std::mt19937&) {
          for (Issue& issue : made.result.issues) {
            if (issue.added || issue.operation.op != Op::br) continue;
            issue.operation.negate = !issue.operation.negate;
            return true;
          }
          return false;
        }) > 0.95);
}

TEST_CASE("a stretch of 100000 operations is scheduled and proved") {
  LinearText text;
  for (int i = 0; i < 8; ++i) text.add(Op::vlane, {text.v("v" + std::to_string(i))});
  std::mt19937 random(3);
  for (int i = 0; i < 100'000; ++i) {
    const std::string to = "v" + std::to_string(random() % 8);
    const auto row = static_cast<std::int32_t>(random() % 500);
    switch (random() % 3) {
      case 0: text.add(Op::vld, {text.v(to), LinearText::at(row)}); break;
      case 1: text.add(Op::vst, {LinearText::at(row), text.v(to)}); break;
      default: text.add(Op::vadd_f32, {text.v(to), text.v("v0"), text.v("v1")}); break;
    }
  }
  const Result result = schedule_block(text.block, {Level::full, find_preset("small")});
  REQUIRE(result.ok());
  CHECK(result.bundles < 90'000);
  CHECK(validate(text.block, result) == "");
}

}  // namespace tandem::test
