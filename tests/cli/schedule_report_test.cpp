// The schedules of linear blocks, as reported by `tandem asm` and the report page.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "report/page.hpp"
#include "tests/cli/folder.hpp"

using namespace tandem;  // NOLINT: a test file

namespace {

constexpr const char* looped = R"(        .target small
        .linear work
        %v = vlane
        %i = mov 0
loop:   %x = exp2 %v
        vst [%i], %x
        %i = add %i, 8
        %more = lt.s32 %i, 64
        @%more br loop
        %n = mov 0
other:  marker 1
        %n = add %n, 1
        %again = lt.s32 %n, 3
        @%again br other
        halt
        .endlinear
)";

nlohmann::json reported(const Folder& folder) {
  folder.write("k.s", looped);
  const Output output = folder.run("asm k.s -o k.elf --report - --json");
  INFO(output.text);
  REQUIRE(output.status == 0);
  return nlohmann::json::parse(output.text);
}

}  // namespace

TEST_CASE("asm --report --json tells blocks and loops") {
  const Folder folder;
  const nlohmann::json blocks = reported(folder);
  REQUIRE(blocks.size() == 1);
  const nlohmann::json& block = blocks[0];
  CHECK(block["name"] == "work");
  CHECK(block["source"] == "k.s:2");
  CHECK(block["schedule"] == "full");
  CHECK(block["operations"] == 13);
  CHECK(block["first_bundle"] == 0);
  CHECK(block["spills"] == nlohmann::json{{"constants", 0}, {"words", 0}, {"row_slots", 0}});
  REQUIRE(block["loops"].size() == 2);
  const nlohmann::json& loop = block["loops"][0];
  CHECK(loop["branch"] == "k.s:9");
  CHECK(loop["head"] == "k.s:5");
  CHECK(loop["interval"] == 4);
  CHECK(loop["minimum"] == 4);
  CHECK(loop["bound"]["by"] == "EUP");
  CHECK(loop["reason"].is_null());
  CHECK(loop["registers"]["v"] >= 2);
  CHECK(loop["first_bundle"] >= 1);
  const nlohmann::json& other = block["loops"][1];
  CHECK(other["first_bundle"] >= loop["first_bundle"].get<int>() + loop["bundles"].get<int>());
  CHECK(other["first_bundle"].get<int>() + other["bundles"].get<int>() <= block["bundles"]);
  CHECK(other["interval"].is_null());
  CHECK(other["culprit"] == "k.s:11");
  CHECK(other["reason"] == "a marker in the loop");
}

TEST_CASE("asm --report writes text, to a file or standard output") {
  const Folder folder;
  folder.write("k.s", looped);
  REQUIRE(folder.run("asm k.s -o k.elf --report report.txt").status == 0);
  const std::string text = folder.read("report.txt");
  CHECK_THAT(text, Catch::StartsWith("k.s:2: work: 13 operations in "));
  CHECK_THAT(text, Catch::Contains("\n  k.s:9: interval 4 of at least 4 (EUP), "));
  CHECK_THAT(text, Catch::Contains("\n  k.s:14: not pipelined: a marker in the loop (line 11)\n"));
  const Output loops = folder.run("asm k.s -o k.elf --loops");
  CHECK_THAT(loops.text, Catch::StartsWith("k.s:9: interval 4 of at least 4 (EUP), "));
}

TEST_CASE(
    "asm --json is about the report where there is one, and no report goes over the program") {
  const Folder folder;
  folder.write("k.s", looped);
  CHECK(contains(folder.run("asm k.s -o k.elf --json").text, "\"diagnostics\""));
  CHECK(!contains(folder.run("asm k.s -o k.elf --json --report -").text, "\"diagnostics\""));
  check_refused(folder.run("asm k.s -o k.elf --report k.elf"), 2, "k.elf");
}

TEST_CASE("the report page has the schedule of a program's linear blocks") {
  const Folder folder;
  const nlohmann::json blocks = reported(folder);
  REQUIRE(folder.run("report k.s -o page.html").status == 0);
  const nlohmann::json data = page_data(folder.read("page.html")).value();
  CHECK(data["schedule"] == blocks);
  REQUIRE(folder.run("report k.elf -o elf.html").status == 0);
  CHECK(page_data(folder.read("elf.html")).value()["schedule"].empty());
}
