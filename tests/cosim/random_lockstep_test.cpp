// Random programs in lockstep: on the golden-backed stand-in (which finds mistakes of the checker
// and of the generator: races, endless programs) and on the RTL.
#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "cosim/faults/fault.hpp"
#include "cosim/faults/replay_machine.hpp"
#include "cosim/random/random_map.hpp"
#include "cosim/session/random_session.hpp"
#include "cosim/verilated/rtl_machine.hpp"
#include "isa/analysis/effects.hpp"
#include "isa/text/text.hpp"
#include "runtime/models/cycle_machine.hpp"
#include "tests/cosim/presets.hpp"

using namespace tandem;  // NOLINT: a test file

namespace {

RandomResult run_seeds(const Parameters& preset, std::uint64_t first, std::uint64_t count,
                       const MachineFactory& factory, const MachineFactory& cycle_exact,
                       const KnobChoices& choices = {}) {
  RandomLockstep lockstep(preset, factory, cycle_exact, choices, "");
  RandomResult totals;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const RandomResult result = lockstep.run(seed);
    INFO("seed " << seed << ", " << outcome_name(result.outcome) << '\n' << result.explanation);
    REQUIRE(result.passed());
    totals.programs += result.programs;
    totals.halted += result.halted;
    totals.trapped += result.trapped;
    totals.bundles += result.bundles;
    totals.volatile_reads += result.volatile_reads;
  }
  return totals;
}

}  // namespace

TEST_CASE("a seed gives the same random program every time and others a different one") {
  const Parameters& nano = presets[0];
  const Image first = random_program(nano, 7, random_knobs(7));
  CHECK(first.text == random_program(nano, 7, random_knobs(7)).text);
  CHECK(first.text != random_program(nano, 8, random_knobs(7)).text);
}

TEST_CASE("random programs are legal unless they are meant not to be") {
  for (const Parameters& preset : presets) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      RandomKnobs knobs = random_knobs(seed);
      knobs.illegal = false;
      for (const Bundle& bundle : random_program(preset, seed, knobs).text) {
        INFO(preset.name << " seed " << seed << ' ' << bundle_text(bundle));
        REQUIRE(is_legal(bundle));
        DecodedBundle decoded;
        for (std::size_t slot = 0; slot < slot_count; ++slot) {
          const auto which = static_cast<Slot>(slot);
          const SlotBits bits = slot_bits(bundle, which);
          if (!is_empty(bits)) decoded[slot] = decode(which, bits);
        }
        REQUIRE(!find_write_conflict(decoded));
      }
    }
  }
}

// A copy of the next channel may be on its way there. An index is below its bound, which is a
// register that stays below 32 or the number of lanes.
TEST_CASE("accesses to a channel's rows stay in them, indexed ones too") {
  unsigned indexed = 0;
  for (const Parameters& preset : presets) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      RandomKnobs knobs = random_knobs(seed);
      knobs.illegal = false;
      for (const Bundle& bundle : random_program(preset, seed, knobs).text) {
        for (const Slot slot : {Slot::ld, Slot::st}) {
          const SlotBits bits = slot_bits(bundle, slot);
          if (is_empty(bits)) continue;
          const auto operation = decode(slot, bits);
          REQUIRE(operation);
          const MemoryUse use = effects_of(*operation).memory;
          const OperandValue& address = operation->operands[use.place];
          const auto row = static_cast<std::uint32_t>(address.imm);
          if (use.in_words || address.value != 0 || row < preset.vmem_rows() / 2) continue;
          const std::uint32_t last = row + (use.extent_known ? 7 : std::max(32U, preset.lanes) - 1);
          const std::uint32_t channel = (row - preset.vmem_rows() / 2) / channel_rows(preset);
          INFO(preset.name << " seed " << seed << ' ' << bundle_text(bundle));
          REQUIRE(last < channel_row(preset, channel) + channel_rows(preset));
          indexed += use.extent_known ? 0 : 1;
        }
      }
    }
  }
  CHECK(indexed > 100);
}

TEST_CASE("random programs together use every instruction of the table") {
  std::set<Op> used;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    for (const Bundle& bundle : random_program(presets[0], seed, random_knobs(seed)).text) {
      for (std::size_t slot = 0; slot < slot_count; ++slot) {
        const auto which = static_cast<Slot>(slot);
        const auto operation = decode(which, slot_bits(bundle, which));
        if (operation) used.insert(operation->op);
      }
    }
  }
  for (const Instruction& row : instructions) {
    INFO(row.mnemonic);
    CHECK(used.count(row.op) == 1);
  }
}

