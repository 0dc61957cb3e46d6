// Moves of the program and its stops, in both directions.
#include <atomic>
#include <thread>

#include "support.hpp"

using namespace tandem;               // NOLINT: a test file
using namespace tandem::debug;        // NOLINT
using namespace tandem::debug::test;  // NOLINT

namespace {

// s5 := 1 + ... + s4, recursively.
constexpr const char* recursive = R"(
        .target nano
        .macro push value
        s2 = sub s2, 1
        sst [s2], \value
        .endm
start:  s2 = mov 100
        s4 = mov 3
        s1 = call sum
after:  s6 = mov s5
        halt
sum:    p1 = eq s4, 0
        @p1 s5 = mov 0
        @p1 ret s1
        push s1
        push s4
        s4 = sub s4, 1
        s1 = call sum
back:   s4 = sld [s2]
        s1 = sld [s2 + 1]
        { s5 = add s5, s4 ; s2 = add s2, 2 }
        ret s1
)";

}  // namespace

TEST_CASE("a breakpoint stops before its bundle in both directions", "[debug]") {
  Debuggee debuggee(counting);
  debuggee.run("break loop if s4 == 4");
  CHECK(contains(debuggee.run("continue"), "breakpoint 1: loop if s4 == 4"));
  CHECK(debuggee.scalar(4) == 4);
  CHECK(debuggee.bundle() == 13);
  debuggee.run("goto end");
  debuggee.run("reverse-continue");
  CHECK(debuggee.bundle() == 13);
  CHECK(contains(debuggee.run("rc"), "the beginning of the run"));
  CHECK(contains(debuggee.run("info breakpoints"), "stopped 2 times"));
}

TEST_CASE("every pass of a loop stops once, forwards and backwards", "[debug]") {
  Debuggee debuggee(counting);
  debuggee.run("break test.s:5");
  std::vector<std::uint64_t> forwards;
  while (contains(debuggee.run("continue"), "breakpoint")) forwards.push_back(debuggee.bundle());
  CHECK(forwards.size() == 10);
  std::vector<std::uint64_t> backwards;
  while (contains(debuggee.run("rc"), "breakpoint")) {
    backwards.insert(backwards.begin(), debuggee.bundle());
  }
  CHECK(backwards == forwards);
}

TEST_CASE("a condition without a place stops where it becomes true", "[debug]") {
  Debuggee debuggee(counting);
  debuggee.run("break if s4 > 4 && smem[7] < 6");
  debuggee.run("continue");
  CHECK(debuggee.bundle() == 14);
  CHECK(debuggee.scalar(4) == 5);
  CHECK(contains(debuggee.run("continue"), "halted"));
  debuggee.run("rc");
  CHECK(debuggee.bundle() == 14);
  debuggee.run_all("delete\nbreak if bundle == 20\nrc");
  CHECK(debuggee.bundle() == 0);
  debuggee.run("continue");
  CHECK(debuggee.bundle() == 20);
}

TEST_CASE("a condition without a value stops the program and says so", "[debug]") {
  Debuggee debuggee(counting);
  debuggee.run("break loop if smem[s4 * 10000] == 0");
  const std::string answer = debuggee.run_all("continue\ncontinue");
  CHECK(contains(answer, "its condition has no value: index 10000 of smem"));
}

TEST_CASE("a watchpoint stops behind each write with the old and the new value", "[debug]") {
  Debuggee debuggee(counting);
  debuggee.run("watch s4");
  CHECK(contains(debuggee.run("continue"), "s4: 0 -> 1"));
  CHECK(debuggee.bundle() == 2);
  CHECK(contains(debuggee.run("continue"), "s4: 1 -> 2"));
  debuggee.run("disable 1");
  CHECK(contains(debuggee.run("continue"), "halted"));
  debuggee.run("enable 1");
  CHECK(contains(debuggee.run("rc"), "s4: 9 -> 10"));
  CHECK(contains(debuggee.run("rc"), "s4: 8 -> 9"));
}

TEST_CASE("watched memory tells of stores, a condition chooses among them", "[debug]") {
  Debuggee debuggee(counting);
  debuggee.run("watch smem[0:8] if smem[7] == 3");
  CHECK(contains(debuggee.run("continue"), "smem[7]: 2 -> 3"));
  CHECK(contains(debuggee.run("continue"), "halted"));
}

TEST_CASE("a watchpoint shows what was never written as such", "[debug]") {
  Debuggee debuggee(R"(
        .target nano
        v1 = vmov s0
        halt
)");
  debuggee.run("watch v1[0][0]");
  CHECK(contains(debuggee.run("continue"), "? -> "));
}

