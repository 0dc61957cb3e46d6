// What people see on a terminal: help, hints, colours, and diagnostics for their editors.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "cli/terminal/colour.hpp"
#include "tests/cli/folder.hpp"

using namespace tandem;  // NOLINT: a test file

namespace {

constexpr const char* mistaken = "        { v1 = vmull.f32 v2, v3 }\n";
constexpr const char* doubtful = "        { v1 = vadd.f32 v2, 2 }\n        { halt }\n";

std::string without_colours(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      i = text.find('m', i);
    } else {
      plain += text[i];
    }
  }
  return plain;
}

}  // namespace

TEST_CASE("help COMMAND is COMMAND --help") {
  const Folder folder;
  CHECK(folder.run("help").text == folder.run("--help").text);
  CHECK(folder.run("help lockstep").text == folder.run("lockstep --help").text);
  CHECK(folder.run("help npy make").text == folder.run("npy make --help").text);
  CHECK(folder.run("help lockstep").status == 0);
  check_refused(folder.run("help nonsense"), 2, "unknown subcommand 'nonsense'");
}

TEST_CASE("the debugger's answers are coloured where that is asked for, and nothing else changes") {
  const Folder folder;
  folder.write("k.s", std::string(count_down) + "s2 = sld [5000]\n");
  folder.write("c", "watch s1\nc\nc\ndelete\ngoto 9\n");
  const auto debugged = [&folder](const std::string& before, const std::string& options) {
    return folder.run("debug k.s " + options + " <c", before).text;
  };
  const std::string coloured = debugged("NO_COLOR= CLICOLOR_FORCE=1", "");
  CHECK(contains(coloured, "\x1b[1mbundle 0  pc 0  k.s:3\x1b[0m\n"));
  CHECK(contains(coloured, "\x1b[1;32m    =>  { sa: s1 = sub s1, 1"));
  CHECK(contains(coloured, "\x1b[1;36mwatchpoint 1\x1b[0m: s1\n"));
  CHECK(contains(coloured, "  s1: 0 -> \x1b[1;35m5\x1b[0m\n"));
  const std::string plain = debugged("NO_COLOR=1 CLICOLOR_FORCE=1", "");
  CHECK(plain.find('\x1b') == std::string::npos);
  CHECK(without_colours(coloured) == plain);
  CHECK(debugged("NO_COLOR= CLICOLOR_FORCE=1", "--json").find('\x1b') == std::string::npos);
  CHECK(answer_in_colour("trap: address_range in slot sb\n") ==
        "\x1b[1;31mtrap\x1b[0m: address_range in slot sb\n");
  CHECK(answer_in_colour("       5  loop: x -> y\n") == "       5  loop: x -> y\n");
}

TEST_CASE("a mistyped command or option is told which was meant") {
  const Folder folder;
  check_refused(folder.run("lokstep"), 2, "unknown subcommand 'lokstep': did you mean `lockstep`?");
  check_refused(folder.run("run --presett=small k.s"), 2,
                "run: there is no option --presett: did you mean `--preset`?");
  check_refused(folder.run("npy show --cuont 3 x.npy"), 2, "did you mean `--count`?");
  check_refused(folder.run("asm k.s --nothing-like-it"), 2, "tandem asm --help lists them");
  // After `--` nothing is an option; extra arguments are still reported.
  check_refused(folder.run("run k.s -cyce -- h.s -on cyce -- --lyce -1"), 2, "run: ");
}

TEST_CASE("the help of every command is at most a hundred columns wide") {
  const Folder folder;
  std::istringstream names(folder.run("--help").text);
  bool commands = false;
  for (std::string line; std::getline(names, line);) {
    if (line == "Subcommands:") commands = true;
    if (!commands || !line.starts_with("  ")) continue;
    const std::string name = line.substr(2, line.find(' ', 2) - 2);
    if (name.empty()) continue;
    std::istringstream help(folder.run(name + " --help").text);
    for (std::string of_help; std::getline(help, of_help);) {
      INFO(name << ": " << of_help);
      CHECK(of_help.size() <= 100);
    }
  }
  CHECK(commands);
}

TEST_CASE("errors are in colour where that is asked for, and the same text") {
  const Folder folder;
  folder.write("k.s", mistaken);
  const std::string plain = folder.run("asm k.s").text;
  CHECK(!contains(plain, "\x1b"));
  const std::string bright = folder.run("asm k.s", "CLICOLOR_FORCE=1").text;
  CHECK(contains(bright, "\x1b[1;31merror[E040]\x1b[0m"));
  CHECK(without_colours(bright) == plain);
  CHECK(folder.run("asm k.s", "NO_COLOR=1 CLICOLOR_FORCE=1").text == plain);
}

