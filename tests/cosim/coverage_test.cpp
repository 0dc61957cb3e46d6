// Coverage: that bins record what happened, that files add up, and that random programs keep the
// floors.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "cosim/coverage/coverage_export.hpp"
#include "cosim/coverage/coverage_file.hpp"
#include "cosim/coverage/steering.hpp"
#include "cosim/session/random_session.hpp"
#include "runtime/error.hpp"
#include "runtime/models/cycle_machine.hpp"
#include "tests/copying.hpp"
#include "tests/cosim/text_program.hpp"
#include "tests/file_text.hpp"

using namespace tandem;  // NOLINT: a test file

namespace {

const Parameters& nano = *find_preset("nano");

BinCounts counts_of(const std::string& program) {
  const Image image = nano_image("c.s", program);
  const Launch launch = make_launch(image, {}, 1U << 20U, 1);
  Coverage coverage;
  coverage.begin(image);
  LockstepOptions options;
  options.detect_uninitialised = false;
  options.reader = [&coverage](const RetireRecord& record) { coverage.record(record); };
  options.timing = &coverage;
  const auto runner = make_lockstep_runner(launch, make_cycle_machine(nano, {}), options);
  runner->advance(100'000);
  BinCounts counts;
  add_counts(counts, coverage);
  return counts;
}

std::string complaint(const std::string& text) {
  try {
    read_coverage(text, "file");
  } catch (const runtime::Error& error) {
    return error.message;
  }
  return {};
}

}  // namespace

TEST_CASE("bins have different names, of eight groups") {
  const std::vector<std::string>& names = bin_table().names();
  CHECK(std::set<std::string>(names.begin(), names.end()).size() == names.size());
  CHECK(names.size() > 2000);
  CHECK(summarise({}).size() == 8);
}

TEST_CASE("a program hits the bins of what it does and no others") {
  const BinCounts counts = counts_of(R"(
        { s1 = mov 1 }
        { p3 = eq s1, 0 ; v1 = vmov 0x7fc00000 ; v2 = vmov 1.0 }
        { @!p3 v3 = vadd.f32 v1, v2 ; @p3 vst [8], v2 ; xu: v4 = rcp v2 }
        { v5 = vadd.s32 v4, s1 }
        { trap 5 }
)");
  const auto hits = [&counts](const std::string& name) {
    const auto found = counts.find(name);
    return found == counts.end() ? 0 : found->second;
  };
  CHECK(hits("operand/mov b 1") == 1);
  CHECK(hits("operand/eq b 0") == 1);
  CHECK(hits("operand/vadd.s32 y scalar") == 1);
  CHECK(hits("float/vadd.f32 NaN normal") == 8);
  CHECK(hits("predicate/va !p3 holds") == 1);
  CHECK(hits("predicate/st p3 does not") == 1);
  CHECK(hits("operand/vst stride 1") == 0);
  CHECK(hits("pair/va xu") == 1);
  CHECK(hits("hazard/scalar to sa after 1") == 1);
  CHECK(hits("hazard/eup to va after 1") == 1);
  CHECK(hits("stall/eup va") == 1);
  CHECK(hits("trap/explicit_trap sa") == 1);
}

TEST_CASE("what issues is counted beside the copies that are outstanding") {
  const BinCounts counts = counts_of(std::string(describe_copy) + R"(
        { dma: copy [s0], s0, s0 }
        { va: v1 = vlane }
        { dma: wait f0, 1 }
        { halt }
)");
  const auto hits = [&counts](const std::string& name) { return counts.contains(name); };
  CHECK(hits("dma/copy beside no copy"));
  CHECK(hits("dma/vlane beside 1 copy"));
  CHECK_FALSE(hits("dma/vlane beside no copy"));
  CHECK(hits("dma/wait beside no copy"));
  CHECK(hits("dma/halt beside no copy"));
}

TEST_CASE("what nothing can reach has a reason and counts in no sum") {
  const std::vector<GroupCoverage> groups = summarise({});
  std::size_t reachable = 0;
  for (const GroupCoverage& group : groups) {
    CHECK(group.missing.size() == group.bins);
    reachable += group.bins + group.unreachable.size();
  }
  CHECK(reachable == bin_table().size());
  CHECK(wrongly_unreachable({{"pair/sa sb", 1}}).empty());
  const std::string wrong = wrongly_unreachable({{"stall/drain va", 3}});
  CHECK(wrong.find("stall/drain va: hit 3 times") == 0);
  CHECK(wrong.find("nothing issues after the end") != std::string::npos);
  CHECK(coverage_page(groups, {}).find("nothing issues after the end") != std::string::npos);
}

TEST_CASE("files add up, and what is no coverage is refused") {
  const BinCounts counts{{"pair/sa sb", 3}, {"pair/va vb", 1}};
  const std::string text = coverage_json(counts).dump();
  BinCounts sum = read_coverage(text, "a");
  add_counts(sum, read_coverage(text, "b"));
  CHECK(sum == BinCounts{{"pair/sa sb", 6}, {"pair/va vb", 2}});
  CHECK(complaint("").find("file: ") == 0);
  CHECK(complaint("[1]").find("no JSON object") != std::string::npos);
  CHECK(complaint("{\"bins\": {}}").find("format") != std::string::npos);
  CHECK(complaint(R"({"format": "tandem coverage 1", "bins": {"a": -1}})").find("'a'") !=
        std::string::npos);
}

TEST_CASE("a group below its floor is told, and one that does not exist is refused") {
  const std::vector<GroupCoverage> groups = summarise({{"pair/sa sb", 3}});
  CHECK(below_floors(groups, R"({"pair": 2.7})", "f").empty());
  CHECK(below_floors(groups, R"({"pair": 2.8})", "f").find("pair: 2.78% is below") == 0);
  CHECK_THROWS(below_floors(groups, R"({"pears": 1})", "f"));
  CHECK(coverage_page(groups, {}).find("pair/va vb") != std::string::npos);
}

TEST_CASE("lcov gets a line for each bin that can be reached, with its count") {
  const BinCounts counts{{"pair/sa sb", 3}};
  const LcovFiles files = lcov_files(counts, "/somewhere");
  std::istringstream list(files.lists.at("pair"));
  std::size_t number = 0;
  for (std::string line; std::getline(list, line);) {
    ++number;
    if (line == "pair/sa sb") break;
  }
  const std::size_t file = files.tracefile.find("SF:/somewhere/pair\n");
  REQUIRE(file != std::string::npos);
  const std::string record =
      files.tracefile.substr(file, files.tracefile.find("end_of_record", file) - file);
  CHECK(record.find(fmt::format("DA:{},3\n", number)) != std::string::npos);
  CHECK(record.find("LH:1\n") != std::string::npos);
  for (const GroupCoverage& group : summarise(counts)) {
    INFO(group.group);
    const std::string& lines = files.lists.at(group.group);
    CHECK(static_cast<std::size_t>(std::count(lines.begin(), lines.end(), '\n')) == group.bins);
  }
}

TEST_CASE("UCIS XML has each bin once, and those that nothing can reach to be ignored") {
  const std::string text = ucis_xml({{"pair/sa sb", 3}}, {"<a> & \"b\""}, "2026-11-30T12:00:00");
  const auto count = [&text](const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
      ++found;
    }
    return found;
  };
  CHECK(count("<coverpointBin ") == bin_table().size());
  std::size_t unreachable = 0;
  for (const GroupCoverage& group : summarise({})) unreachable += group.unreachable.size();
  CHECK(count("type=\"ignore\"") == unreachable);
  CHECK(count("coverageCount=\"3\"") == 1);
  CHECK(count("<cgInstance ") == summarise({}).size());
  CHECK(count("<coverpoint ") == count("</coverpoint>"));
  CHECK(count("logicalName=\"&lt;a&gt; &amp; &quot;b&quot;\"") == 1);
}

