// tandem run and lockstep with --snapshot, --restore, and lockstep's --wave.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "cosim/verilated/rtl_machine.hpp"
#include "tests/cli/folder.hpp"
#include "tests/copying.hpp"

using namespace tandem;  // NOLINT: a test file

namespace {

// A loop with loads, stores and a copy in flight, which halts after some 400 cycles.
const std::string program = "        .target nano" + std::string(describe_copy) + R"(
        { s5 = mov 40 }
loop:   { v1 = vld [16] ; s5 = sub s5, 1 ; copy [s0], s0, s0 }
        { sst [40], s5 ; wait f0, 1 }
        { sb: s7 = sld [40] ; fset f0, 0 }
        { vst [8], v1 ; p1 = ne s5, 0 }
        @p1 br loop
        halt
)";

bool has(const std::vector<std::string_view>& presets, std::string_view preset) {
  return std::find(presets.begin(), presets.end(), preset) != presets.end();
}

struct Fixture {
  Fixture() { folder.write("k.s", program); }

  Output run(const std::string& arguments) const {
    return folder.run(arguments.substr(0, arguments.find(' ')) +
                      " --no-uninitialised-check --hbm 16M" +
                      arguments.substr(arguments.find(' ')));
  }
  nlohmann::json result(const std::string& arguments) const {
    const Output output = run(arguments + " --json 2>/dev/null");
    INFO(output.text);
    REQUIRE(output.status == 0);
    return nlohmann::json::parse(output.text);
  }
  bool contains(const Output& output, const std::string& part) const {
    INFO(output.text);
    return output.text.find(part) != std::string::npos;
  }

  bool exists(const std::string& name) const { return std::filesystem::exists(folder.path(name)); }

  Folder folder;
};

void check_model(const std::string& command, std::uint64_t at) {
  INFO(command);
  const Fixture here;
  const nlohmann::json whole = here.result(command);
  const nlohmann::json saving =
      here.result(command + " --snapshot k.snap --snapshot-at " + std::to_string(at));
  CHECK(saving["bundles"] == whole["bundles"]);
  CHECK(saving["snapshot"]["file"] == "k.snap");
  const nlohmann::json again = here.result(command + " --restore k.snap");
  CHECK(again["outcome"] == "halted");
  CHECK(again["bundles"] == whole["bundles"]);
  CHECK(again.value("cycles", 0) == whole.value("cycles", 0));
  CHECK(again.value("counters", nlohmann::json()) == whole.value("counters", nlohmann::json()));
  CHECK(again.value("events_compared", 0) == whole.value("events_compared", 0));
  CHECK(again["restored"]["file"] == "k.snap");
}

}  // namespace

TEST_CASE("every model goes on from a snapshot to the end that it would have had") {
  check_model("run k.s", 60);
  check_model("run k.s --on cycle", 777);
  check_model("lockstep k.s --models golden,cycle", 500);
  if (!has(rtl_presets(), "nano")) return;
  check_model("run k.s --on rtl", 777);
  check_model("lockstep k.s", 501);
}

TEST_CASE("snapshots that cannot be are refused with a reason and status 2") {
  const Fixture here;
  REQUIRE(here.run("run k.s --snapshot k.snap --snapshot-at 20").status == 0);
  const auto refused = [&here](const std::string& arguments, const std::string& reason) {
    const Output output = here.run(arguments);
    CHECK(output.status == 2);
    CHECK(here.contains(output, reason));
  };
  refused("run k.s --snapshot x.snap", "--snapshot names a file and --snapshot-at the moment");
  refused("run k.s --snapshot-at 5", "--snapshot names a file and --snapshot-at the moment");
  refused("run k.s --on cycle --restore k.snap",
          "k.snap: the snapshot is of another model: it says 'golden', here it is 'cycle'");
  refused("run k.s --seed 9 --restore k.snap", "k.snap: the snapshot is of another seed");
  refused("run k.s --restore k.s", "k.s: this is no snapshot");
  refused("run k.s --restore k.snap --snapshot l.snap --snapshot-at 20",
          "--snapshot-at 20: the run begins at 20, which is later");
  refused("run k.s --restore k.snap --snapshot k.snap --snapshot-at 30", "k.snap");
  const Output random = here.folder.run("lockstep --random 1 --restore k.snap");
  CHECK(random.status == 2);
  CHECK(here.contains(random, "--restore is for a program"));
  refused("lockstep k.s --wave x.fst --models golden,cycle", "--wave needs the RTL among --models");
}

TEST_CASE("a snapshot behind the program's end is not written and the command says so") {
  const Fixture here;
  const Output output = here.run("run k.s --snapshot k.snap --snapshot-at 100000");
  CHECK(output.status == 1);
  CHECK(
      here.contains(output, "no snapshot was written: the run ended before --snapshot-at 100000"));
  CHECK_FALSE(here.exists("k.snap"));
}

TEST_CASE("a mismatch leaves a waveform of the cycles before it, with a view") {
  if (!has(rtl_presets(), "nano") || !has(wave_presets(), "nano")) return;
  const Fixture here;
  const Output output = here.run("lockstep k.s --wave x.fst --plant write.data@100");
  CHECK(output.status == 1);
  CHECK(here.contains(output, "waveform of cycles "));
  CHECK(here.contains(output, "x.fst: open it with gtkwave x.fst x.gtkw"));
  CHECK(here.exists("x.fst"));
  CHECK(here.folder.read("x.gtkw").find("[dumpfile] \"x.fst\"") != std::string::npos);

  REQUIRE(here.run("lockstep k.s --wave y.fst").status == 0);
  CHECK_FALSE(here.exists("y.fst"));
}

TEST_CASE("a random program's mismatch leaves a waveform too, also one of a campaign") {
  if (!has(rtl_presets(), "nano") || !has(wave_presets(), "nano")) return;
  const Folder folder;
  const auto told = [](const Output& output, const std::string& part) {
    INFO(output.text);
    CHECK(output.text.find(part) != std::string::npos);
    return output.status;
  };
  CHECK(told(folder.run(
                 "lockstep --random 1 --seed 4 --preset nano --wave x.fst --plant write.data@300"),
             "x.fst: open it with gtkwave x.fst x.gtkw") == 1);
  CHECK(std::filesystem::exists(folder.path("x.fst")));
  folder.write("c.toml", "seeds = 3\npresets = [\"nano\"]\nplant = \"write.data@300\"\n");
  CHECK(told(folder.run("regress c.toml --repeat nano/default/4 --wave y.fst"),
             "y.fst: open it with gtkwave y.fst y.gtkw") == 1);
  CHECK(std::filesystem::exists(folder.path("y.fst")));
  CHECK(told(folder.run("regress c.toml --wave z.fst"), "--wave is for one seed") == 2);
}
