// The debugger on the model that knows time.
#include "support.hpp"

using namespace tandem;               // NOLINT: a test file
using namespace tandem::debug;        // NOLINT
using namespace tandem::debug::test;  // NOLINT

namespace {

// Copies 4 KiB from HBM to VMEM while it counts, then waits.
constexpr const char* copying = R"(
        .target nano
start:  { s4 = mov 0x30400 ; s5 = mov 1 }
        { s6 = mov 0x20000 ; sst [16], s4 }
        { s7 = mov 4096 ; sst [17], s5 }
        sst [18], s6
        sst [22], s7
        sst [23], s5
        sst [26], s5
        sst [29], s5
start_copy:
        copy [16], s0, s0
        s8 = mov 5
loop:   { s8 = sub s8, 1 ; p1 = gt.s32 s8, 1 }
        @p1 br loop
waits:  wait f3, 1
behind: halt
)";

}  // namespace

TEST_CASE("on the cycle model going back brings back the time", "[debug]") {
  Debuggee debuggee(copying, {1e-6, 1U << 30U}, {}, runtime::Model::cycle);
  std::vector<std::uint64_t> cycles;
  while (debuggee.session().target().status() == RunStatus::running) {
    cycles.push_back(*debuggee.session().target().cycle());
    debuggee.run("stepi");
  }
  REQUIRE(cycles.size() > 15);
  for (std::size_t position = cycles.size(); position-- != 0;) {
    debuggee.run("reverse-stepi");
    CHECK(debuggee.bundle() == position);
    CHECK(*debuggee.session().target().cycle() == cycles[position]);
  }
}

TEST_CASE("copies are in flight from their bundle to their last byte", "[debug]") {
  Debuggee debuggee(copying, {}, {}, runtime::Model::cycle);
  CHECK(debuggee.run("info copies") == "no copy is in flight\n");
  debuggee.run_all("until start_copy\nstepi");
  const std::string flying = debuggee.run("info copies");
  CHECK(contains(flying, "in flight:\nHBM 0x20000..0x20fff -> VMEM 0x0..0xfff, adds 1 to f3"));
  CHECK(contains(flying, "<start_copy>"));
  CHECK(contains(debuggee.run_all("until waits\ninfo copies"), "in flight:"));
  CHECK(debuggee.run_all("until behind\ninfo copies") == "no copy is in flight\n");
  CHECK(contains(debuggee.run_all("reverse-stepi\ninfo copies"), "in flight:"));
}

TEST_CASE("stalls name their cause and survive going back", "[debug]") {
  Debuggee debuggee(copying, {}, {}, runtime::Model::cycle);
  debuggee.run("until behind");
  const std::string stalls = debuggee.run("info stalls 2");
  CHECK(contains(stalls, "<waits>"));
  CHECK(contains(stalls, "lost: sync_wait "));
  debuggee.run_all("goto start\nuntil behind");
  CHECK(debuggee.run("info stalls 2") == stalls);
}

TEST_CASE("goto cycle finds the bundle of a cycle from both sides", "[debug]") {
  Debuggee debuggee(copying, {}, {}, runtime::Model::cycle);
  debuggee.run("until waits");
  const std::uint64_t cycle = *debuggee.session().target().cycle();
  const std::uint64_t bundle = debuggee.bundle();
  for (const char* from : {"start", "end"}) {
    debuggee.run(std::string("goto ") + from);
    debuggee.run("goto cycle " + std::to_string(cycle));
    CHECK(debuggee.bundle() == bundle);
  }
  debuggee.run("goto start");
  debuggee.run("break if cycle > 3000");
  CHECK(contains(debuggee.run("continue"), "halted"));
}