TEST_CASE("every kind of place can be watched", "[debug]") {
  Debuggee debuggee(R"(
        .target nano
        { p1 = eq s0, 0 ; v1 = vmov s0 ; m1 = veq.s32 s0, s0 }
        { vst [16], v1 ; mxpush 0, v1.f32 }
        mxmul.bf16 a3, v1.f32, swap
        fset f2, 5
        { s4 = mov 0x30100 ; s5 = mov 1 }
        { s6 = mov 0x20000 ; sst [16], s4 }
        { s7 = mov 64 ; sst [17], s5 }
        sst [18], s7
        sst [20], s6
        sst [22], s7
        sst [23], s5
        sst [26], s5
        sst [29], s5
        copy [16], s0, s0
        wait f3, 1
        halt
)");
  const std::vector<std::pair<std::string, std::uint64_t>> expected{
      {"p1", 1}, {"v1[2]", 1}, {"m1[0][3]", 1}, {"vmem[17][2:4]", 2}, {"a3[7]", 3},
      {"f2", 4}, {"s7", 7},    {"smem[17]", 7}, {"f3", 14},           {"hbm[0x20004:0x20010]", 14},
  };
  for (const auto& [place, position] : expected) {
    INFO(place);
    debuggee.run_all("delete\ngoto start\nwatch " + place);
    CHECK(contains(debuggee.run("continue"), "watchpoint"));
    CHECK(debuggee.bundle() == position);
    debuggee.run("goto end");
    CHECK(contains(debuggee.run("rc"), "watchpoint"));
    CHECK(debuggee.bundle() == position);
  }
  debuggee.run_all("delete\ngoto start\nwatch vmem[16][0]\nwatch hbm[0x20040:0x20080]\ncontinue");
  CHECK(contains(debuggee.run("continue"), "halted"));
}

TEST_CASE("a temporary breakpoint stops once", "[debug]") {
  Debuggee debuggee(counting);
  debuggee.run("tbreak loop+1");
  CHECK(contains(debuggee.run("continue"), "breakpoint 1"));
  CHECK(contains(debuggee.run("info breakpoints"), "no breakpoints"));
  CHECK(contains(debuggee.run("continue"), "halted"));
}

TEST_CASE("until runs to a location and reverse-until back to it", "[debug]") {
  Debuggee debuggee(counting);
  debuggee.run("until done");
  CHECK(debuggee.pc() == 4);
  debuggee.run("reverse-until loop");
  CHECK(debuggee.bundle() == 28);
}

TEST_CASE("step enters calls and macros, next passes over them", "[debug]") {
  Debuggee debuggee(recursive);
  debuggee.run_all("until start+2\nstep");
  CHECK(contains(debuggee.run("where"), "<sum>"));
  debuggee.run_all("goto start\nnext 3");
  CHECK(contains(debuggee.run("where"), "<after>"));
  CHECK(debuggee.scalar(5) == 6);
  // The second push of the recursive call: one line, two bundles.
  debuggee.run_all("goto start\nuntil sum+3");
  const std::uint64_t before = debuggee.bundle();
  debuggee.run("next");
  CHECK(debuggee.bundle() == before + 2);
  debuggee.run("reverse-next");
  CHECK(debuggee.bundle() == before);
  debuggee.run("step");
  CHECK(debuggee.bundle() == before + 1);
}

TEST_CASE("next passes over a recursive call to the same depth", "[debug]") {
  Debuggee debuggee(recursive);
  debuggee.run_all("break back if s5 == 1");  // inside, at depth 2
  debuggee.run_all("until sum+8");
  CHECK(debuggee.scalar(4) == 2);
  debuggee.run("delete");
  debuggee.run("next");
  CHECK(contains(debuggee.run("where"), "<back>"));
  CHECK(debuggee.scalar(2) == 98);
  CHECK(debuggee.scalar(5) == 3);
  debuggee.run("reverse-next");
  CHECK(debuggee.scalar(4) == 2);
  CHECK(debuggee.scalar(2) == 98);
  CHECK(contains(debuggee.run("where"), "<sum+8>"));
}

TEST_CASE("finish returns from the function at hand, not from the ones it calls", "[debug]") {
  Debuggee debuggee(recursive);
  debuggee.run_all("until sum+8\nfinish");
  CHECK(contains(debuggee.run("where"), "<after>"));
  CHECK(debuggee.scalar(5) == 6);
}

TEST_CASE("reverse-step goes to the beginning of lines, one round of a loop at a time", "[debug]") {
  Debuggee debuggee(counting);
  debuggee.run("until done");
  for (int line = 0; line < 30; ++line) debuggee.run("reverse-step");
  CHECK(debuggee.bundle() == 1);
  debuggee.run("rs");
  CHECK(debuggee.bundle() == 0);
  CHECK(contains(debuggee.run("rs"), "the beginning of the run"));
}

TEST_CASE("an interrupt ends a run that would never end", "[debug]") {
  Debuggee debuggee("        .target nano\nx:      { s4 = add s4, 1 ; br x }\n");
  std::thread other([&debuggee] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    debuggee.session().interrupt() = true;
  });
  CHECK(contains(debuggee.run("continue"), "interrupted"));
  other.join();
  debuggee.session().interrupt() = false;
  const std::uint64_t here = debuggee.bundle();
  CHECK(here > 1000);
  debuggee.run("rsi");
  CHECK(debuggee.scalar(4) == here - 1);
}

TEST_CASE("races and uses of never-written data end the run with both places", "[debug]") {
  Debuggee debuggee("        .target nano\n        v1 = vadd.f32 v2, v2\n        halt\n");
  CHECK(contains(debuggee.run("continue"), "never-written data"));
  CHECK(contains(debuggee.run("info end"), "found at pc 0"));
  debuggee.run("rsi");
  CHECK(contains(debuggee.run("info end"), "no trap, no finding"));
}
