#include "isa/text/text.hpp"

#include <catch2/catch.hpp>

namespace tandem {
namespace {

Operation vld(std::int32_t offset) {
  Operation operation{Op::vld, 0, false, {}};
  const Instruction& row = instruction(Op::vld);
  for (std::size_t i = 0; i < row.operands.count; ++i) {
    operation.operands[i] = default_value(*row.operands.items[i]);
  }
  operation.operands[0].value = 1;
  operation.operands[1].value = 10;
  operation.operands[1].imm = offset;
  return operation;
}

}  // namespace

TEST_CASE("addresses are printed with their sign and defaults are left out") {
  REQUIRE(operation_text(vld(8)) == "v1 = vld [s10 + 8]");
  REQUIRE(operation_text(vld(-8)) == "v1 = vld [s10 - 8]");
  REQUIRE(operation_text(vld(0)) == "v1 = vld [s10]");
}

TEST_CASE("attributes and predicates are printed when they say something") {
  Operation operation = vld(0);
  operation.predicate = 2;
  operation.negate = true;
  operation.operands[2].value = -3;
  operation.operands[3].value = 5;
  operation.operands[4] = {1, 1, 0};
  REQUIRE(operation_text(operation) == "@!p2 v1 = vld [s10], stride=-3, rows=5, mask=!m1");
}

TEST_CASE("branch targets are printed by name where there is one") {
  Operation branch{Op::br, 1, false, {}};
  branch.operands[0].value = 7;
  REQUIRE(operation_text(branch) == "@p1 br 7");
  REQUIRE(operation_text(branch, [](std::uint32_t pc) { return pc == 7 ? "next" : ""; }) ==
          "@p1 br next");
}

TEST_CASE("a bundle names its slots and an illegal slot is visible") {
  Bundle bundle{};
  REQUIRE(bundle_text(bundle) == "{}");
  set_slot_bits(bundle, Slot::ld, encode(vld(8)));
  REQUIRE(bundle_text(bundle) == "{ ld: v1 = vld [s10 + 8] }");
  REQUIRE(is_legal(bundle));
  set_slot_bits(bundle, Slot::xu, 0xff);
  REQUIRE(bundle_text(bundle) == "{ ld: v1 = vld [s10 + 8] ; xu: <illegal 0xff> }");
  REQUIRE_FALSE(is_legal(bundle));
}

}  // namespace tandem
