// Commands, their documentation, completion, and their output.
#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "support.hpp"

using namespace tandem;               // NOLINT: a test file
using namespace tandem::debug;        // NOLINT
using namespace tandem::debug::test;  // NOLINT

TEST_CASE("commands have names and aliases of their own, and an example that works", "[debug]") {
  std::set<std::string_view> names;
  for (const Command& command : commands()) {
    CHECK(names.insert(command.name).second);
    if (!command.alias.empty()) CHECK(names.insert(command.alias).second);
    CHECK(command.usage.starts_with(command.name));
    CHECK(&find_command(command.example.substr(0, command.example.find_first_of(" /"))) ==
          &command);
  }
}

TEST_CASE("docs/debugger.md tells of every command and every topic of info", "[debug]") {
  std::ifstream file("docs/debugger.md");
  const std::string manual{std::istreambuf_iterator<char>(file), {}};
  for (const Command& command : commands()) {
    INFO(command.name);
    CHECK(contains(manual, "`" + std::string(command.usage) + "`"));
  }
  Debuggee debuggee(counting);
  for (const std::string& word : debuggee.shell().completions("info ")) {
    INFO(word);
    CHECK(contains(manual, "`info " + word));
  }
}

TEST_CASE("an unambiguous beginning is enough, and comments do nothing", "[debug]") {
  Debuggee debuggee(counting);
  debuggee.run("  hist 1  ");
  CHECK(debuggee.run("# a comment") == "");
  CHECK(debuggee.run("") == "");
  debuggee.run("stepi\t2");
  CHECK(debuggee.bundle() == 2);
  CHECK(contains(debuggee.run("help reverse-c"), "Short: rc"));
  for (const Command& command : commands()) {
    CHECK(contains(debuggee.run("help"), std::string(command.name)));
  }
}

TEST_CASE("completion knows commands, labels, files, topics, types and tensors", "[debug]") {
  Debuggee debuggee("        .target nano\n        .tensor input, f32, [2], in\nstart:  halt\n", {},
                    {{"input", {{2}, std::vector<std::uint8_t>(8)}}});
  const auto completes = [&debuggee](const char* line, const char* word) {
    const auto words = debuggee.shell().completions(line);
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  CHECK(completes("rev", "reverse-continue"));
  CHECK(completes("  reverse-c", "reverse-continue"));
  CHECK(completes("b st", "start"));
  CHECK(completes("break te", "test.s:"));
  CHECK(completes("i sn", "snapshots"));
  CHECK(completes("p inp", "input"));
  CHECK(completes("p smem[inp", "input"));
  CHECK(completes("print/b", "bf16"));
  CHECK(completes("p s3.b", "bf16"));
  CHECK(completes("break start if inp", "input"));
  CHECK(completes("help wa", "watch"));
  CHECK(debuggee.shell().completions("quit ").empty());
}

TEST_CASE("display shows a value after every move until it is taken back", "[debug]") {
  Debuggee debuggee(counting);
  CHECK(debuggee.run("display s4") == "1: s4 = 0 (0x00000000)\n");
  CHECK(contains(debuggee.run("stepi 2"), "1: s4 = 1 (0x00000001)"));
  CHECK(contains(debuggee.run("display"), "1: s4"));
  debuggee.run("undisplay 1");
  CHECK_FALSE(contains(debuggee.run("stepi"), "1: s4"));
}

TEST_CASE("history shows records and leaves the program where it is", "[debug]") {
  Debuggee debuggee(counting);
  debuggee.run("goto 5");
  const std::string text = debuggee.run("history 2");
  CHECK(contains(text, "s4 = 00000002"));
  CHECK(contains(text, "smem[0x7] = 00000001"));
  CHECK(debuggee.bundle() == 5);
}

TEST_CASE("disassemble marks the bundle at hand and the labels", "[debug]") {
  Debuggee debuggee(counting);
  const std::string text = debuggee.run("disassemble start 3");
  CHECK(contains(text, "start:\n=>     0  { sa: s5 = mov 10 }    test.s:4\n"));
  CHECK(contains(text, "loop:\n       1  "));
  CHECK(contains(text, "@p1 br loop") == false);
}

TEST_CASE("golden says what it does not know", "[debug]") {
  Debuggee debuggee(counting);
  CHECK(contains(debuggee.run("info stalls"), "use --on cycle"));
  CHECK(contains(debuggee.error("goto cycle 3"), "use --on cycle"));
  CHECK(contains(debuggee.run("info copies"), "a wait has proved every copy complete"));
  CHECK(contains(debuggee.error("list"), "cannot read test.s"));
}

TEST_CASE("answers for programs say where the program stands and why", "[debug]") {
  Debuggee debuggee(counting);
  debuggee.run("watch s4");
  const Reply reply = debuggee.shell().execute("continue");
  CHECK((*reply.data)["reason"] == "breakpoint");
  CHECK((*reply.data)["breakpoint"] == 1);
  CHECK((*reply.data)["bundle"] == 2);
  CHECK((*reply.data)["line"] == 6);
  CHECK((*reply.data)["changes"][0]["after"] == "1");
  const Reply value = debuggee.shell().execute("print smem[6:8]");
  CHECK((*value.data)["shape"] == nlohmann::json::array({2}));
  CHECK((*value.data)["values"] == nlohmann::json::array({0, 0}));
}
