// `--counters` on the RTL: a whole program and its regions.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/cli/folder.hpp"

using namespace tandem;  // NOLINT: a test file

namespace {

// Three iterations of a loop between marker 1 and marker 2, once with EUP results to wait for.
constexpr const char* marked = R"(
        .target nano
        { v1 = vlane }
        { s4 = mov 3 }
loop:   marker 1
        { v2 = exp2 v1 }
        { v3 = vadd.f32 v2, v2 ; s4 = sub s4, 1 }
        { marker 2 ; p1 = ne s4, s0 }
        { @p1 br loop }
        { halt }
)";

std::uint64_t sum(const nlohmann::json& counts) {
  std::uint64_t total = 0;
  for (const nlohmann::json& count : counts) total += count.get<std::uint64_t>();
  return total;
}

}  // namespace

TEST_CASE("regions add up to the whole, counter by counter") {
  if (!has_nano()) return;
  const Folder folder;
  folder.write("k.s", marked);
  const Output output = folder.run("run k.s --on rtl --counters --json");
  REQUIRE(output.status == 0);
  const nlohmann::json result = nlohmann::json::parse(output.text);
  const nlohmann::json& whole = result["counters"];
  CHECK(sum(whole["causes"]) == whole["cycles"]);
  REQUIRE(result["regions"].size() == 3);
  CHECK(result["regions"][1]["times"] == 3);
  CHECK(result["regions"][1]["place"] == "loop");
  for (const char* kind : {"causes", "events"}) {
    for (const auto& [name, count] : whole[kind].items()) {
      INFO(name);
      std::uint64_t total = 0;
      for (const nlohmann::json& region : result["regions"]) {
        total += region[kind][name].get<std::uint64_t>();
      }
      CHECK(total == count);
    }
  }
}

TEST_CASE("a region holds what happens behind its marker, up to the next one") {
  if (!has_nano()) return;
  const Folder folder;
  folder.write("k.s", marked);
  const Output output = folder.run("run k.s --on rtl --counters --json");
  const nlohmann::json regions = nlohmann::json::parse(output.text)["regions"];
  const nlohmann::json& loop = regions[1];
  CHECK(loop["causes"]["issued"] == 9);  // exp2, vadd and the second marker, three times
  CHECK(loop["events"]["slot_xu"] == 3);
  // A result lands 5 cycles after its issue; the first time round, fetch hides one of them.
  CHECK(loop["causes"]["eup"] == 14);
  CHECK(loop["causes"]["branch"] == 0);
  const nlohmann::json& rest = regions[2];
  CHECK(rest["events"]["branches_taken"] == 2);
  CHECK(rest["causes"]["branch"] == 2);
}

TEST_CASE("counters as text explain themselves and name the regions") {
  if (!has_nano()) return;
  const Folder folder;
  folder.write("k.s", marked);
  const Output output = folder.run("run k.s --on rtl --counters");
  CHECK(contains(output.text, "The machine has started and its argument block is not in SMEM yet"));
  CHECK(contains(output.text, "region marker 1 (loop), 3 times"));
}

TEST_CASE("lockstep counts as a run on the RTL does") {
  if (!has_nano()) return;
  const Folder folder;
  folder.write("k.s", marked);
  const Output rtl = folder.run("run k.s --on rtl --counters --json");
  const Output lockstep = folder.run("lockstep k.s --counters --json");
  CHECK(nlohmann::json::parse(rtl.text)["regions"] ==
        nlohmann::json::parse(lockstep.text)["regions"]);
}

TEST_CASE("a mismatch has one number of cycles, however far the machine went on") {
  if (!has_nano()) return;
  const Folder folder;
  folder.write("k.s", marked);
  const std::string plant = "lockstep k.s --counters --json --plant write.data@5 --threads ";
  std::vector<nlohmann::json> results;
  for (const char* threads : {"1", "2"}) {
    const Output output = folder.run(plant + threads);
    CHECK(output.status == 1);
    results.push_back(nlohmann::json::parse(output.text));
    const nlohmann::json& result = results.back();
    CHECK(result["outcome"] == "mismatch");
    CHECK(result["cycles"] == result["report"]["cycle"]);
    CHECK(result.value("counters", nlohmann::json{{"cycles", result["cycles"]}})["cycles"] ==
          result["cycles"]);
  }
  CHECK(results[0]["cycles"] == results[1]["cycles"]);
  const Output halted = folder.run("lockstep k.s --counters --json");
  const nlohmann::json whole = nlohmann::json::parse(halted.text);
  CHECK(whole["counters"]["cycles"] == whole["cycles"]);
}

TEST_CASE("the cycle-exact model counts as the RTL does, regions too") {
  if (!has_nano()) return;
  const Folder folder;
  folder.write("k.s", marked);
  for (const char* memory : {"", " --jitter 40 --memory-seed 3"}) {
    const std::string options = std::string("k.s --counters --json") + memory;
    nlohmann::json rtl = nlohmann::json::parse(folder.run("run --on rtl " + options).text);
    nlohmann::json cycle = nlohmann::json::parse(folder.run("run --on cycle " + options).text);
    CHECK(rtl["counters"] == cycle["counters"]);
    CHECK(rtl["regions"] == cycle["regions"]);
  }
}
