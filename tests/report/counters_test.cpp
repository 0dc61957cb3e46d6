// Counters as text and JSON.
#include "report/counters.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "assembler/assembler.hpp"

using namespace tandem;  // NOLINT: a test file

namespace {

Image marked_program() {
  const std::vector<SourceText> sources{
      {"test.s", ".global start\nstart: marker 1\nloop: { s4 = mov 1 }\nmarker 2\nhalt\n"}};
  const LinkResult result = build(sources);
  REQUIRE(result.ok());
  return make_image(result.program);
}

CounterValues values(std::uint64_t cycles, std::uint64_t issued) {
  CounterValues counters;
  counters.cycles = cycles;
  counters.causes[static_cast<std::size_t>(StallCause::issued)] = issued;
  counters.causes[static_cast<std::size_t>(StallCause::eup)] = cycles - issued;
  return counters;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("Counters as text give share and meaning of every counter that counted") {
  CounterValues counters = values(1000, 0);
  counters.causes.fill(1);
  counters.events.fill(1);
  counters.causes[static_cast<std::size_t>(StallCause::eup)] = 750;
  const std::string text = counters_text(counters, presets[1]);
  CHECK(contains(text, "  eup                          750  75.0 %"));
  for (const CounterRow& row : stall_causes()) CHECK(contains(text, std::string(row.meaning)));
  for (const CounterRow& row : counted_events()) CHECK(contains(text, std::string(row.meaning)));
}

TEST_CASE("Counters as text begin with the largest cause and leave out what counted nothing") {
  const std::string text = counters_text(values(1000, 250), presets[1]);
  CHECK(text.find("  eup ") < text.find("  issued "));
  CHECK_FALSE(contains(text, "  drain "));
}

TEST_CASE("Counters as JSON hold every counter") {
  const nlohmann::json json = counters_json(values(1000, 250), presets[1]);
  CHECK(json["causes"].size() == cause_count);
  CHECK(json["events"].size() == event_count);
  CHECK(json["causes"]["eup"] == 750);
  CHECK(json["figures"]["cycles_per_bundle"] == 4);
}

TEST_CASE("A region is called by its number and the label it stands at") {
  const Image image = marked_program();
  CHECK(region_name({std::nullopt, 0, 1, {}}, image) == "start");
  CHECK(region_name({2, 2, 1, {}}, image) == "marker 2 (loop+1)");
}

TEST_CASE("Regions as JSON name their source line") {
  const Image image = marked_program();
  const std::vector<CounterRegion> regions{{std::nullopt, 0, 1, values(5, 2)},
                                           {2, 2, 3, values(10, 4)}};
  const nlohmann::json json = regions_json(regions, image);
  CHECK(json[0]["marker"].is_null());
  CHECK(json[1]["marker"] == 2);
  CHECK(json[1]["source"] == "test.s:4");
  CHECK(json[1]["times"] == 3);
  CHECK(json[1]["cycles"] == 10);
}

TEST_CASE("Regions as text leave out what counted nothing") {
  const Image image = marked_program();
  const std::vector<CounterRegion> regions{{std::nullopt, 0, 1, values(5, 2)},
                                           {2, 2, 3, values(10, 4)}};
  const std::string text = regions_text(regions, image);
  CHECK(contains(text, "region marker 2 (loop+1), 3 times"));
  CHECK(contains(text, "66.7 %"));
  CHECK_FALSE(contains(text, "sync_wait"));
}
