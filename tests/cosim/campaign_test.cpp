// Campaign files, and a store of results that is killed, torn, damaged and merged.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "cosim/campaign/campaign.hpp"
#include "cosim/campaign/run_seed.hpp"
#include "cosim/campaign/store.hpp"
#include "cosim/campaign/summary.hpp"
#include "runtime/error.hpp"

using namespace tandem;  // NOLINT: a test file

namespace {

constexpr const char* two_sets = R"(
name = "two"
seeds = 5
pack = 2
models = "golden,cycle"
presets = ["nano", "full"]
[[knobs]]
name = "dense"
density = 90
[[knobs]]
name = "sparse"
density = 5
illegal = false
)";

class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "tandem-store-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] std::string path(const std::string& name) const { return (path_ / name).string(); }
  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

SeedRecord record(std::uint64_t seed, const std::string& outcome = "halted") {
  return {"nano k", "b", seed, outcome, outcome == "halted", 10 * seed, 20 * seed, 7, "", ""};
}

std::string complaint(const std::string& text) {
  try {
    parse_campaign(text, "c.toml");
  } catch (const runtime::Error& error) {
    return error.message;
  }
  return "accepted";
}

std::uint64_t seeds_read(const std::string& folder) {
  Store store(folder, "b");
  store.refresh();
  const auto found = store.results().find("nano k");
  return found == store.results().end() ? 0 : found->second.size();
}

}  // namespace

TEST_CASE("what else a seed found stands in its line as JSON, and comes back") {
  SeedRecord with_data = record(3);
  with_data.data = R"({"cycles":60})";
  const std::string line = record_line(with_data);
  CHECK(line.find(R"("data":{"cycles":60})") != std::string::npos);
  CHECK(parse_record(line.substr(0, line.size() - 1)).value().data == with_data.data);
  const std::string without = record_line(record(3));
  CHECK(parse_record(without.substr(0, without.size() - 1)).value().data.empty());
}

TEST_CASE("a campaign's units cover every seed of every configuration once") {
  const Campaign campaign = parse_campaign(two_sets, "c.toml");
  REQUIRE(campaign.configurations.size() == 4);
  CHECK(campaign.configurations[3].title() == "full/sparse");
  CHECK(random_knobs(3, campaign.configurations[0].knobs).density == 90);
  std::set<std::pair<std::size_t, std::uint64_t>> seen;
  for (const Unit& unit : campaign_units(campaign)) {
    for (std::uint64_t i = 0; i < unit.count; ++i) {
      CHECK(seen.insert({unit.configuration, unit.first + i}).second);
    }
  }
  CHECK(seen.size() == 4 * 5);
}

TEST_CASE("a campaign file's mistakes are named with their line") {
  const std::string ok = "presets = [\"nano\"]\n";
  CHECK(complaint(ok) == "accepted");
  const std::pair<const char*, const char*> mistakes[] = {
      {"seeds = 0\n", "c.toml:2: seeds is a whole number from 1"},
      {"seeds = 1.5\n", "c.toml:2: seeds is a whole number"},
      {"colour = 1\n", "c.toml:2: there is no 'colour' here"},
      {"models = \"rtl\"\n", "c.toml:2: models is rtl,golden,cycle or"},
      {"plant = \"nothing\"\n", "c.toml:2: "},
      {"knobs = 3\n", "c.toml:2: sets of knobs are written as [[knobs]]"},
      {"[[knobs]]\ndensity = 101\n",
       "c.toml:3: knob density takes a number or LOW..HIGH within 0 to 100, not '101'"},
      {"[[knobs]]\nillegal = 2\n", "c.toml:3: knob illegal takes a number"},
      {"[[knobs]]\nfoo = 1\n", "c.toml:3: no knob is called 'foo'"},
      {"[[knobs]]\n[[knobs]]\n", "c.toml:3: a second set of knobs called default"},
      {"[[knobs\n", "c.toml:2: "},
      {"# \xc6\x87\n", "c.toml:2: not ASCII"},
      {"[[&x]]\n", "c.toml: this is no TOML"},
  };
  for (const auto& [text, message] : mistakes) {
    INFO(text);
    CHECK_THAT(complaint(ok + text), Catch::StartsWith(message));
  }
  CHECK_THAT(complaint("presets = [\"huge\"]\n"),
             Catch::StartsWith("c.toml:1: there is no machine 'huge'"));
  CHECK_THAT(complaint("presets = [\"nano\", \"nano\"]\n"), Catch::Contains("twice"));
  CHECK_THAT(complaint(""), Catch::StartsWith("c.toml: presets is a list"));
}

