// Standard streams that are closed, full or unread; names that are not text; interruptions.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tests/cli/folder.hpp"

using namespace tandem;  // NOLINT: a test file

namespace {

constexpr const char* endless = "        .target nano\nloop:   { br loop }\n";

// The exit status of a shell line in which TANDEM stands for the executable, and what it printed.
Output shell(const Folder& folder, const std::string& line) {
  folder.write("line.sh",
               fmt::format("TANDEM={}\n{}\necho \"status $?\"\n", TANDEM_EXECUTABLE, line));
  // The shell's own standard output stays, even if the line changes that of the command.
  return folder.run("--version > /dev/null; timeout 60 bash line.sh");
}

// The same for `TANDEM command`, which gets the signal, as by Ctrl-C with all that it started, once
// it has worked for half a second of processor time: by then any machine has loaded the program and
// begun.
Output interrupted(const Folder& folder, const std::string& command, const std::string& signal) {
  return shell(folder, fmt::format(R"sh(set -m
$TANDEM {} &
ticks() {{ cat $(pgrep -g $! | sed 's|.*|/proc/&/stat|') 2>&- | awk '{{t += $14 + $15}} END {{print t + 0}}'; }}
while kill -0 $! 2>&- && [ "$(ticks)" -lt $(($(getconf CLK_TCK) / 2)) ]; do sleep 0.05; done
kill -s {} -- -$!
wait $!)sh",
                                   command, signal));
}

}  // namespace

TEST_CASE("a full standard output is an error") {
  const Folder folder;
  folder.write("k.s", count_down);
  CHECK(folder.run("asm k.s").status == 0);
  for (const std::string command : {"run k.s --json", "run k.s --listing", "dis k.elf", "--help",
                                    "asm k.s -o -", "asm k.s -o /dev/stdout"}) {
    const Output output = shell(folder, "$TANDEM " + command + " > /dev/full");
    INFO(command);
    INFO(output.text);
    CHECK(contains(output.text, "cannot write: No space left on device"));
    CHECK(contains(output.text, "status 2"));
  }
}

TEST_CASE("a standard error that is full or closed does not stop a command") {
  const Folder folder;
  folder.write("k.s", count_down);
  folder.write("bad.s", "nonsense\n");
  for (const std::string nowhere : {"2> /dev/full", "2>&-"}) {
    CHECK(contains(shell(folder, "$TANDEM run k.s --json " + nowhere).text, "status 0"));
    CHECK(contains(shell(folder, "$TANDEM run bad.s " + nowhere).text, "status 2"));
  }
}

TEST_CASE("a closed standard output is not the next file that is opened") {
  const Folder folder;
  folder.write("k.s", count_down);
  const Output output = shell(folder, "$TANDEM run --on cycle k.s --listing --trace t.pftrace >&-");
  CHECK(contains(output.text, "status 2"));
  CHECK(contains(output.text, "Bad file descriptor"));
  CHECK(folder.read("t.pftrace").find("s1 = mov") == std::string::npos);
  CHECK(contains(shell(folder, "$TANDEM run k.s <&- >&- 2>&-").text, "status 0"));
  CHECK(contains(shell(folder, "$TANDEM run - <&-").text, "status 2"));
}

TEST_CASE("a command whose reader has gone ends as others do") {
  const Folder folder;
  folder.write("k.s", endless);
  const Output output = shell(folder,
                              "$TANDEM run k.s --listing | head -1; "
                              "echo ended ${PIPESTATUS[0]}");
  CHECK(contains(output.text, "ended 141"));
}

TEST_CASE("names that are no UTF-8 stand in JSON with a replacement") {
  const Folder folder;
  const std::string name = "k\xff\xfe.s";
  folder.write(name, count_down);
  for (const std::string& command :
       {"run " + name + " --json", "run " + name + " --json --on cycle --trace t\xff.pftrace",
        "debug " + name + " --json < /dev/null"}) {
    const Output output = folder.run(command);
    INFO(output.text);
    CHECK(output.status == 0);
    CHECK(contains(output.text, "{"));
  }
  folder.write(name, "        .target nano\n        trap 3\n");
  const Output trapped = folder.run("run " + name + " --json");
  CHECK(trapped.status == 1);
  CHECK(nlohmann::json::parse(trapped.text)["trap"]["source"] == "k\xef\xbf\xbd\xef\xbf\xbd.s:2");
}

