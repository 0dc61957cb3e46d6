// Copies that the start begins: done, counted by their flags, and in flight until a wait.
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>

#include "golden_support.hpp"

using namespace tandem;
using namespace tandem::test;
using Catch::Contains;

namespace {

// HBM to rows 2 and 3 of nano.
CopyDescriptor to_vmem() {
  CopyDescriptor fields;
  fields.source = 0x20'0000;
  fields.destination = 64;
  fields.length = 64;
  fields.flag = 5;
  fields.amount = 7;
  return fields;
}

Program with_copies(const std::vector<CopyDescriptor>& copies) {
  Program program("nano");
  program.hbm(0x20'0000, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16});
  for (const CopyDescriptor& copy : copies) program.start_copies.push_back(copy.words());
  return program;
}

Placed load(std::int32_t row) { return op::vld(v(1), Vmem(row), rows(1)); }

std::string race_of(Program& program) {
  program.halt();
  const GoldenModel model = program.run();
  if (model.status() != RunStatus::reported || !model.finding()) return "";
  CHECK(model.finding()->kind == FindingKind::race);
  CHECK_FALSE(model.finding()->origin_pc);
  return model.finding()->message;
}

}  // namespace

TEST_CASE("a wait finds what a start copy has brought, and its amount in the flag") {
  Program program = with_copies({to_vmem()});
  program.wait(5, 7);
  program.bundle({load(3)});
  program.halt();
  const GoldenModel model = program.run();
  REQUIRE(model.status() == RunStatus::halted);
  CHECK(model.state().flags[5] == 7);
  CHECK(model.state().vmem[16] == 1);
  CHECK(model.state().vmem[31] == 16);
}

TEST_CASE("a start copy is in flight until a wait proves it complete") {
  Program early = with_copies({to_vmem()});
  early.bundle({load(3)});
  CHECK_THAT(race_of(early), Contains("PC 0 reads VMEM row 3") &&
                                 Contains("which the copy started at the start may still be"));
  Program beside = with_copies({to_vmem()});
  beside.bundle({op::vst(Vmem(4), v(1), rows(1))});
  CHECK(race_of(beside).empty());
  Program other_flag = with_copies({to_vmem()});
  other_flag.bundle({op::fset(f(5), 0)});
  CHECK_THAT(race_of(other_flag), Contains("to which the copy started at the start may still add"));
}

TEST_CASE("start copies that overlap are a race, before the first bundle") {
  CopyDescriptor second = to_vmem();
  second.destination = 96;
  Program program = with_copies({to_vmem(), second});
  CHECK_THAT(race_of(program), Contains("the copy at the start writes VMEM row 3"));
  CopyDescriptor twice = to_vmem();
  twice.dimensions[0] = {3, 0, 32};
  Program own = with_copies({twice});
  CHECK_THAT(race_of(own), Contains("writes some bytes twice"));
}

TEST_CASE("a copy of the program with the flag of a start copy comes after it") {
  CopyDescriptor later = to_vmem();
  later.destination = 256;
  Program program = with_copies({to_vmem()});
  program.copy(later);
  program.wait(5, 14);
  program.bundle({load(8)});
  program.bundle({load(2)});
  CHECK(race_of(program).empty());
}
