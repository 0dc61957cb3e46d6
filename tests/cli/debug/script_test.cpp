// `tandem debug` itself, driven by scripts.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "../folder.hpp"

using namespace tandem;  // NOLINT: a test file

namespace {

constexpr const char* program = R"(
        .target nano
start:  s5 = mov 10
loop:   { s4 = add s4, 1 ; sst [7], s4 }
        p1 = lt.s32 s4, s5
        @p1 br loop
        halt
)";

// Runs `tandem debug k.s <arguments>` with these commands on standard input or as the script
// s.debug.
Output debugger(const std::string& arguments, const std::string& commands, bool script = false) {
  const Folder folder;
  folder.write("k.s", program);
  folder.write("s.debug", commands);
  return folder.run("debug k.s " + arguments + (script ? " -x s.debug </dev/null" : " <s.debug"));
}

}  // namespace

TEST_CASE("a script drives the debugger and its asserts make the exit status", "[debug]") {
  const std::string good = "break loop if s4 == 3\ncontinue\nassert s4 == 3 && smem[7] == 2\n";
  for (const bool script : {false, true}) {
    const Output output = debugger("", good, script);
    INFO(output.text);
    CHECK(output.status == 0);
    CHECK(contains(output.text, "(tandem) break loop if s4 == 3\n1   break loop if s4 == 3\n"));
    CHECK(contains(output.text, "     4  loop:   { s4 = add s4, 1 ; sst [7], s4 }\n"));
    const Output bad = debugger("", good + "assert s4 == 4\necho not reached\n", script);
    CHECK(bad.status == 1);
    CHECK(contains(bad.text, "assertion failed: s4 == 4\n"));
    CHECK_FALSE(contains(bad.text, "reached"));
  }
}

TEST_CASE("a script goes on after a mistake, which makes its status 2", "[debug]") {
  for (const bool script : {false, true}) {
    const Output output = debugger("", "stepi\n\nstepi nine\necho reached\n", script);
    CHECK(output.status == 2);
    CHECK(contains(output.text, ":3: 'nine' is no whole number"));
    CHECK(contains(output.text, "reached"));
  }
  CHECK(debugger("-x nowhere", "").status == 2);
}

TEST_CASE("with --json every line of the answer is an object, mistakes included", "[debug]") {
  const Output output = debugger("--json", "watch s4\ncontinue\nnonsense\nprint s4\nquit\nstepi\n");
  CHECK(output.status == 0);
  std::istringstream lines(output.text);
  std::vector<nlohmann::json> answers;
  for (std::string line; std::getline(lines, line);) answers.push_back(nlohmann::json::parse(line));
  REQUIRE(answers.size() == 6);
  CHECK(answers[0]["data"]["bundle"] == 0);
  CHECK(answers[2]["data"]["changes"][0]["place"] == "s4");
  CHECK(answers[3]["ok"] == false);
  CHECK(contains(answers[3]["error"], "'nonsense' is no command"));
  CHECK(answers[4]["data"]["values"] == nlohmann::json::array({1}));
  CHECK(answers[5]["command"] == "quit");
}

TEST_CASE("with --json an element that was never written is null", "[debug]") {
  const Output output = debugger("--json", "print v63[0][0:2]\n");
  const auto data = nlohmann::json::parse(output.text.substr(output.text.find('\n') + 1))["data"];
  CHECK(data["values"] == nlohmann::json::array({nullptr, nullptr}));
}

TEST_CASE("options that mean nothing to the debugger are refused", "[debug]") {
  for (const char* option : {"--listing", "--counters", "--limit 5", "--out y=y.npy", "--on rtl",
                             "--snapshot-memory lots"}) {
    INFO(option);
    CHECK(debugger(option, "").status == 2);
  }
}
