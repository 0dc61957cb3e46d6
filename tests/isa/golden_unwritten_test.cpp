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

SlotOperation use(std::int32_t number) {
  return op(Slot::va, Op::vadd_f32, {reg(60), reg(number), reg(number)});
}
SlotOperation lanes_to(std::int32_t number) { return op(Slot::va, Op::vlane, {reg(number)}); }

// v1 is written but for lane 3 of every sublane; m1 is that lane.
void make_hole(Program& program) {
  program.bundle({lanes_to(9), op(Slot::sa, Op::mov, {reg(3), number(3)})});
  program.bundle({op(Slot::va, Op::veq_s32, {reg(1), reg(9), form(3, SourceForm::scalar)})});
  program.bundle({op(Slot::va, Op::vsel, {reg(1), negated(1), reg(9), reg(50)})});
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
    program.bundle({op(Slot::va, Op::vsel, {reg(1), reg(1), reg(9), reg(1)})});
    program.bundle({use(1)});
    check_clean(program);
  }
  SECTION("rotated") {
    program.bundle({op(Slot::xu, Op::lrot, {reg(2), reg(1), number(3)})});
    program.bundle({use(2)});
    check_report(program, "v2[0][6]", 3);
  }
  SECTION("broadcast from beside it") {
    program.bundle({op(Slot::xu, Op::lbcast, {reg(2), reg(1), number(4)})});
    program.bundle({use(2)});
    check_clean(program);
  }
  SECTION("transposed") {
    program.bundle({op(Slot::xu, Op::transpose, {reg(2), reg(1)})});
    program.bundle({use(2)});
    check_report(program, "v2[3][0]", 3);
  }
  SECTION("reduced") {
    program.bundle({op(Slot::xu, Op::lsum_s32, {reg(2), reg(1)})});
    check_report(program, "v1[0][3]", 2);
  }
  SECTION("compared") {
    program.bundle({op(Slot::va, Op::vlt_f32, {reg(2), reg(9), reg(1)})});
    check_report(program, "v1[0][3]", 2);
  }
  SECTION("extracted beside it and then from it") {
    program.bundle({op(Slot::xu, Op::extract, {reg(1), reg(1), number(2)})});
    program.bundle({op(Slot::xu, Op::extract, {reg(1), reg(1), number(11)})});
    check_report(program, "v1[1][3]", 2);
  }
  SECTION("as an index") {
    program.bundle({op(Slot::xu, Op::lperm, {reg(2), reg(9), reg(1)})});
    check_report(program, "v1[0][3]", 2);
  }
  SECTION("permuted around") {
    program.bundle({op(Slot::va, Op::vand, {reg(8), reg(9), form(0, SourceForm::scalar)})});
    program.bundle({op(Slot::xu, Op::lperm, {reg(2), reg(1), reg(8)})});
    program.bundle({use(2)});
    check_clean(program);
  }
  SECTION("stored and loaded back") {
    program.bundle({op(Slot::st, Op::vst, {at(0, 20), reg(1)})});
    program.bundle({op(Slot::ld, Op::vld, {reg(2), at(0, 20)})});
    program.bundle({use(2)});
    check_report(program, "v2[0][3]", 4);
  }
  SECTION("stored around the hole over written data") {
    program.bundle({op(Slot::st, Op::vst, {at(0, 20), reg(9)})});
    program.bundle({op(Slot::st, Op::vst, {at(0, 20), reg(1), plain(1), plain(8), negated(1)})});
    program.bundle({op(Slot::ld, Op::vld, {reg(2), at(0, 20)})});
    program.bundle({use(2)});
    check_clean(program);
  }
  SECTION("loaded under a mask that leaves the hole out") {
    program.bundle({op(Slot::st, Op::vst, {at(0, 20), reg(1)})});
    program.bundle({op(Slot::ld, Op::vld, {reg(2), at(0, 20), plain(1), plain(8), negated(1)})});
    program.bundle({use(2)});
    check_clean(program);
  }
  SECTION("converted by a move") {
    program.bundle({op(Slot::va, Op::vmov, {reg(2), reg(1)})});
    program.bundle({op(Slot::va, Op::vmov, {reg(2), form(1, SourceForm::lo)})});
    check_report(program, "v1[0][3]", 2);
  }
}

TEST_CASE("a swap of registers within a bundle swaps their marks") {
  Program program("nano");
  make_hole(program);
  program.bundle(
      {op(Slot::va, Op::vmov, {reg(9), reg(1)}), op(Slot::vb, Op::vmov, {reg(1), reg(9)})});
  program.bundle({use(1)});
  program.bundle({use(9)});
  check_report(program, "v9[0][3]", 3);
}

TEST_CASE("copies write VMEM and move marks within it") {
  Program program("nano");
  Descriptor descriptor;
  descriptor.destination = 256;
  descriptor.length = 252;  // all but the last word of rows 8 .. 15
  program.copy(descriptor);
  program.wait(0, 1);
  descriptor.source_memory = Descriptor::vmem;
  descriptor.source = 256;
  descriptor.destination = 1024 + 4;
  descriptor.length = 256;
  program.copy(descriptor);
  program.wait(0, 2);
  program.bundle({op(Slot::ld, Op::vldc, {reg(1), at(0, 257), plain(1)})});
  program.bundle({use(1)});
  program.bundle({op(Slot::ld, Op::vldc, {reg(1), at(0, 256 + 64), plain(1)})});
  const auto origin = static_cast<std::uint32_t>(program.size() - 1);
  program.bundle({use(1)});
  check_report(program, "v1[0][0]", origin);
}

TEST_CASE("a multiply reports activations, weights and accumulators") {
  Program program("nano");
  const auto multiply = [](std::uint32_t rows, OperandValue add, OperandValue swap) {
    return op(Slot::mx, Op::mxmul_bf16, {at(0, 2), part(1, Part::lo), plain(rows), add, swap});
  };
  SECTION("activations") {
    program.bundle({multiply(1, no(), no())});
    check_report(program, "v1[0][0]");
  }
  SECTION("weights") {
    program.bundle({lanes_to(1)});
    program.bundle({multiply(1, no(), yes())});
    check_report(program, "the weight in row 0, column 0");
  }
  SECTION("the released buffer holds zeros") {
    program.bundle({lanes_to(1)});
    program.bundle({op(Slot::mx, Op::mxpush, {at(0, 0), part(1, Part::f32)})});
    program.bundle({multiply(3, no(), yes())});
    program.bundle({multiply(2, yes(), yes())});
    program.bundle({op(Slot::mx, Op::mxread, {reg(4), at(0, 2)})});
    const auto origin = static_cast<std::uint32_t>(program.size() - 1);
    program.bundle({use(4)});
    check_report(program, "v4[3][0]", origin);
  }
  SECTION("accumulators") {
    program.bundle({lanes_to(1)});
    program.bundle({op(Slot::mx, Op::mxpusht, {at(0, 0), part(1, Part::f32)})});
    program.bundle({multiply(3, no(), yes())});
    program.bundle({multiply(4, yes(), no())});
    check_report(program, "row 3 of accumulator a2");
  }
  SECTION("pushed holes") {
    make_hole(program);
    program.bundle({op(Slot::mx, Op::mxpusht, {at(0, 0), part(1, Part::lo)})});
    program.bundle(
        {op(Slot::mx, Op::mxmul_s8, {at(0, 0), part(9, Part::b0), plain(8), no(), yes()})});
    check_report(program, "the weight in row 3, column 0");
  }
}
