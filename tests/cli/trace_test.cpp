// tandem run --trace, --pipeline, --wave and --window, and tandem diff.
#include <nlohmann/json.hpp>

#include "tests/cli/folder.hpp"

using namespace tandem;  // NOLINT: a test file

namespace {

// Copies a part of its own text to VMEM, waits, and works on it in a loop.
std::string program(const std::string& extra = "") {
  return R"(
        .target nano
        .text
        .global start
start:  s4 = mov 0x10400
        sst [0], s4
        s4 = mov 1
        sst [1], s4
        sst [7], s4
        sst [10], s4
        sst [13], s4
        s4 = mov 0x10000
        sst [2], s4
        s4 = mov 256
        sst [6], s4
        copy [0], s0, s0
        wait f1, 1
        s5 = mov 20
loop:   v1 = vld [0]
        marker 5
)" + extra +
         R"(
        { v2 = vadd.s32 v1, v1 ; s5 = sub s5, 1 }
        { vst [8], v2 ; p1 = ne s5, 0 }
        @p1 br loop
done:   halt
)";
}

nlohmann::json traced(const Folder& folder, const std::string& arguments) {
  const Output output = folder.run("run " + arguments + " --json");
  INFO(output.text);
  REQUIRE(output.status == 0);
  return nlohmann::json::parse(output.text);
}

}  // namespace

TEST_CASE("RTL and cycle-exact model write the same trace and the same pipeline log") {
  if (!has_nano()) return;
  const Folder folder;
  folder.write("k.s", program());
  traced(folder, "k.s --on rtl --trace r.pftrace --pipeline r.kanata");
  traced(folder, "k.s --on cycle --trace c.pftrace --pipeline c.kanata");
  CHECK(folder.read("r.pftrace").size() > 500);
  CHECK(folder.read("r.pftrace") == folder.read("c.pftrace"));
  CHECK(folder.read("r.kanata").starts_with("Kanata\t0004\n"));
  CHECK(folder.read("r.kanata") == folder.read("c.kanata"));
}

TEST_CASE("the result names the trace with its events and bytes") {
  const Folder folder;
  folder.write("k.s", program());
  const nlohmann::json result = traced(folder, "k.s --on cycle --trace x.pftrace");
  CHECK(result["trace"]["file"] == "x.pftrace");
  CHECK(result["trace"]["events"] > 300);
  CHECK(result["trace"]["bytes"] == folder.read("x.pftrace").size());
}

