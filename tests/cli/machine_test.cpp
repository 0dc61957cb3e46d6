// Machines by their sizes, where commands take a preset.
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/cli/folder.hpp"

using namespace tandem;  // NOLINT: a test file

namespace {

constexpr const char* wide = "lanes=32,vmem=2MiB,smem=64KiB,icache=2048";
constexpr const char* text = "        .target small\n        s1 = mov LANES\n        halt\n";

}  // namespace

TEST_CASE("a machine from its sizes or from a file has one name") {
  const Folder folder;
  folder.write("wide.toml", "preset = \"edge\"\nlanes = 32\nvmem = \"2MiB\"\n");
  for (const std::string given : {"edge,lanes=32,vmem=2MiB", "wide.toml"}) {
    const Output ran = folder.run("machine " + given);
    CHECK(ran.status == 0);
    CHECK_THAT(ran.text, Catch::StartsWith(std::string(wide) + "\n  lanes   32 "));
  }
  CHECK_THAT(folder.run("machine --json wide.toml").text, Catch::Contains("\"vmem\": 2097152"));
}

TEST_CASE("a program for a machine of other sizes runs on that machine alone") {
  const Folder folder;
  folder.write("k.s", text);
  folder.write("wide.toml", "preset = \"edge\"\nlanes = 32\nvmem = \"2MiB\"\n");
  CHECK(folder.run("asm k.s -o k.elf --machine wide.toml").status == 0);
  CHECK(folder.run("run k.elf").status == 0);
  CHECK(folder.run("run k.elf --on cycle --preset vmem=2MiB,lanes=32,icache=2048").status == 0);
  check_refused(folder.run("run k.elf --preset edge"), 2,
                "built for preset `lanes=32,vmem=2MiB,smem=64KiB,icache=2048` (lanes 32), this "
                "machine is `edge` (lanes 64)");
  check_refused(folder.run("run k.elf --on rtl"), 2, "scripts/rtl --machine " + std::string(wide));
}

TEST_CASE("a machine's name may choose the memory's timing") {
  const Folder folder;
  folder.write("k.s", text);
  folder.write("slow.toml", "lanes = 32\nhbm_latency = 400\n");
  const auto cycles = [&](const std::string& machine) {
    const auto told =
        nlohmann::json::parse(folder.run("run k.s --on cycle --json --machine " + machine).text);
    return told["cycles"].get<std::uint64_t>();
  };
  const std::uint64_t usual = cycles("lanes=32");
  CHECK(cycles("lanes=32,hbm_latency=40") == usual);
  CHECK(cycles("slow.toml") >= usual + 360);
  CHECK_THAT(folder.run("machine slow.toml").text, Catch::Contains("hbm_latency     400"));
  check_refused(folder.run("lockstep --random 1 --models golden,cycle --machine slow.toml"), 2,
                "draw the memory's timing from their seed");
}

TEST_CASE("the text of a program for such a machine assembles to the same program") {
  const Folder folder;
  folder.write("k.s", text);
  CHECK(folder.run("asm k.s -o k.elf --machine edge,lanes=32,vmem=2MiB").status == 0);
  const Output listing = folder.run("dis k.elf");
  CHECK_THAT(listing.text, Catch::Contains(".target \"" + std::string(wide) + "\""));
  folder.write("again.s", listing.text);
  CHECK(folder.run("asm again.s -o again.elf").status == 0);
  CHECK(folder.read("again.elf") == folder.read("k.elf"));
}

TEST_CASE("a file that names no machine is refused with its line") {
  const Folder folder;
  const auto refused = [&](const std::string& contents, const std::string& why) {
    folder.write("bad.toml", contents);
    check_refused(folder.run("machine bad.toml"), 2, why);
  };
  refused("", "bad.toml: names no preset and no size");
  refused("lanes = 32\nvmem = 1.5\n", "bad.toml:2: a size is a number");
  refused("lanes = 32\nlanes = 16\n", "bad.toml:2");
  refused("lanes = 33\n", "bad.toml: lanes is a power of two from 8 to 128, not '33'");
  refused("[[&x]]\n", "bad.toml");
  refused("lanes = \"32,vmem=2MiB\"\n", "bad.toml:1: a line gives one size: '32,vmem=2MiB'");
  refused("smem = \"16KiB\"\n\"lanes=32,vmem\" = 16\n", "bad.toml:2: a line gives one size");
  check_refused(folder.run("machine nothere.toml"), 2, "nothere.toml: cannot open");
}

TEST_CASE("the page of machines shows what the command prints") {
  std::ifstream file("docs/machines.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  const Folder folder;
  for (const std::string command : {"machine lanes=32,vmem=2MiB", "machine lanes=12"}) {
    std::string shown = "    $ build/tandem " + command + "\n";
    std::istringstream lines(folder.run(command).text);
    for (std::string line; std::getline(lines, line);) shown += "    " + line + "\n";
    CHECK_THAT(page, Catch::Contains(shown));
  }
}
