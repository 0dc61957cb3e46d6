// Uses of data that was never written.
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>

#include "golden_support.hpp"

using namespace tandem;
using namespace tandem::test;
using Catch::Contains;

namespace {

void check_report(Program& program, const std::string& text,
                  std::optional<std::uint32_t> origin = std::nullopt) {
  const auto pc = static_cast<std::uint32_t>(program.size() - 1);
  program.halt();
  const GoldenModel model = program.run();
  REQUIRE(model.status() == RunStatus::reported);
  CHECK(model.finding()->kind == FindingKind::uninitialised);
  CHECK(model.finding()->pc == pc);
  CHECK(model.finding()->origin_pc == origin);
  CHECK_THAT(model.finding()->message, Contains(text));
  CHECK(program.run(unchecked()).status() == RunStatus::halted);
}

void check_clean(Program& program) {
  program.halt();
  const GoldenModel model = program.run();
  if (model.finding()) UNSCOPED_INFO(model.finding()->message);
  CHECK(model.status() == RunStatus::halted);
}

Placed use(std::int32_t number) { return op::vadd_f32(v(60), v(number), v(number)).in(Slot::va); }
Placed lanes_to(std::int32_t number) { return op::vlane(v(number)).in(Slot::va); }

// v1 is written but for lane 3 of every sublane; m1 is that lane.
void make_hole(Program& program) {
  program.bundle({lanes_to(9), op::mov(s(3), 3).in(Slot::sa)});
  program.bundle({op::veq_s32(m(1), v(9), s(3)).in(Slot::va)});
  program.bundle({op::vsel(v(1), !m(1), v(9), v(50)).in(Slot::va)});
}

}  // namespace

TEST_CASE("arithmetic on a register never written is reported") {
  Program program("nano");
  program.bundle({use(7)});
  check_report(program, "PC 0 (slot va) uses v7[0][0]");
}

TEST_CASE("vsel moves marks lane by lane and tells where they came from") {
  Program program("nano");
  make_hole(program);
  SECTION("the hole") {
    program.bundle({use(1)});
    check_report(program, "v1[0][3]", 2);
  }
  SECTION("filled again") {
    program.bundle({op::vsel(v(1), m(1), v(9), v(1)).in(Slot::va)});
    program.bundle({use(1)});
    check_clean(program);
  }
  SECTION("rotated") {
    program.bundle({op::lrot(v(2), v(1), 3)});
    program.bundle({use(2)});
    check_report(program, "v2[0][6]", 3);
  }
  SECTION("broadcast from beside it") {
    program.bundle({op::lbcast(v(2), v(1), 4)});
    program.bundle({use(2)});
    check_clean(program);
  }
  SECTION("transposed") {
    program.bundle({op::transpose(v(2), v(1))});
    program.bundle({use(2)});
    check_report(program, "v2[3][0]", 3);
  }
  SECTION("reduced") {
    program.bundle({op::lsum_s32(v(2), v(1))});
    check_report(program, "v1[0][3]", 2);
  }
  SECTION("compared") {
    program.bundle({op::vlt_f32(m(2), v(9), v(1)).in(Slot::va)});
    check_report(program, "v1[0][3]", 2);
  }
  SECTION("extracted beside it and then from it") {
    program.bundle({op::extract(s(1), v(1), 2)});
    program.bundle({op::extract(s(1), v(1), 11)});
    check_report(program, "v1[1][3]", 2);
  }
  SECTION("as an index") {
    program.bundle({op::lperm(v(2), v(9), v(1))});
    check_report(program, "v1[0][3]", 2);
  }
  SECTION("permuted around") {
    program.bundle({op::vand(v(8), v(9), s(0)).in(Slot::va)});
    program.bundle({op::lperm(v(2), v(1), v(8))});
    program.bundle({use(2)});
    check_clean(program);
  }
  SECTION("stored and loaded back") {
    program.bundle({op::vst(Vmem(20), v(1))});
    program.bundle({op::vld(v(2), Vmem(20))});
    program.bundle({use(2)});
    check_report(program, "v2[0][3]", 4);
  }
  SECTION("stored around the hole over written data") {
    program.bundle({op::vst(Vmem(20), v(9))});
    program.bundle({op::vst(Vmem(20), v(1), masked(!m(1)))});
    program.bundle({op::vld(v(2), Vmem(20))});
    program.bundle({use(2)});
    check_clean(program);
  }
  SECTION("loaded under a mask that leaves the hole out") {
    program.bundle({op::vst(Vmem(20), v(1))});
    program.bundle({op::vld(v(2), Vmem(20), masked(!m(1)))});
    program.bundle({use(2)});
    check_clean(program);
  }
  SECTION("converted by a move") {
    program.bundle({op::vmov(v(2), v(1)).in(Slot::va)});
    program.bundle({op::vmov(v(2), v(1).lo()).in(Slot::va)});
    check_report(program, "v1[0][3]", 2);
  }
}

