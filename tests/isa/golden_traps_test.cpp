#include <catch2/catch.hpp>
#include <cstdint>

#include "golden_support.hpp"

using namespace tandem;
using namespace tandem::test;

namespace {

// Runs and expects the last bundle executed to trap and to leave nothing else behind.
void check_trap(Program& program, const Trap& expected) {
  const std::uint32_t pc = static_cast<std::uint32_t>(program.size() - 1);
  program.halt();
  const GoldenModel model = program.run();
  REQUIRE(model.status() == RunStatus::trapped);
  CHECK(model.trap().cause == expected.cause);
  CHECK(model.trap().slot == expected.slot);
  CHECK(model.trap().detail == expected.detail);
  CHECK(model.pc() == pc);
  const RetireRecord& last = program.records.back();
  CHECK(last.trap == expected);
  CHECK(last.pc == pc);
  CHECK(last.next_pc == pc);
  CHECK(last.writes.empty());
  CHECK(last.sequence == model.bundles());
  CHECK(program.records.size() == model.bundles() + 1);
}

SlotOperation set_s1(std::int32_t value) { return op(Slot::sa, Op::mov, {reg(1), number(value)}); }

Bundle with_bits(Slot slot, SlotBits bits) {
  Bundle bundle{};
  set_slot_bits(bundle, slot, bits);
  return bundle;
}

}  // namespace

TEST_CASE("an unknown opcode or a stray bit is an illegal encoding whatever the predicate") {
  const SlotBits never = 0x800;  // @!p0
  for (const SlotBits bits : {SlotBits{0xff} | never, SlotBits{0x100}, never,
                              SlotBits{0x08} | SlotBits{1} << 40U, SlotBits{0x60}}) {
    Program program;
    program.raw(with_bits(Slot::sa, bits));
    check_trap(program, {TrapCause::illegal_encoding, Slot::sa, 0});
  }
}

TEST_CASE("the first illegal slot is reported, before any conflict") {
  Program program;
  Bundle bundle{};
  set_slot_bits(bundle, Slot::sa, encode(op(Slot::sa, Op::mov, {reg(3), number(1)}).operation));
  set_slot_bits(bundle, Slot::sb, encode(op(Slot::sb, Op::mov, {reg(3), number(2)}).operation));
  set_slot_bits(bundle, Slot::ld, 0x7f);
  set_slot_bits(bundle, Slot::dma, 0x7f);
  program.raw(bundle);
  check_trap(program, {TrapCause::illegal_encoding, Slot::ld, 0});
}

TEST_CASE("two slots that write one register conflict even when disabled") {
  Program program;
  program.bundle({set_s1(1)});
  program.bundle({when(0, true, op(Slot::va, Op::vlane, {reg(9)})),
                  when(0, true, op(Slot::vb, Op::mpop, {reg(7), reg(1)})),
                  op(Slot::sa, Op::mov, {reg(7), number(1)}),
                  when(0, true, op(Slot::ld, Op::vld, {reg(9), at(0, 0)}))});
  check_trap(program, {TrapCause::write_conflict, Slot::vb, 7});
}

TEST_CASE("the smallest conflicting register is reported, by its second slot") {
  Program program;
  program.bundle({op(Slot::va, Op::vlane, {reg(9)}), op(Slot::ld, Op::vld, {reg(9), at(0, 0)}),
                  op(Slot::xu, Op::exp2, {reg(9), reg(1)})});
  check_trap(program, {TrapCause::write_conflict, Slot::ld, 3U << 8U | 9U});
}

TEST_CASE("an explicit trap gives its code when its predicate holds") {
  Program program;
  program.bundle({when(1, false, op(Slot::sa, Op::trap, {plain(7)}))});
  program.bundle({op(Slot::sa, Op::trap, {plain(0xdeadbeef)})});
  check_trap(program, {TrapCause::explicit_trap, Slot::sa, 0xdeadbeef});
}

TEST_CASE("leaving the text traps by branch, jump and running off the end") {
  SECTION("branch") {
    Program program;
    program.bundle({op(Slot::sa, Op::br, {plain(9)})});
    check_trap(program, {TrapCause::jump_range, Slot::sa, 9});
  }
  SECTION("jump") {
    Program program;
    program.bundle({set_s1(-1)});
    program.bundle({op(Slot::sa, Op::jump, {reg(1)})});
    check_trap(program, {TrapCause::jump_range, Slot::sa, ~0U});
  }
  SECTION("a disabled branch falls through") {
    Program program;
    program.bundle({when(0, true, op(Slot::sa, Op::br, {plain(9)}))});
    program.halt();
    CHECK(program.run().status() == RunStatus::halted);
  }
  SECTION("the end, before an address error in sb") {
    Program program;
    program.bundle({op(Slot::sb, Op::sld, {reg(1), at(0, -1)})});
    const auto model = program.run();
    CHECK(model.trap() == Trap{TrapCause::jump_range, Slot::sa, 1});
  }
}

TEST_CASE("SMEM addresses are checked modulo 2^32") {
  for (const std::int32_t word : {16384, -1}) {
    Program program;
    program.bundle({set_s1(word - 3)});
    program.bundle({op(Slot::sb, Op::sst, {at(1, 3), reg(1)})});
    check_trap(program, {TrapCause::address_range, Slot::sb, static_cast<std::uint32_t>(word)});
  }
}

