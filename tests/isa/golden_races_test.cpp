// Races of copies, and the rule by which a wait proves a copy complete.
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>

#include "golden_support.hpp"

using namespace tandem;
using namespace tandem::test;
using Catch::Contains;

namespace {

// Expects the last bundle added to be reported.
void check_race(Program& program, std::uint32_t copy_pc, const std::string& text) {
  const auto pc = static_cast<std::uint32_t>(program.size() - 1);
  program.halt();
  const GoldenModel model = program.run();
  REQUIRE(model.status() == RunStatus::reported);
  REQUIRE(model.finding());
  CHECK(model.finding()->kind == FindingKind::race);
  CHECK(model.finding()->pc == pc);
  CHECK(model.finding()->origin_pc == copy_pc);
  CHECK_THAT(model.finding()->message, Contains(text));
  const GoldenModel off = program.run(unchecked());
  CHECK(off.status() == RunStatus::halted);
}

void check_clean(Program& program) {
  program.halt();
  const GoldenModel model = program.run();
  if (model.finding()) UNSCOPED_INFO(model.finding()->message);
  CHECK(model.status() == RunStatus::halted);
}

// HBM to VMEM word 16 .. 31 (row 2 of nano and row 3), flag 0.
CopyDescriptor to_vmem() {
  CopyDescriptor descriptor;
  descriptor.source = 0x10'0000;
  descriptor.destination = 64;
  descriptor.length = 64;
  return descriptor;
}

std::uint32_t start(Program& program, const CopyDescriptor& descriptor) {
  program.copy(descriptor);
  return static_cast<std::uint32_t>(program.size() - 1);
}

Placed load(std::int32_t row, std::uint8_t count = 1) {
  return op::vld(v(1), Vmem(row), rows(count));
}

}  // namespace

TEST_CASE("loading a pending destination is a race and its neighbours are not") {
  Program program("nano");
  const std::uint32_t pc = start(program, to_vmem());
  SECTION("the row") {
    program.bundle({load(3)});
    check_race(program, pc, "reads VMEM row 3 lane 0");
  }
  SECTION("rows around") {
    program.bundle({load(0, 2)});
    program.bundle({load(4, 8)});
    check_clean(program);
  }
  SECTION("after the wait") {
    program.wait(0, 1);
    program.bundle({load(2)});
    check_clean(program);
  }
  SECTION("in the bundle of the wait") {
    program.bundle({load(2), op::wait(f(0), 1)});
    check_clean(program);
  }
  SECTION("a disabled wait proves nothing") {
    program.bundle({op::wait(f(0), 1).when(!p(0))});
    program.bundle({load(2)});
    check_race(program, pc, "row 2 lane 0");
  }
  SECTION("the column form, word by word") {
    program.bundle({op::vldc(v(1), VmemWord(8))});
    program.bundle({op::vldc(v(1), VmemWord(9))});
    check_race(program, pc, "row 2 lane 0");
  }
}

TEST_CASE("a load in the bundle that starts the copy is before it") {
  Program program("nano");
  program.smem(0, to_vmem().words());
  program.bundle({load(2), op::vst(Vmem(3), v(2), rows(1)), op::copy(Descriptor(0), s(0), s(0))});
  check_clean(program);
}

TEST_CASE("only lanes that the mask enables touch") {
  Program program("nano");
  CopyDescriptor descriptor = to_vmem();
  descriptor.length = 4;  // row 2 lane 0
  const std::uint32_t pc = start(program, descriptor);
  program.bundle({op::vlane(v(5)).in(Slot::va)});
  program.bundle({op::veq_s32(m(1), v(5), s(0)).in(Slot::va)});
  program.bundle({op::vld(v(1), Vmem(2), rows(1), masked(!m(1)))});
  program.bundle({op::vld(v(1), Vmem(2), rows(1), masked(m(1)))});
  check_race(program, pc, "row 2 lane 0");
}

TEST_CASE("storing to a pending source or destination is a race and loading a source is not") {
  Program program("nano");
  CopyDescriptor descriptor = to_vmem();
  descriptor.source_space = MemorySpace::vmem;
  descriptor.source = 4096;  // rows 128, 129
  const std::uint32_t pc = start(program, descriptor);
  program.bundle({load(128)});
  SECTION("source") {
    program.bundle({op::vst(Vmem(129), v(1), rows(1))});
    check_race(program, pc, "may still be reading");
  }
  SECTION("destination") {
    program.bundle({op::vst(Vmem(3), v(1), rows(1))});
    check_race(program, pc, "may still be writing");
  }
}

TEST_CASE("SMEM loads, stores and descriptors race with copies") {
  Program program("nano");
  CopyDescriptor descriptor = to_vmem();
  descriptor.destination_space = MemorySpace::smem;
  descriptor.destination = 256;  // words 64 .. 79
  const std::uint32_t pc = start(program, descriptor);
  SECTION("load") {
    program.bundle({op::sld(s(1), Smem(79))});
    check_race(program, pc, "SMEM word 79");
  }
  SECTION("store") {
    program.bundle({op::sst(Smem(64), s(1))});
    check_race(program, pc, "SMEM word 64");
  }
  SECTION("beside it") {
    program.bundle({op::sld(s(1), Smem(80))});
    program.bundle({op::sst(Smem(63), s(1))});
    check_clean(program);
  }
}

