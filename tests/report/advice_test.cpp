// The advice of a page, from known counters and lines.
#include "report/advice.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "isa/registers/registers.hpp"
#include "report/explanation.hpp"

using namespace tandem;  // NOLINT: a test file

namespace {

struct Row {
  std::string cause;
  std::string of_kernel;
  std::string of_compiled;
};
const Row rows[] = {
#define REMEDY(cause, kernel, compiled) {#cause, kernel, compiled},
#include "report/remedies.def"
#undef REMEDY
};

// 1,000 cycles, of which the matrix unit needs 300.
nlohmann::json run_with(const nlohmann::json& lines, const nlohmann::json& operations) {
  return {{"program", "k.s"},
          {"preset", {{"name", "small"}}},
          {"counters",
           {{"cycles", 1000},
            {"causes", {{"issued", 100}, {"sync_wait", 896}, {"branch", 4}}},
            {"figures",
             {{"mxu_use", 0.3},
              {"valu_use", 0.1},
              {"memory_read_use", 0.2},
              {"memory_write_use", 0.05}}}}},
          {"lines", {{"rows", lines}}},
          {"operations", {{"rows", operations}}}};
}

const nlohmann::json two_lines = nlohmann::json::parse(R"([
  {"source": "k.s:1", "text": " a", "cycles": 60, "lost": {"eup": 10, "drain": 4, "idling": 40}},
  {"source": "k.s:2", "text": " b", "cycles": 940, "lost": {"sync_wait": 896}}])");

}  // namespace

TEST_CASE("advice goes by what it gains, no more than is above the busiest unit's work") {
  const nlohmann::json advice = advice_json(run_with(two_lines, nlohmann::json::array()));
  CHECK(advice["busiest"] == nlohmann::json({{"unit", "matrix unit"}, {"cycles", 300}}));
  REQUIRE(advice["rows"].size() ==
          2);  // 4 cycles are less than half a percent; idling is asked for
  CHECK(advice["rows"][0]["source"] == "k.s:2");
  CHECK(advice["rows"][0]["cause"] == "sync_wait");
  CHECK(advice["rows"][0]["cycles"] == 896);
  CHECK(advice["rows"][0]["at_most"] == 700);
  CHECK(advice["rows"][1]["cause"] == "eup");
  CHECK(advice["rows"][1]["at_most"] == 10);
}

TEST_CASE("compiled programs and kernels have remedies of their own") {
  const auto remedy = [](const nlohmann::json& operations) {
    return advice_json(run_with(two_lines, operations))["rows"][0]["remedy"];
  };
  const auto row = std::find_if(std::begin(rows), std::end(rows),
                                [](const Row& one) { return one.cause == "sync_wait"; });
  CHECK(remedy(nlohmann::json::array()) == row->of_kernel);
  CHECK(remedy({{{"operation", "jit(f)/add"}}}) == row->of_compiled);
}

TEST_CASE("without lines the program as a whole is advised") {
  const nlohmann::json none = nlohmann::json::array();
  const nlohmann::json advice = advice_json(run_with(none, none));
  REQUIRE(advice["rows"].size() == 1);
  CHECK(advice["rows"][0]["source"] == "");
  CHECK(advice["rows"][0]["at_most"] == 700);
}

TEST_CASE("an explanation names lines, what they lose cycles to, and remedies") {
  nlohmann::json run = run_with(two_lines, nlohmann::json::array());
  run["advice"] = advice_json(run);
  const std::string text = explanation_text(run, 1);
  CHECK(text.find("k.s on small: 1000 cycles, 100 bundles issued\n") == 0);
  CHECK(text.find("roof: matrix unit has work for 300 cycles, 30% of them\n") != std::string::npos);
  CHECK(text.find("       940  94%  k.s:2  b\n") != std::string::npos);
  CHECK(text.find("lost to sync_wait 896\n") != std::string::npos);
  CHECK(text.find("k.s:1") == std::string::npos);  // one row of each
  CHECK(text.find("       700  70%  k.s:2, sync_wait\n") != std::string::npos);
}

TEST_CASE("every remedy is of a cause, and in the document") {
  std::ifstream file("docs/performance.md");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  for (const Row& row : rows) {
    INFO(row.cause);
    const auto causes = stall_causes();
    CHECK(std::any_of(causes.begin(), causes.end(),
                      [&](const CounterRow& cause) { return cause.name == row.cause; }));
    CHECK(text.find(" | " + row.of_kernel + " | " + row.of_compiled + " |\n") != std::string::npos);
  }
}