TEST_CASE("steering draws what found something more often, and repeats") {
  KnobSteering steering(1);
  KnobSteering again(1);
  int dense = 0;
  for (int round = 0; round < 300; ++round) {
    const KnobChoices choices = steering.next({{"near", {5, 5}}});
    CHECK(again.next({{"near", {5, 5}}}) == choices);
    CHECK(choices.size() == random_knob_table().size());
    CHECK(choices.at("near") == KnobRange{5, 5});
    const bool is_dense = choices.at("density").low == 90;
    dense += is_dense ? 1 : 0;
    steering.reward(choices, is_dense ? 20 : 0);
    again.reward(choices, is_dense ? 20 : 0);
  }
  CHECK(dense > 150);  // one of five
}

TEST_CASE("random programs keep the floors of coverage") {
  Coverage coverage;
  RandomLockstep lockstep(nano, make_cycle_machine, {}, {}, "");
  lockstep.set_coverage(&coverage);
  for (std::uint64_t seed = 1; seed <= 160; ++seed) REQUIRE(lockstep.run(seed).passed());
  BinCounts counts;
  add_counts(counts, coverage);
  const std::vector<GroupCoverage> groups = summarise(counts);
  INFO(coverage_text(groups));
  const std::string path = "tests/cosim/coverage_floors.json";  // from the project's folder
  CHECK(below_floors(groups, file_text(path), path) == "");
  CHECK(wrongly_unreachable(counts).empty());
}