TEST_CASE("copies race with copies over HBM byte by byte") {
  Program program("nano");
  CopyDescriptor columns;  // every second word of 1 KiB
  columns.source_space = MemorySpace::vmem;
  columns.destination_space = MemorySpace::hbm;
  columns.source = 0;
  columns.destination = 0x20'0000;
  columns.dimensions[0] = {128, 4, 8};
  const std::uint32_t pc = start(program, columns);
  columns.source = 4096;
  columns.destination += 4;
  start(program, columns);
  SECTION("the words in between are free") { check_clean(program); }
  SECTION("writing one again") {
    columns.dimensions[0].count = 1;
    columns.destination = 0x20'0000 + 80;
    start(program, columns);
    check_race(program, pc, "writes HBM address 0x200050");
  }
  SECTION("reading one") {
    CopyDescriptor read = to_vmem();
    read.source = 0x20'0000 + 8 * 127;
    read.destination = 8192;
    read.length = 4;
    start(program, read);
    check_race(program, pc, "reads HBM address 0x2003f8");
  }
}

TEST_CASE("a copy that writes twice or over its own source races with itself") {
  Program program("nano");
  CopyDescriptor descriptor = to_vmem();
  SECTION("twice") {
    descriptor.dimensions[1] = {2, 64, 60};
    const std::uint32_t pc = start(program, descriptor);
    check_race(program, pc, "twice");
  }
  SECTION("its source") {
    descriptor.source_space = MemorySpace::vmem;
    descriptor.source = 124;
    const std::uint32_t pc = start(program, descriptor);
    check_race(program, pc, "both reads and writes VMEM row 3 lane 7");
  }
}

TEST_CASE("an astronomical copy onto one place is refused instead of performed") {
  Program program("nano");
  CopyDescriptor descriptor = to_vmem();
  descriptor.dimensions = {{{0x7fffffff, 0, 0}, {0x7fffffff, 0, 0}, {0x7fffffff, 0, 0}}};
  program.copy(descriptor);
  program.halt();
  CHECK(program.run().status() == RunStatus::reported);
  CHECK(program.run(unchecked()).status() == RunStatus::reported);
}

TEST_CASE("a wait proves a copy only if the flag could not do without it") {
  Program program("nano");
  CopyDescriptor descriptor = to_vmem();
  descriptor.amount = 2;
  start(program, descriptor);
  descriptor.destination = 1024;
  descriptor.amount = 3;
  const std::uint32_t second = start(program, descriptor);
  SECTION("two needs the first, which completes first") {
    program.wait(0, 2);
    program.bundle({load(2)});
    program.bundle({load(32)});
    check_race(program, second, "row 32");
  }
  SECTION("three needs both") {
    program.wait(0, 3);
    program.bundle({load(32)});
    program.bundle({load(2)});
    check_clean(program);
  }
  SECTION("five needs both") {
    program.wait(0, 5);
    program.bundle({load(32)});
    program.bundle({load(2)});
    check_clean(program);
  }
  SECTION("what the program adds itself is sure") {
    program.bundle({op::fadd(f(0), 2)});
    program.wait(0, 4);
    program.bundle({load(2)});
    program.bundle({load(32)});
    check_race(program, second, "row 32");
  }
  SECTION("another flag proves nothing") {
    program.bundle({op::fset(f(1), 9)});
    program.wait(1, 5);
    program.bundle({load(32)});
    check_race(program, second, "row 32");
  }
  SECTION("a later wait sees the rest") {
    program.wait(0, 3);
    program.wait(0, 4);
    program.bundle({load(2)});
    check_clean(program);
  }
}

TEST_CASE("setting a flag that a copy may still add to is a race") {
  Program program("nano");
  const std::uint32_t pc = start(program, to_vmem());
  program.bundle({op::fset(f(1), 0)});
  program.bundle({op::fset(f(0), 0)});
  check_race(program, pc, "sets f0");
}

TEST_CASE("a wait that overflow makes a matter of timing is a race") {
  Program program("nano");
  CopyDescriptor descriptor = to_vmem();
  descriptor.amount = 0x7fffffff;
  start(program, descriptor);
  descriptor.destination = 1024;
  start(program, descriptor);
  program.wait(0, 1);
  program.halt();
  const auto model = program.run();
  REQUIRE(model.status() == RunStatus::reported);
  CHECK_THAT(model.finding()->message, Contains("wraps"));
}

TEST_CASE("a program that never waits is stopped") {
  Program program("nano");
  CopyDescriptor descriptor = to_vmem();
  descriptor.length = 0;
  program.copy(descriptor);
  const auto pc = static_cast<std::uint32_t>(program.size());
  program.bundle({op::copy(Descriptor(0), s(0), s(0)), op::br(pc)});
  const auto model = program.run();
  REQUIRE(model.status() == RunStatus::reported);
  CHECK_THAT(model.finding()->message, Contains("one copy more"));
}
