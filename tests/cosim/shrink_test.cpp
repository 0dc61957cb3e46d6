// Shrinking: planted faults in random programs, down to a few bundles that fail alike.
#include <algorithm>
#include <catch2/catch.hpp>

#include "assembler/assembler.hpp"
#include "cosim/faults/fault.hpp"
#include "cosim/session/random_session.hpp"
#include "cosim/shrink/shrink.hpp"
#include "cosim/verilated/rtl_machine.hpp"
#include "runtime/models/cycle_machine.hpp"
#include "tests/cosim/presets.hpp"

using namespace tandem;  // NOLINT: a test file

namespace {

const Parameters& nano = *find_preset("nano");

Launch usual_launch(const Image& image) { return make_launch(image, {}, random_hbm_bytes, 1); }

TrialProgram random_trial(std::uint64_t seed) {
  RandomKnobs knobs = random_knobs(seed);
  knobs.text_place = 0;
  knobs.bundles = 300;
  return {random_object(nano, seed, knobs), usual_launch};
}

TrialProgram assembled(const char* text) {
  const LinkResult built = build(std::vector{SourceText{"shrink.s", text}});
  INFO(diagnostics_text(built.diagnostics));
  REQUIRE(built.ok());
  return {built.program, usual_launch};
}

// The cycle-exact model with this fault replaces the RTL.
Trial faulty_trial(const std::string& fault) {
  LockstepParts parts;
  parts.machine = make_cycle_machine(nano, {});
  if (!fault.empty()) {
    parts.machine = make_faulty_machine(make_cycle_machine(nano, {}), parse_fault(fault), nullptr);
  }
  return Trial(std::move(parts));
}

ShrinkOptions options() {
  ShrinkOptions shrink;
  shrink.trial.hbm_bytes = random_hbm_bytes;
  shrink.trial.detect_uninitialised = false;
  shrink.seconds = 60;
  return shrink;
}

// The first random program that meets the fault.
TrialProgram failing_program(Trial& trial) {
  for (std::uint64_t seed = 5; seed < 60; ++seed) {
    const TrialProgram program = random_trial(seed);
    if (trial.run({program}, options().trial).signature.starts_with("mismatch")) return program;
  }
  FAIL("no program meets the fault");
  return {};
}

std::size_t count_of(const Object& program, Op wanted) {
  std::size_t count = 0;
  for (const Spot& spot : filled_slots(program)) {
    const auto operation = decode(spot.slot, slot_bits(program.text[spot.pc], spot.slot));
    count += operation && operation->op == wanted ? 1 : 0;
  }
  return count;
}

}  // namespace

TEST_CASE("a set shrinks to what is needed, whatever its size") {
  for (const std::size_t count : {1U, 2U, 7U, 100U, 1000U}) {
    std::vector<bool> gone;
    const auto attempt = [&gone, count](const std::vector<bool>& removed) {
      if (removed[0] || removed[count / 2] || removed[count - 1]) return false;
      gone = removed;
      return true;
    };
    reduce(count, attempt, [] { return false; });
    const std::size_t needed = count == 1 ? 1 : count == 2 ? 2 : 3;
    const auto left = static_cast<std::size_t>(std::count(gone.begin(), gone.end(), false));
    CHECK((gone.empty() ? count : left) == needed);
  }
}

TEST_CASE("branches follow when empty bundles go") {
  Object program = assembled(R"(
        .target nano
        .text
        {}
        { br over }
        {}
        {}
over:   { s1 = mov back }
        {}
back:   { jump s1 }
)")
                       .object;
  const std::vector<bool> drop{true, false, true, true, false, true, false};
  const Object smaller = without_bundles(program, drop, true);
  REQUIRE(smaller.text.size() == 3);
  CHECK(decode(Slot::sa, slot_bits(smaller.text[0], Slot::sa))->operands[0].value == 1);
  CHECK(decode(Slot::sa, slot_bits(smaller.text[1], Slot::sa))->operands[1].imm == 2);
}