TEST_CASE("a swap of registers within a bundle swaps their marks") {
  Program program("nano");
  make_hole(program);
  program.bundle({op::vmov(v(9), v(1)).in(Slot::va), op::vmov(v(1), v(9)).in(Slot::vb)});
  program.bundle({use(1)});
  program.bundle({use(9)});
  check_report(program, "v9[0][3]", 3);
}

TEST_CASE("copies write VMEM and move marks within it") {
  Program program("nano");
  CopyDescriptor descriptor;
  descriptor.destination = 256;
  descriptor.length = 252;  // all but the last word of rows 8 .. 15
  program.copy(descriptor);
  program.wait(0, 1);
  descriptor.source_space = MemorySpace::vmem;
  descriptor.source = 256;
  descriptor.destination = 1024 + 4;
  descriptor.length = 256;
  program.copy(descriptor);
  program.wait(0, 2);
  program.bundle({op::vldc(v(1), VmemWord(257), rows(1))});
  program.bundle({use(1)});
  program.bundle({op::vldc(v(1), VmemWord(256 + 64), rows(1))});
  const auto origin = static_cast<std::uint32_t>(program.size() - 1);
  program.bundle({use(1)});
  check_report(program, "v1[0][0]", origin);
}

TEST_CASE("a multiply reports activations, weights and accumulators") {
  Program program("nano");
  const auto multiply = [](std::uint32_t rows, OperandValue add, OperandValue swap) {
    return operation(Slot::mx, Op::mxmul_bf16,
                     {at(0, 2), part(1, Part::lo), plain(rows), add, swap});
  };
  SECTION("activations") {
    program.bundle({multiply(1, plain(0), plain(0))});
    check_report(program, "v1[0][0]");
  }
  SECTION("weights") {
    program.bundle({lanes_to(1)});
    program.bundle({multiply(1, plain(0), plain(1))});
    check_report(program, "the weight in row 0, column 0");
  }
  SECTION("the released buffer holds zeros") {
    program.bundle({lanes_to(1)});
    program.bundle({op::mxpush(WeightRow(0), v(1).f32())});
    program.bundle({multiply(3, plain(0), plain(1))});
    program.bundle({multiply(2, plain(1), plain(1))});
    program.bundle({op::mxread(v(4), a(2))});
    const auto origin = static_cast<std::uint32_t>(program.size() - 1);
    program.bundle({use(4)});
    check_report(program, "v4[3][0]", origin);
  }
  SECTION("accumulators") {
    program.bundle({lanes_to(1)});
    program.bundle({op::mxpusht(WeightRow(0), v(1).f32())});
    program.bundle({multiply(3, plain(0), plain(1))});
    program.bundle({multiply(4, plain(1), plain(0))});
    check_report(program, "row 3 of accumulator a2");
  }
  SECTION("pushed holes") {
    make_hole(program);
    program.bundle({op::mxpusht(WeightRow(0), v(1).part_lo())});
    program.bundle({op::mxmul_s8(a(0), v(9).b(0), swapped)});
    check_report(program, "the weight in row 3, column 0");
  }
}
