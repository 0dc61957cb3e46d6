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

Placed set_s1(std::int32_t value) { return op::mov(s(1), value).in(Slot::sa); }

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
  set_slot_bits(bundle, Slot::sa, encode(op::mov(s(3), 1).in(Slot::sa).operation));
  set_slot_bits(bundle, Slot::sb, encode(op::mov(s(3), 2).in(Slot::sb).operation));
  set_slot_bits(bundle, Slot::ld, 0x7f);
  set_slot_bits(bundle, Slot::dma, 0x7f);
  program.raw(bundle);
  check_trap(program, {TrapCause::illegal_encoding, Slot::ld, 0});
}

TEST_CASE("two slots that write one register conflict even when disabled") {
  Program program;
  program.bundle({set_s1(1)});
  program.bundle({op::vlane(v(9)).in(Slot::va).when(!p(0)),
                  op::mpop(s(7), m(1)).in(Slot::vb).when(!p(0)), op::mov(s(7), 1).in(Slot::sa),
                  op::vld(v(9), Vmem(0)).when(!p(0))});
  check_trap(program, {TrapCause::write_conflict, Slot::vb, 7});
}

TEST_CASE("the smallest conflicting register is reported, by its second slot") {
  Program program;
  program.bundle({op::vlane(v(9)).in(Slot::va), op::vld(v(9), Vmem(0)), op::exp2(v(9), v(1))});
  check_trap(program, {TrapCause::write_conflict, Slot::ld, 3U << 8U | 9U});
}

TEST_CASE("an explicit trap gives its code when its predicate holds") {
  Program program;
  program.bundle({op::trap(7U).when(p(1))});
  program.bundle({op::trap(0xdeadbeefU)});
  check_trap(program, {TrapCause::explicit_trap, Slot::sa, 0xdeadbeef});
}

TEST_CASE("leaving the text traps by branch, jump and running off the end") {
  SECTION("branch") {
    Program program;
    program.bundle({op::br(9U)});
    check_trap(program, {TrapCause::jump_range, Slot::sa, 9});
  }
  SECTION("jump") {
    Program program;
    program.bundle({set_s1(-1)});
    program.bundle({op::jump(s(1))});
    check_trap(program, {TrapCause::jump_range, Slot::sa, ~0U});
  }
  SECTION("a disabled branch falls through") {
    Program program;
    program.bundle({op::br(9U).when(!p(0))});
    program.halt();
    CHECK(program.run().status() == RunStatus::halted);
  }
  SECTION("the end, before an address error in sb") {
    Program program;
    program.bundle({op::sld(s(1), Smem(-1))});
    const auto model = program.run();
    CHECK(model.trap() == Trap{TrapCause::jump_range, Slot::sa, 1});
  }
}

TEST_CASE("SMEM addresses are checked modulo 2^32") {
  for (const std::int32_t word : {16384, -1}) {
    Program program;
    program.bundle({set_s1(word - 3)});
    program.bundle({op::sst(Smem(s(1), 3), s(1))});
    check_trap(program, {TrapCause::address_range, Slot::sb, static_cast<std::uint32_t>(word)});
  }
}

TEST_CASE("only enabled rows of a load or store are checked, in ascending order") {
  Program program;  // small: 16384 rows
  program.bundle({set_s1(16380)});
  SECTION("the first row outside") {
    program.bundle({op::vld(v(1), Vmem(s(1), 0))});
    check_trap(program, {TrapCause::address_range, Slot::ld, 16384});
  }
  SECTION("fewer rows") {
    program.bundle({op::vld(v(1), Vmem(s(1), 0), rows(4))});
    program.halt();
    CHECK(program.run().status() == RunStatus::halted);
  }
  SECTION("a negative stride below zero") {
    program.bundle({op::vst(Vmem(2), v(1), stride(-1))});
    check_trap(program, {TrapCause::address_range, Slot::st, ~0U});
  }
  SECTION("rows without a lane in the mask") {
    // m1: sublane below 4
    program.bundle({op::vsublane(v(2)).in(Slot::va)});
    program.bundle({op::mov(s(2), 4).in(Slot::sb)});
    program.bundle({op::vlt_s32(m(1), v(2), s(2)).in(Slot::va)});
    program.bundle({op::vst(Vmem(s(1), 0), v(2), masked(m(1)))});
    program.bundle({op::vst(Vmem(s(1), 0), v(2), masked(!m(1)))});
    check_trap(program, {TrapCause::address_range, Slot::st, 16384});
  }
  SECTION("words of the column form") {
    program.bundle({op::mov(s(1), 16384 * 16 - 3).in(Slot::sa)});
    program.bundle({op::vldc(v(1), VmemWord(s(1), 0), rows(3))});
    program.bundle({op::vldc(v(1), VmemWord(s(1), 0), rows(4))});
    check_trap(program, {TrapCause::address_range, Slot::ld, 16384 * 16});
  }
}

TEST_CASE("accumulators and weight rows are checked") {
  Program program;
  program.bundle({set_s1(-3)});
  SECTION("accumulator") {
    program.bundle({op::mxread(v(1), a(66, s(1)))});  // a63
    program.bundle({op::mxread(v(1), a(67, s(1)))});
    check_trap(program, {TrapCause::address_range, Slot::mx, 64});
  }
  SECTION("weight row beyond the lanes") {
    program.bundle({op::mxpush(WeightRow(s(1), 19), v(1).part_lo())});
    check_trap(program, {TrapCause::address_range, Slot::mx, 16});
  }
  SECTION("weight row between blocks") {
    program.bundle({op::mxpusht(WeightRow(4), v(1).part_lo())});
    check_trap(program, {TrapCause::address_range, Slot::mx, 4});
  }
}

TEST_CASE("a wait that nothing can satisfy is a deadlock, after an explicit trap") {
  Program program;
  program.bundle({op::fset(f(4), 3)});
  program.bundle({op::wait(f(4), 3)});
  SECTION("alone") {
    program.bundle({op::wait(f(4), 4)});
    check_trap(program, {TrapCause::deadlock, Slot::dma, 4});
  }
  SECTION("with a trap in sa") {
    program.bundle({op::wait(f(4), 4), op::trap(1U)});
    check_trap(program, {TrapCause::explicit_trap, Slot::sa, 1});
  }
}

TEST_CASE("a trap in a later slot undoes nothing because nothing was done") {
  Program program;
  program.bundle({set_s1(5)});
  program.bundle(
      {op::mov(s(1), 6).in(Slot::sa), op::sst(Smem(0), s(1)), op::mxread(v(1), a(60, s(1)))});
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
  program.bundle({op::trap(1U)});
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
  program.bundle({op::br(0U)});
  auto model = program.model();
  CHECK(model.run(1000) == RunStatus::running);
  CHECK(model.bundles() == 1000);
}