TEST_CASE("a record comes back from its line, and from no line with a bit changed") {
  SeedRecord failure = record(17, "mismatch");
  failure.signature = "mismatch write.data";
  failure.report = "two\nlines \xff\n";
  const std::string line = record_line(failure);
  CHECK(line.find('\n') == line.size() - 1);
  const auto back = parse_record({line.data(), line.size() - 1});
  REQUIRE(back);
  CHECK(back->seed == 17);
  CHECK(back->signature == failure.signature);
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    std::string changed = line.substr(0, line.size() - 1);
    changed[i] = static_cast<char>(changed[i] ^ 1);
    CHECK_FALSE(parse_record(changed));
  }
}

TEST_CASE("a store cut anywhere keeps every whole record and takes new ones") {
  const Folder folder;
  std::string text;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) text += record_line(record(seed));
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    const std::string store = folder.path(std::to_string(cut));
    std::filesystem::create_directories(store);
    std::ofstream(store + "/a.results", std::ios::binary) << text.substr(0, cut);
    const auto whole = static_cast<std::uint64_t>(
        std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(cut), '\n'));
    REQUIRE(seeds_read(store) == whole);
    { StoreWriter(store).append(record(9)); }
    REQUIRE(seeds_read(store) == whole + 1);
  }
}

TEST_CASE("a store sees what is appended while it is read") {
  const Folder folder;
  Store store(folder.path(), "b");
  StoreWriter writer(folder.path());
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    writer.append(record(seed));
    store.refresh();
    CHECK(store.has("nano k", seed));
    CHECK(store.records() == seed);
  }
}

TEST_CASE("a store counts a seed once, damage and other builds not at all") {
  const Folder folder;
  SeedRecord foreign = record(4);
  foreign.build = "another";
  std::string damaged = record_line(record(5));
  damaged[20] ^= 1;
  std::ofstream(folder.path("a.results"), std::ios::binary)
      << record_line(record(1)) << record_line(record(2)) << record_line(foreign) << damaged;
  std::ofstream(folder.path("b.results"), std::ios::binary)
      << record_line(record(1)) << record_line(record(2, "mismatch")) << record_line(record(3));
  Store store(folder.path(), "b");
  store.refresh();
  CHECK(store.results().at("nano k").size() == 3);
  CHECK(store.duplicates() == 2);
  CHECK(store.damaged() == 1);
  CHECK(store.of_other_builds() == 1);
  REQUIRE(store.contradictions().size() == 1);
  CHECK(store.contradictions()[0].second == 2);
  CHECK_FALSE(store.results().at("nano k").at(2).passed);  // the failure is not forgotten
}

TEST_CASE("merging takes every result once and may be done again") {
  const Folder folder;
  for (const std::string name : {"a", "b"}) {
    StoreWriter writer(folder.path(name));
    writer.append(record(1));
    writer.append(record(name == "a" ? 2 : 3));
  }
  const std::vector<std::string> both{folder.path("a"), folder.path("b")};
  CHECK(merge_stores(folder.path("all"), both) == 3);
  CHECK(merge_stores(folder.path("all"), both) == 0);
  CHECK(seeds_read(folder.path("all")) == 3);
  CHECK_THROWS_AS(merge_stores(folder.path("all"), {folder.path("none")}), runtime::Error);
}

TEST_CASE("planted failures are found, carry the operation, and are one kind") {
  const Folder folder;
  const Campaign campaign = parse_campaign(
      "presets = [\"nano\"]\nmodels = \"golden,cycle\"\nseeds = 6\nplant = \"write.data@40\"\n",
      "c.toml");
  {
    StoreWriter writer(folder.path());
    SeedRunner runner(campaign.configurations[0], {});
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      SeedRecord result = runner.run(seed);
      result.build = "b";
      CHECK_FALSE(result.passed);
      CHECK_THAT(
          result.report,
          Catch::Contains(
              "tandem lockstep --random 1 --models golden,cycle --plant write.data@40 --seed "));
      writer.append(result);
    }
  }
  Store store(folder.path(), "b");
  store.refresh();
  const CampaignSummary summary = summarise(campaign, store, "b");
  CHECK(summary.done == 5);
  CHECK(summary.failed == 5);
  CHECK_FALSE(summary.passed());
  REQUIRE(summary.kinds.size() == 1);
  CHECK(summary.kinds[0].count == 5);
  CHECK_THAT(summary.kinds[0].signature, Catch::StartsWith("mismatch write.data "));
  CHECK_THAT(summary_text(summary, "c.toml"),
             Catch::Contains("5 of 6 seeds, 5 failed (1 kinds), 1 missing"));
  CHECK_THAT(summary_junit(summary), Catch::Contains("failures=\"1\" errors=\"0\""));
  CHECK_THAT(summary_page(summary, "c.toml"), Catch::Contains("--repeat nano/default/1"));
}