TEST_CASE("names in messages cannot steer a terminal, with colours neither") {
  const Folder folder;
  const Output output = folder.run("asm \"$(printf 'a\\033[8mb.s')\"", "CLICOLOR_FORCE=1");
  CHECK(output.status == 2);
  CHECK(!contains(output.text, "\x1b[8m"));
}

TEST_CASE("a mismatch marks the digits and bits that differ") {
  const std::string page =
      "MISMATCH in write.data\n  v2[4][0]\n    expected 0x40400000  f32 3\n"
      "    got      0x40400001  f32 3\n    bits     0\n";
  const std::string bright = mismatch_in_colour(page);
  CHECK(without_colours(bright) == page);
  CHECK(contains(bright, "0x4040000\x1b[1;31m1\x1b[0m  f32 3\n"));
  const Folder folder;
  folder.write("k.s", "        .target nano\n        { v1 = vmov 1.5 }\n        { halt }\n");
  const Output output = folder.run("lockstep k.s --plant write.data:vmov");
  CHECK(output.status == 1);
  CHECK(contains(output.text, "    bits     0\n"));
}

TEST_CASE("errors and warnings come as JSON and as SARIF") {
  const Folder folder;
  folder.write("bad.s", mistaken);
  folder.write("k.s", doubtful);
  const Output bad = folder.run("asm bad.s --json");
  CHECK(bad.status == 2);
  const nlohmann::json error = nlohmann::json::parse(bad.text)["diagnostics"][0];
  CHECK(error["severity"] == "error");
  CHECK(error["code"] == "E040");
  CHECK(error["file"] == "bad.s");
  CHECK(error["line"] == 1);
  CHECK(error["column"] == 16);
  CHECK(error["length"] == 9);
  const Output good = folder.run("asm k.s --diagnostics sarif");
  CHECK(good.status == 0);
  const nlohmann::json log = nlohmann::json::parse(good.text);
  CHECK(log["version"] == "2.1.0");
  const nlohmann::json run = log["runs"][0];
  CHECK(run["tool"]["driver"]["rules"][0]["id"] == "integer-literal");
  CHECK(run["results"][0]["level"] == "warning");
  const nlohmann::json place = run["results"][0]["locations"][0]["physicalLocation"];
  CHECK(place["region"]["startLine"] == 1);
  CHECK(place["region"]["startColumn"] == 29);
  CHECK(place["region"]["endColumn"] == 30);
  CHECK(folder.run("asm k.s --json").status == 0);
  check_refused(folder.run("asm k.s --json -o -"), 2, "name a file with -o");
}

TEST_CASE("warnings are told, turned off by name, and made errors") {
  const Folder folder;
  folder.write("k.s", doubtful);
  CHECK(contains(folder.run("asm k.s").text, "k.s:1:29: warning[integer-literal]: "));
  CHECK(folder.run("asm k.s").status == 0);
  CHECK(folder.run("asm k.s -Wno-integer-literal").text.empty());
  CHECK(folder.run("asm k.s -Wnone").text.empty());
  check_refused(folder.run("asm k.s -Werror"), 2, "1 warning; -Werror makes errors of them");
  check_refused(folder.run("asm k.s -Wintegers"), 2, "-Wintegers: there is no such warning");
}

TEST_CASE("explain says what to do about time, as text and as JSON") {
  const Folder folder;
  folder.write("k.s", count_down);
  const Output text = folder.run("explain k.s");
  CHECK(text.status == 0);
  CHECK(contains(text.text, "k.s on nano: "));
  CHECK(contains(text.text, "lines with most cycles\n"));
  CHECK(contains(text.text, "unroll the loop"));
  const std::string both = folder.run("explain k.s --json").text;  // the verdict, then the data
  const nlohmann::json data = nlohmann::json::parse(both.substr(both.find('{')));
  std::uint64_t lost = 0;
  for (const auto& [cause, count] : data["causes"].items()) lost += count.get<std::uint64_t>();
  CHECK(lost == data["cycles"]);
  for (const nlohmann::json& row : data["advice"]) {
    CHECK(row["at_most"].get<std::uint64_t>() <= row["cycles"].get<std::uint64_t>());
  }
  CHECK(!data["advice"].empty());
}