TEST_CASE("planted faults shrink to a few bundles that fail alike") {
  const char* const faults[] = {
      "write.data:vsel",        "write.index:sld",  "write.missing:vst",
      "write.data:mxmul.bf16",  "issue.next_pc:br", "copy.source:copy",
      "write.data:extract+vst", "issue.enabled",    "write.data:add+vld",
  };
  for (const char* fault : faults) {
    Trial trial = faulty_trial(fault);
    Shrinker shrinker(trial, {failing_program(trial)}, options());
    const ShrinkResult result = shrinker.run();
    INFO(fault << ": " << result.signature << ", " << result.bundles << " bundles, "
               << result.attempts << " attempts");
    CHECK(result.signature.find("mismatch") == 0);
    CHECK(result.complete);
    CHECK(result.bundles <= 10);
    CHECK(trial.run(result.programs, options().trial).signature == result.signature);
    const std::optional<Op> op = parse_fault(fault).op;
    if (op) CHECK(count_of(result.programs.back().object, *op) == 1);
  }
}

TEST_CASE("a program with PCs beyond 65,535 shrinks as quickly as others") {
  RandomKnobs knobs = random_knobs(9);
  knobs.text_place = 0;
  knobs.padding = 66'000;
  Trial trial = faulty_trial("write.data:vadd.s32");
  const ShrinkResult result =
      Shrinker(trial, {{random_object(nano, 9, knobs), usual_launch}}, options()).run();
  INFO(result.signature << ", " << result.attempts << " attempts");
  CHECK(result.complete);
  CHECK(result.bundles <= 10);
}

TEST_CASE("a race shrinks to the copy and what touches its bytes") {
  Trial trial = faulty_trial("");
  TrialProgram program = assembled(R"(
        .target nano
        .data
words:  .space 4096
        .text
        { s4 = mov 0x400 ; s1 = mov 1 }
        { sb: sst [0], s4 ; s5 = mov words }
        { sb: sst [1], s1 ; v3 = vmov 7 }
        { sb: sst [2], s5 ; s6 = mov 64 }
        { sb: sst [6], s6 ; v4 = vadd.s32 v3, v3 }
        { sb: sst [7], s1 }
        { s9 = mov 3 ; v5 = vmov 9 }
loop:   { s9 = sub s9, 1 ; v5 = vadd.s32 v5, v4 }
        { p1 = gt.s32 s9, 0 ; vst [900], v5 }
        { @p1 br loop }
        { v6 = vld [900] ; xu: v7 = rcp v5 }
        { sb: sst [10], s1 }
        { sb: sst [13], s1 }
        { copy [s0], s0, s0 ; s7 = mov 3 }
        { v1 = vld [0] ; s8 = add s7, 3 }
        { wait f0, 1 }
        { halt }
)");
  const ShrinkResult result = Shrinker(trial, {program}, options()).run();
  CHECK(result.signature.find("race") == 0);
  CHECK(result.bundles <= 11);  // eight of them write the descriptor
  CHECK(count_of(result.programs[0].object, Op::copy) == 1);
  CHECK(count_of(result.programs[0].object, Op::vmov) == 0);
}

TEST_CASE("of several launches those stay without which the last does not fail") {
  // Leaves something in VMEM that the last one loads and uses.
  const TrialProgram writes = assembled(R"(
        .target nano
        { v1 = vmov 5 }
        { vst [3], v1 }
        { halt }
)");
  const TrialProgram idles = assembled(".target nano\n{ idle 3 }\n{ halt }\n");
  const TrialProgram traps = assembled(R"(
        .target nano
        { v1 = vld [3] }
        { xu: s1 = extract v1, 0 }
        { p1 = ne s1, 5 }
        { @!p1 trap 9 }
        { halt }
)");
  Trial trial = faulty_trial("");
  const ShrinkResult result = Shrinker(trial, {idles, writes, idles, traps}, options()).run();
  CHECK(result.signature == "trapped explicit_trap sa");
  CHECK(result.programs.size() <= 2);
}

TEST_CASE("what does not fail is told apart") {
  Trial trial = faulty_trial("");
  const TrialProgram halts = assembled(".target nano\n{ halt }\n");
  CHECK(Shrinker(trial, {halts}, options()).run().signature.empty());
}

TEST_CASE("a fault of the RTL shrinks with the cycle model beside it") {
  if (!needs_rtl("nano")) return;
  LockstepParts parts;
  parts.machine =
      make_faulty_machine(make_rtl_machine(nano, {}), parse_fault("write.data:vmul.f32"), nullptr);
  parts.cycle_exact = make_timed_machine(nano, {});
  Trial trial(std::move(parts));
  const ShrinkResult result = Shrinker(trial, {failing_program(trial)}, options()).run();
  CHECK(result.signature.find("mismatch write.data v") == 0);
  CHECK(result.bundles <= 2);
}
