// Going back and forth through a run gives the same states as running it.
#include <random>

#include "support.hpp"

using namespace tandem;               // NOLINT: a test file
using namespace tandem::debug;        // NOLINT
using namespace tandem::debug::test;  // NOLINT

namespace {

// 280,002 bundles that change registers, SMEM and VMEM all the time.
constexpr const char* busy = R"(
        .target nano
start:  { v1 = vlane ; s6 = mov 40000 }
loop:   { s4 = add s4, 1 ; sst [s9], s4 ; v1 = vadd.s32 v1, s4 }
        s9 = and s4, 1023
        { vst [s7], v1 ; s7 = add s7, 8 }
        s7 = and s7, 255
        p1 = lt.s32 s4, s6
        s8 = xor s8, s4
        @p1 br loop
        halt
)";

void check_like_a_fresh_run(Debuggee& debuggee, std::uint64_t position) {
  GoldenModel fresh(debuggee.launch());
  fresh.run(position);
  const GoldenModel& model = debuggee.session().golden();
  CHECK(model.pc() == fresh.pc());
  CHECK(model.status() == fresh.status());
  CHECK(model.state().scalars == fresh.state().scalars);
  CHECK(model.state().smem == fresh.state().smem);
  CHECK(model.state().vmem == fresh.state().vmem);
  CHECK(model.state().vectors == fresh.state().vectors);
}

}  // namespace

TEST_CASE("any position reached in any order is the state of a fresh run", "[debug]") {
  // Snapshots as close as they get, and so little memory that most are dropped again.
  for (const std::uint64_t memory : {std::uint64_t{1} << 30U, std::uint64_t{300'000}}) {
    Debuggee debuggee(busy, {1e-5, memory});
    debuggee.session().move_to(~std::uint64_t{0});
    REQUIRE(debuggee.bundle() == 280'002);
    if (memory > 1'000'000) REQUIRE(debuggee.session().timeline().snapshots() > 3);
    std::mt19937 random(1);
    for (int i = 0; i < 40; ++i) {
      const std::uint64_t position = random() % 280'003;
      debuggee.session().move_to(position);
      REQUIRE(debuggee.bundle() == position);
      check_like_a_fresh_run(debuggee, position);
    }
  }
}

TEST_CASE("snapshots stay within the memory they are given", "[debug]") {
  const std::uint64_t memory = 300'000;
  Debuggee debuggee(busy, {1e-5, memory});
  debuggee.session().move_to(~std::uint64_t{0});
  CHECK(debuggee.session().timeline().snapshot_bytes() <= memory);
  CHECK(debuggee.session().timeline().snapshots() >= 3);
}

TEST_CASE("stepping back undoes a step, at the end of the run too", "[debug]") {
  Debuggee debuggee(counting);
  debuggee.run("goto end");
  const std::uint64_t end = debuggee.bundle();
  CHECK(debuggee.session().target().status() == RunStatus::halted);
  debuggee.run("reverse-stepi");
  CHECK(debuggee.bundle() == end - 1);
  CHECK(debuggee.session().target().status() == RunStatus::running);
  debuggee.run("stepi");
  CHECK(debuggee.bundle() == end);
  CHECK(debuggee.session().target().status() == RunStatus::halted);
}

TEST_CASE("a trap can be stepped into and out of again", "[debug]") {
  Debuggee debuggee("        .target nano\n        s4 = mov 3\n        trap 42\n        halt\n");
  CHECK(contains(debuggee.run("continue"), "explicit_trap in slot sa, detail 0x2a"));
  CHECK(debuggee.bundle() == 2);
  CHECK(contains(debuggee.run("info end"), "explicit_trap"));
  debuggee.run("rsi");
  CHECK(debuggee.pc() == 1);
  CHECK(contains(debuggee.run("info end"), "no trap"));
  CHECK(contains(debuggee.run("rsi 5"), "the beginning of the run"));
  CHECK(debuggee.scalar(4) == 0);
}