TEST_CASE("only enabled rows of a load or store are checked, in ascending order") {
  Program program;  // small: 16384 rows
  program.bundle({set_s1(16380)});
  SECTION("the first row outside") {
    program.bundle({op(Slot::ld, Op::vld, {reg(1), at(1, 0)})});
    check_trap(program, {TrapCause::address_range, Slot::ld, 16384});
  }
  SECTION("fewer rows") {
    program.bundle({op(Slot::ld, Op::vld, {reg(1), at(1, 0), plain(1), plain(4)})});
    program.halt();
    CHECK(program.run().status() == RunStatus::halted);
  }
  SECTION("a negative stride below zero") {
    program.bundle({op(Slot::st, Op::vst, {at(0, 2), reg(1), OperandValue{-1, 0, 0}})});
    check_trap(program, {TrapCause::address_range, Slot::st, ~0U});
  }
  SECTION("rows without a lane in the mask") {
    // m1: sublane below 4
    program.bundle({op(Slot::va, Op::vsublane, {reg(2)})});
    program.bundle({op(Slot::sb, Op::mov, {reg(2), number(4)})});
    program.bundle({op(Slot::va, Op::vlt_s32, {reg(1), reg(2), form(2, SourceForm::scalar)})});
    program.bundle({op(Slot::st, Op::vst, {at(1, 0), reg(2), plain(1), plain(8), reg(1)})});
    program.bundle({op(Slot::st, Op::vst, {at(1, 0), reg(2), plain(1), plain(8), negated(1)})});
    check_trap(program, {TrapCause::address_range, Slot::st, 16384});
  }
  SECTION("words of the column form") {
    program.bundle({op(Slot::sa, Op::mov, {reg(1), number(16384 * 16 - 3)})});
    program.bundle({op(Slot::ld, Op::vldc, {reg(1), at(1, 0), plain(3)})});
    program.bundle({op(Slot::ld, Op::vldc, {reg(1), at(1, 0), plain(4)})});
    check_trap(program, {TrapCause::address_range, Slot::ld, 16384 * 16});
  }
}

TEST_CASE("accumulators and weight rows are checked") {
  Program program;
  program.bundle({set_s1(-3)});
  SECTION("accumulator") {
    program.bundle({op(Slot::mx, Op::mxread, {reg(1), at(1, 66)})});  // a63
    program.bundle({op(Slot::mx, Op::mxread, {reg(1), at(1, 67)})});
    check_trap(program, {TrapCause::address_range, Slot::mx, 64});
  }
  SECTION("weight row beyond the lanes") {
    program.bundle({op(Slot::mx, Op::mxpush, {at(1, 19), part(1, Part::lo)})});
    check_trap(program, {TrapCause::address_range, Slot::mx, 16});
  }
  SECTION("weight row between blocks") {
    program.bundle({op(Slot::mx, Op::mxpusht, {at(0, 4), part(1, Part::lo)})});
    check_trap(program, {TrapCause::address_range, Slot::mx, 4});
  }
}

TEST_CASE("a wait that nothing can satisfy is a deadlock, after an explicit trap") {
  Program program;
  program.bundle({op(Slot::dma, Op::fset, {plain(4), number(3)})});
  program.bundle({op(Slot::dma, Op::wait, {plain(4), number(3)})});
  SECTION("alone") {
    program.bundle({op(Slot::dma, Op::wait, {plain(4), number(4)})});
    check_trap(program, {TrapCause::deadlock, Slot::dma, 4});
  }
  SECTION("with a trap in sa") {
    program.bundle(
        {op(Slot::dma, Op::wait, {plain(4), number(4)}), op(Slot::sa, Op::trap, {plain(1)})});
    check_trap(program, {TrapCause::explicit_trap, Slot::sa, 1});
  }
}

TEST_CASE("a trap in a later slot undoes nothing because nothing was done") {
  Program program;
  program.bundle({set_s1(5)});
  program.bundle({op(Slot::sa, Op::mov, {reg(1), number(6)}),
                  op(Slot::sb, Op::sst, {at(0, 0), reg(1)}),
                  op(Slot::mx, Op::mxread, {reg(1), at(1, 60)})});
  const auto model = program.run();
  CHECK(model.trap().cause == TrapCause::jump_range);
  program.halt();
  const auto longer = program.run();
  CHECK(longer.trap() == Trap{TrapCause::address_range, Slot::mx, 65});
  CHECK(longer.state().scalars[1] == 5);
  CHECK(longer.state().smem[0] == 0);
}

TEST_CASE("a trapped model stays trapped") {
  Program program;
  program.bundle({op(Slot::sa, Op::trap, {plain(1)})});
  auto model = program.model();
  RetireRecord record;
  CHECK(model.step(&record) == RunStatus::trapped);
  CHECK(model.step(&record) == RunStatus::trapped);
  CHECK(record.trap.cause == TrapCause::none);
  CHECK(model.run(10) == RunStatus::trapped);
  CHECK(model.bundles() == 0);
}

TEST_CASE("an entry outside the text traps before anything is issued") {
  Program program;
  program.halt();
  program.entry(1);
  auto model = program.model();
  RetireRecord record;
  CHECK(model.step(&record) == RunStatus::trapped);
  CHECK(model.trap() == Trap{TrapCause::jump_range, Slot::sa, 1});
  CHECK(model.pc() == 1);
  CHECK(model.bundles() == 0);
}

TEST_CASE("a run stops at its limit") {
  Program program;
  program.bundle({op(Slot::sa, Op::br, {plain(0)})});
  auto model = program.model();
  CHECK(model.run(1000) == RunStatus::running);
  CHECK(model.bundles() == 1000);
}