TEST_CASE("random programs agree with themselves on the stand-in of every preset") {
  for (const Parameters& preset : presets) {
    const std::uint64_t count = preset.lanes > 16 ? 6 : 60;
    const MachineFactory stand_in = [](const Parameters& parameters, const MachineOptions& o) {
      return make_replay_machine(parameters, o.reset_seed);
    };
    const RandomResult totals = run_seeds(preset, 1, count, stand_in, stand_in);
    CHECK(totals.halted > 0);
    if (count >= 60) CHECK(totals.trapped > 0);
    if (count >= 60) CHECK(totals.volatile_reads > 0);
  }
}

TEST_CASE("programs at the ends of every knob's range are free of races and end") {
  constexpr std::uint32_t most_bundles = 3000;
  for (const KnobRow& row : random_knob_table()) {
    for (const std::uint32_t value : {row.lowest, std::min(row.highest, most_bundles)}) {
      if (row.name == "launches" && value > 8) continue;
      INFO(row.name << " = " << value);
      run_seeds(presets[0], 40, 3, make_cycle_machine, {},
                {{std::string(row.name), {value, value}}});
    }
  }
}

TEST_CASE("programs that are meant to trap do, some with several reasons") {
  const KnobChoices choices{{"illegal", {1, 1}}, {"traps", {3, 3}}};
  const RandomResult totals = run_seeds(presets[0], 1, 150, make_cycle_machine, {}, choices);
  CHECK(totals.trapped * 10 > totals.programs * 9);
}

TEST_CASE("a machine that is powered up again does what a new one does") {
  if (!needs_rtl("nano")) return;
  const auto lockstep = [] {
    return RandomLockstep(presets[0], make_rtl_machine, make_timed_machine, {}, "");
  };
  RandomLockstep warm = lockstep();
  for (std::uint64_t seed = 70; seed < 80; ++seed) {
    const RandomResult after_others = warm.run(seed);
    const RandomResult alone = lockstep().run(seed);
    CHECK(after_others.passed());
    CHECK(after_others.bundles == alone.bundles);
    CHECK(after_others.cycles == alone.cycles);
  }
}

TEST_CASE("a failure says which seed, knobs and models repeat it") {
  const MachineFactory faulty = [](const Parameters& parameters, const MachineOptions& options) {
    return make_faulty_machine(make_cycle_machine(parameters, options),
                               Fault{CompareField::write_data, 60, {}, {}}, nullptr);
  };
  RandomLockstep lockstep(presets[0], faulty, {}, {{"bundles", {60, 60}}}, "tandem lockstep");
  const RandomResult result = lockstep.run(9);
  CHECK(result.outcome == Outcome::mismatch);
  CHECK(result.explanation.find("tandem lockstep --seed 9 --preset nano --knob bundles=60") !=
        std::string::npos);
}

TEST_CASE("random programs agree with the cycle model of every preset") {
  for (const Parameters& preset : presets) {
    run_seeds(preset, 1, preset.lanes > 16 ? 10 : 100, make_cycle_machine, {});
  }
}

TEST_CASE("200 random programs agree with the RTL of nano and the cycle model") {
  if (!needs_rtl("nano")) return;
  const RandomResult totals = run_seeds(presets[0], 1, 200, make_rtl_machine, make_timed_machine);
  CHECK(totals.halted > 100);
  CHECK(totals.trapped > 5);
}

TEST_CASE("100 random programs agree with the RTL of small and the cycle model") {
  if (!needs_rtl("small")) return;
  const RandomResult totals =
      run_seeds(presets[1], 5000, 100, make_rtl_machine, make_timed_machine);
  CHECK(totals.halted > 50);
  CHECK(totals.trapped > 2);
}

TEST_CASE("a copy that completes while a counter is being read is compared before later writes") {
  if (!needs_rtl("nano")) return;
  // Chosen because it fails when the checker's queue does not hand on the value of a counter at
  // once.
  const KnobChoices choices{{"volatile_csrs", {1, 1}}, {"copies", {40, 40}},
                            {"channels", {2, 4}},      {"illegal", {0, 0}},
                            {"launches", {1, 1}},      {"bundles", {150, 150}}};
  const RandomResult totals =
      run_seeds(presets[0], 358, 1, make_rtl_machine, make_timed_machine, choices);
  CHECK(totals.volatile_reads > 0);
}

TEST_CASE("20000 random programs agree with the RTL of nano, fewer with larger presets' RTL",
          "[.nightly]") {
  for (const std::string_view name : rtl_presets()) {
    const Parameters& preset = *find_preset(name);
    const std::uint64_t times_nano = preset.lanes / presets[0].lanes;
    // A program takes time with the square of the lanes.
    const std::uint64_t count = 20'000 / (times_nano * times_nano);
    run_seeds(preset, 100'000, count, make_rtl_machine, make_timed_machine);
  }
}