TEST_CASE("control characters in names do not reach the terminal") {
  const Folder folder;
  const std::string evil = "'a\x1b]0;title\x07\x1b[2J\xc2\x9b.s'";
  const Output missing = folder.run("run " + evil);
  CHECK(missing.status == 2);
  CHECK(contains(missing.text, R"(a\x1b]0;title\x07\x1b[2J\xc2\x9b.s)"));
  CHECK(missing.text.find_first_of("\x1b\x07") == std::string::npos);
  const Output option = folder.run("run '--\x1b[2J'");
  CHECK(option.text.find('\x1b') == std::string::npos);
}

TEST_CASE("an interrupted run ends like one that met its limit") {
  const Folder folder;
  folder.write("k.s", endless);
  for (const auto& [signal, status] : {std::pair{"INT", 130}, std::pair{"TERM", 143}}) {
    const Output output =
        interrupted(folder, "run k.s --on cycle --json --trace t.pftrace > r.json", signal);
    INFO(output.text);
    CHECK(contains(output.text, fmt::format("status {}", status)));
    const nlohmann::json result = nlohmann::json::parse(folder.read("r.json"));
    CHECK(result["outcome"] == "interrupted");
    CHECK(result["cycles"] > 0);
    CHECK(folder.read("t.pftrace").size() == result["trace"]["bytes"]);
    const Output text = interrupted(folder, "run k.s", signal);
    CHECK(contains(text.text, "interrupted after"));
    CHECK(contains(text.text, fmt::format("status {}", status)));
  }
}

TEST_CASE("every command that runs long ends with its files when it is interrupted") {
  if (!has_nano()) return;
  const Folder folder;
  folder.write("k.s", endless);
  folder.write("go.gdb", "continue\n");
  folder.write("c.toml",
               "name = \"c\"\nseeds = 1000000\npresets = [\"nano\"]\n[[knobs]]\nname = \"long\"\n"
               "bundles = 20000\n");
  struct Case {
    const char* command;
    const char* file;  // that is whole
    const char* begins;
  };
  for (const auto& [command, file, begins] :
       {Case{"report k.s -o p.html", "p.html", "<!"}, Case{"lockstep k.s --json", "out", "{"},
        Case{"lockstep --preset nano --random 1000000 --coverage v.json", "v.json", "{"},
        Case{"regress c.toml -j1 --junit j.xml --html h.html", "j.xml", "<?xml"},
        Case{"debug k.s --json -x go.gdb", "out", "{"}}) {
    for (const auto& [signal, status] : {std::pair{"INT", 130}, std::pair{"TERM", 143}}) {
      folder.shell(std::string("rm -f out ") + file);
      const Output output = interrupted(folder, fmt::format("{} > out", command), signal);
      INFO(command);
      INFO(output.text);
      CHECK(contains(output.text, fmt::format("status {}", status)));
      const std::string whole = folder.read(file);
      CHECK(whole.starts_with(begins));
      if (whole.starts_with("{") && !contains(command, "debug")) {
        CHECK(nlohmann::json::accept(whole));
      }
      if (contains(file, ".xml")) CHECK(contains(whole, "</testsuites>"));
      if (contains(file, ".html")) CHECK(contains(whole, "</html>"));
    }
  }
}

TEST_CASE("numbers that are none, negative or too large are refused") {
  const Folder folder;
  folder.write("k.s", endless);
  for (const std::string option : {"--limit", "--seed", "--latency", "--jitter", "--silence"}) {
    for (const std::string value : {"-1", "99999999999999999999", "1e3", "''", "0x", "5x"}) {
      INFO(option + " " + value);
      CHECK(folder.run("run k.s " + option + " " + value).status == 2);
    }
  }
  check_refused(folder.run("run k.s --limit 0"), 2, "must be 1 or more");
  check_refused(folder.run("run k.s --limit 010"), 1, "after 10 steps");
  check_refused(folder.run("run k.s --limit 0x10"), 1, "after 16 steps");
  check_refused(folder.run("lockstep --random -1"), 2, "is negative");
}
