// tandem run --wave: the waveform, the part of the run in it, and the view that goes with it.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cosim/verilated/rtl_machine.hpp"
#include "cosim/verilated/wave_view.hpp"
#include "sim/trace/trace_reader.hpp"
#include "tests/cli/folder.hpp"
#include "tests/cli/waveform.hpp"

using namespace tandem;  // NOLINT: a test file

namespace {

constexpr const char* program = R"(
        .target nano
        .text
        .global start
start:  s5 = mov 20
        s4 = mov 77
loop:   { marker 5 ; v1 = vld [0] ; s5 = sub s5, 1 }
        sst [3], s4
        { vst [8], v1 ; p1 = ne s5, 0 }
        @p1 br loop
done:   halt
)";

bool writes(std::string_view preset) {
  const std::vector<std::string_view> presets = wave_presets();
  return std::find(presets.begin(), presets.end(), preset) != presets.end();
}
bool writes_nano() { return writes("nano"); }

// A folder with the program, and its waveform in x.fst.
struct Run {
  explicit Run(const std::string& options = "") {
    folder.write("k.s", program);
    const Output output = folder.run(
        "run k.s --on rtl --no-uninitialised-check --wave x.fst --trace x.pftrace " + options);
    INFO(output.text);
    REQUIRE(output.status == 0);
  }

  [[nodiscard]] Waveform wave() const { return Waveform(folder.path("x.fst")); }
  [[nodiscard]] trace::Timeline timeline() const {
    return trace::read_timeline(folder.read("x.pftrace"));
  }

  Folder folder;
};

// Cycles in which a bundle issues in the trace.
std::vector<std::uint64_t> issues(const trace::Timeline& timeline) {
  std::vector<std::uint64_t> cycles;
  for (const trace::Span& span : timeline.spans) {
    if (span.issued) cycles.push_back(span.first);
  }
  return cycles;
}

// The same in the waveform: its port is a cycle late, and stable in the middle of a cycle.
std::vector<std::uint64_t> issues(const Waveform& wave) {
  std::vector<std::uint64_t> cycles;
  for (std::uint64_t cycle = 1; cycle * wave_ticks <= wave.last(); ++cycle) {
    const std::uint64_t middle = cycle * wave_ticks + wave_ticks / 2;
    if (wave.value("TOP.tpu_core.ret_issue_valid_o", middle) == "1") cycles.push_back(cycle - 1);
  }
  return cycles;
}

}  // namespace

TEST_CASE("a waveform shows each bundle a cycle after it issues") {
  if (!writes_nano()) return;
  const Run run;
  const std::vector<std::uint64_t> expected = issues(run.timeline());
  CHECK(expected.size() == 83);
  CHECK(issues(run.wave()) == expected);
}

TEST_CASE("a waveform shows the values that the program computes") {
  if (!writes_nano()) return;
  const Run run;
  const Waveform wave = run.wave();
  const std::optional<std::string> sregs =
      wave.value("TOP.tpu_core.ret_sregs_o[1023:0]", wave.last());
  REQUIRE(sregs.has_value());
  CHECK(sregs->substr(1024 - 5 * 32, 32) == "00000000000000000000000001001101");  // s4 = 77
}

TEST_CASE("every signal of GTKWave's view is in the waveform") {
  if (!writes_nano()) return;
  const Run run;
  const Waveform wave = run.wave();
  std::istringstream view(run.folder.read("x.gtkw"));
  std::size_t signals = 0;
  for (std::string line; std::getline(view, line);) {
    if (!line.starts_with("TOP.")) continue;
    INFO(line);
    CHECK(wave.has(line));
    ++signals;
  }
  std::size_t expected = 0;
  for (const WaveGroup& group : wave_groups()) expected += group.signals.size();
  CHECK(signals == expected);
}

TEST_CASE("a waveform of the whole run goes from its first edge to what follows its end") {
  if (!writes_nano()) return;
  const Run run;
  CHECK(run.wave().first() == 0);
  CHECK(run.wave().last() / wave_ticks >= run.timeline().cycles);
}

TEST_CASE("a waveform holds the cycles of its window and nothing else") {
  if (!writes_nano()) return;
  const std::vector<std::uint64_t> all = issues(Run().timeline());
  const std::uint64_t loop = all[2];
  const std::uint64_t done = all[82];
  const auto check_window = [](const std::string& window, std::uint64_t from, std::uint64_t to) {
    INFO(window);
    const Run run("--window " + window);
    CHECK(run.wave().first() == from * wave_ticks);
    CHECK(run.wave().last() == to * wave_ticks - wave_ticks / 2);
    CHECK(contains(run.folder.read("x.gtkw"), "[timestart] " + std::to_string(from * wave_ticks)));
  };
  check_window("60:70", 60, 70);
  check_window(":70", 0, 70);
  check_window("label=loop:done", loop, done);
  check_window("marker=5:4", loop - 4, loop + 5);
}

TEST_CASE("a waveform that cannot be is refused") {
  if (!writes_nano()) return;
  const Folder folder;
  folder.write("k.s", program);
  check_refused(folder.run("run k.s --on rtl --wave no/x.fst"), 2, "cannot create");
  check_refused(folder.run("run k.s --on rtl --wave x.gtkw"), 2, "signal list goes there");
}

TEST_CASE("a build without waveforms of a preset says how to get them") {
  if (writes("full")) return;
  const Folder folder;
  folder.write("k.s", ".target full\n.text\n.global start\nstart: halt\n");
  check_refused(folder.run("run k.s --on rtl --wave x.fst"), 2, "-DTANDEM_WAVE_PRESETS=full");
}