TEST_CASE("a file that is there is replaced, a link to one stays") {
  const Folder folder;
  folder.write("k.s", program());
  traced(folder, "k.s --on cycle --trace new.pftrace");
  const std::string expected = folder.read("new.pftrace");
  folder.write("old.pftrace", std::string(100'000, 'x'));
  traced(folder, "k.s --on cycle --trace old.pftrace");
  CHECK(folder.read("old.pftrace") == expected);
  folder.write("target.pftrace", "old");
  std::filesystem::create_symlink("target.pftrace", folder.path("link.pftrace"));
  traced(folder, "k.s --on cycle --trace link.pftrace");
  CHECK(std::filesystem::is_symlink(folder.path("link.pftrace")));
  CHECK(folder.read("target.pftrace") == expected);
}

TEST_CASE("a file that is replaced keeps its mode, one with two names stays one") {
  namespace fs = std::filesystem;
  const Folder folder;
  folder.write("k.s", program());
  folder.write("old.pftrace", "old");
  const fs::perms only_owner = fs::perms::owner_read | fs::perms::owner_write;
  fs::permissions(folder.path("old.pftrace"), only_owner);
  traced(folder, "k.s --on cycle --trace old.pftrace");
  CHECK(fs::status(folder.path("old.pftrace")).permissions() == only_owner);
  fs::create_hard_link(folder.path("old.pftrace"), folder.path("other.pftrace"));
  traced(folder, "k.s --on cycle --trace old.pftrace --window 0:100");
  CHECK(folder.read("old.pftrace") == folder.read("other.pftrace"));
}

TEST_CASE("long stalls are the same on RTL and cycle-exact model") {
  if (!has_nano()) return;
  const Folder folder;
  folder.write("k.s", R"(
        .target nano
        .text
        .global start
start:  s7 = mov 140000
        idle s7
        s5 = mov 1
        halt
)");
  const auto rtl = traced(folder, "k.s --on rtl --trace r.pftrace");
  traced(folder, "k.s --on cycle --trace c.pftrace");
  CHECK(rtl["cycles"] > 140'000);
  CHECK(folder.read("r.pftrace") == folder.read("c.pftrace"));
}

TEST_CASE("windows by cycle, label and marker hold less than the run") {
  const Folder folder;
  folder.write("k.s", program());
  const nlohmann::json all = traced(folder, "k.s --on cycle --trace x.pftrace");
  for (const char* window : {"60:160", ":160", "label=loop:done", "label=done", "marker=5:20"}) {
    INFO(window);
    const nlohmann::json part =
        traced(folder, std::string("k.s --on cycle --trace x.pftrace --window ") + window);
    CHECK(part["trace"]["events"] < all["trace"]["events"]);
    CHECK(part["trace"]["events"] > 5);
    CHECK(part["cycles"] == all["cycles"]);
  }
}

TEST_CASE("a window that cannot be is refused") {
  const Folder folder;
  folder.write("k.s", program());
  const auto refused = [&](const std::string& window, const std::string& why) {
    check_refused(folder.run("run k.s --on cycle --trace x.pftrace --window " + window), 2, why);
  };
  refused("20:10", "it is empty");
  refused("20", "two ends");
  refused("a:b", "not a number");
  refused("label=", "a label is missing");
  refused("label=nowhere", "no label 'nowhere'");
  refused("marker=6", "never gets there");
  refused("marker=x", "not a number");
  check_refused(folder.run("run k.s --on cycle --window 1:2"), 2, "none of them is there");
}

TEST_CASE("files over time need names of their own") {
  const Folder folder;
  folder.write("k.s", program());
  const Output output = folder.run("run k.s --on cycle --trace x --pipeline x");
  CHECK(output.status == 2);
  CHECK(output.text.find("two outputs of this command go there") != std::string::npos);
}

TEST_CASE("what has no time or no place to go is refused") {
  const Folder folder;
  folder.write("k.s", program());
  check_refused(folder.run("run k.s --trace x.pftrace"), 2, "golden model knows no time");
  check_refused(folder.run("run k.s --on cycle --wave x.fst"), 2, "--wave needs --on rtl");
  check_refused(folder.run("run k.s --on cycle --trace no/x.pftrace"), 2, "cannot create");
}

TEST_CASE("diff names the cycle in which two runs part and who lost the time") {
  const Folder folder;
  folder.write("a.s", program());
  folder.write("b.s", program("        idle 3\n"));
  const std::uint64_t a = traced(folder, "a.s --on cycle --trace a.pftrace")["cycles"];
  const std::uint64_t b = traced(folder, "b.s --on cycle --trace b.pftrace")["cycles"];
  CHECK(folder.run("diff a.pftrace a.pftrace").status == 0);
  const Output text = folder.run("diff a.pftrace b.pftrace");
  CHECK(text.status == 1);
  CHECK(contains(text.text, "the runs part in cycle"));
  const Output json = folder.run("diff a.pftrace b.pftrace --json --by label");
  const auto result = nlohmann::json::parse(json.text);
  CHECK(result["cycles"]["second"] == b);
  std::int64_t lost = 0;
  for (const auto& cause : result["causes"]) lost += cause["change"].get<std::int64_t>();
  CHECK(lost == static_cast<std::int64_t>(b) - static_cast<std::int64_t>(a));
  CHECK(result["causes"][0]["name"] == "idling");
  CHECK(result["causes"][0]["change"] == 60);
  CHECK(result["places"][0]["name"] == "loop");
}

TEST_CASE("diff refuses what is no trace of a whole run") {
  const Folder folder;
  folder.write("k.s", program());
  folder.write("x.txt", "no trace");
  traced(folder, "k.s --on cycle --trace whole.pftrace");
  traced(folder, "k.s --on cycle --trace part.pftrace --window 10:50");
  check_refused(folder.run("diff whole.pftrace part.pftrace"), 2, "part of a run");
  check_refused(folder.run("diff whole.pftrace x.txt"), 2, "x.txt");
  check_refused(folder.run("diff whole.pftrace gone.pftrace"), 2, "cannot open");
  CHECK(folder.run("run k.s --on cycle --limit 30 --trace cut.pftrace").status == 1);
  check_refused(folder.run("diff whole.pftrace cut.pftrace"), 2, "broken off");
}
