#include <catch2/catch.hpp>
#include <cstdint>

#include "golden_support.hpp"
#include "isa/registers/registers.hpp"

using namespace tandem;
using namespace tandem::test;

namespace {

constexpr std::int32_t minimum = INT32_MIN;

struct Case {
  Op op;
  std::int32_t a;
  std::int32_t b;
  std::uint32_t expected;
};

// s3 = op(a, b) with b a constant and, beside it, s4 with b in a register.
void check_scalar(const Case& item) {
  Program program;
  program.bundle({op::mov(s(1), item.a).in(Slot::sa), op::mov(s(2), item.b).in(Slot::sb)});
  program.bundle({operation(Slot::sa, item.op, {reg(3), reg(1), number(item.b)}),
                  operation(Slot::sb, item.op, {reg(4), reg(1), reg(2)})});
  program.halt();
  const GoldenModel model = program.run();
  INFO(instruction(item.op).mnemonic << " " << item.a << ", " << item.b);
  CHECK(model.status() == RunStatus::halted);
  CHECK(model.state().scalars[3] == item.expected);
  CHECK(model.state().scalars[4] == item.expected);
}

void check_compare(Op which, std::int32_t a, std::int32_t b, bool expected) {
  Program program;
  program.bundle({op::mov(s(1), a).in(Slot::sa)});
  program.bundle({operation(Slot::sb, which, {reg(5), reg(1), number(b)})});
  program.halt();
  INFO(instruction(which).mnemonic << " " << a << ", " << b);
  CHECK((program.run().state().predicates[5] != 0) == expected);
}

}  // namespace

TEST_CASE("scalar arithmetic gives its 32 bits from a register or a constant") {
  for (const Case& item : {
           Case{Op::add, 7, -9, 0xfffffffe},
           Case{Op::add, INT32_MAX, 1, 0x80000000},
           Case{Op::sub, 3, 5, 0xfffffffe},
           Case{Op::mul, -3, 7, 0xffffffeb},
           Case{Op::mul, 0x10001, 0x10001, 0x00020001},
           Case{Op::mulhu, -1, -1, 0xfffffffe},
           Case{Op::bit_and, 0x0ff0, 0x3c3c, 0x0c30},
           Case{Op::bit_or, 0x0ff0, 0x3c3c, 0x3ffc},
           Case{Op::bit_xor, 0x0ff0, 0x3c3c, 0x33cc},
           Case{Op::shl, 3, 33, 6},
           Case{Op::shr, minimum, 31, 1},
           Case{Op::shr, minimum, 32, 0x80000000},
           Case{Op::sar, minimum, 31, 0xffffffff},
           Case{Op::min_s32, -1, 1, 0xffffffff},
           Case{Op::max_s32, -1, 1, 1},
           Case{Op::min_u32, -1, 1, 1},
           Case{Op::max_u32, -1, 1, 0xffffffff},
       }) {
    check_scalar(item);
  }
}

TEST_CASE("scalar compares distinguish signed and unsigned order") {
  check_compare(Op::eq, 4, 4, true);
  check_compare(Op::ne, 4, 4, false);
  check_compare(Op::lt_s32, -1, 0, true);
  check_compare(Op::lt_u32, -1, 0, false);
  check_compare(Op::le_s32, 5, 5, true);
  check_compare(Op::le_u32, 5, 4, false);
  check_compare(Op::gt_s32, 0, -1, true);
  check_compare(Op::gt_u32, 0, -1, false);
  check_compare(Op::ge_s32, -2, -1, false);
  check_compare(Op::ge_u32, -1, -2, true);
}

TEST_CASE("predicate logic negates its sources on request") {
  Program program;
  program.bundle({op::eq(p(1), s(0), 0).in(Slot::sa)});  // p1 true, p2 false
  program.bundle(
      {op::pand(p(3), p(1), !p(2)).in(Slot::sa), op::por(p(4), !p(1), p(2)).in(Slot::sb)});
  program.bundle(
      {op::pxor(p(5), p(1), !p(2)).in(Slot::sa), op::pand(p(0), p(1), p(2)).in(Slot::sb)});
  program.halt();
  const auto model = program.run();
  CHECK(model.state().predicates[3] == 1);
  CHECK(model.state().predicates[4] == 0);
  CHECK(model.state().predicates[5] == 0);
  CHECK(model.state().predicates[0] == 1);
}

TEST_CASE("two slots may swap registers because all read before any writes") {
  Program program;
  program.bundle({op::mov(s(1), 11).in(Slot::sa), op::mov(s(2), 22).in(Slot::sb)});
  program.bundle({op::mov(s(1), s(2)).in(Slot::sa), op::mov(s(2), s(1)).in(Slot::sb)});
  program.halt();
  const auto model = program.run();
  CHECK(model.state().scalars[1] == 22);
  CHECK(model.state().scalars[2] == 11);
  REQUIRE(program.records[1].writes.size() == 2);
  CHECK(program.records[1].data == std::vector<std::uint32_t>{22, 11});
}

TEST_CASE("predicates of a bundle are those from before it") {
  Program program;
  program.bundle({op::eq(p(1), s(0), 0).in(Slot::sa), op::mov(s(1), 5).in(Slot::sb).when(p(1))});
  program.bundle({op::ne(p(1), s(0), 0).in(Slot::sa), op::mov(s(2), 6).in(Slot::sb).when(p(1))});
  program.halt();
  const auto model = program.run();
  CHECK(model.state().scalars[1] == 0);
  CHECK(model.state().scalars[2] == 6);
  CHECK(program.records[0].enabled == 0b01);
  CHECK(program.records[1].enabled == 0b11);
}

TEST_CASE("s0 p0 and m0 take no writes and leave none in the record") {
  Program program;
  program.bundle({op::mov(s(0), 5).in(Slot::sa), op::ne(p(0), s(0), 0).in(Slot::sb),
                  op::mxor(m(0), m(0), m(0)).in(Slot::va)});
  program.bundle({op::add(s(1), s(0), 1).in(Slot::sa)});
  program.halt();
  const auto model = program.run();
  CHECK(model.state().scalars[1] == 1);
  CHECK(program.records[0].writes.empty());
  CHECK(model.state().mask(0)[0] == ~0U);
}

TEST_CASE("calls return and branches go where they say") {
  Program program;
  program.bundle({op::call(s(1), 3U)});
  program.bundle({op::mov(s(5), 1).in(Slot::sa)});
  program.halt();
  program.bundle({op::ret(s(1)), op::mov(s(6), 2).in(Slot::sb)});
  const auto model = program.run();
  CHECK(model.state().scalars[1] == 1);
  CHECK(model.state().scalars[5] == 1);
  CHECK(model.state().scalars[6] == 2);
  CHECK(model.bundles() == 4);
  CHECK(program.records[0].next_pc == 3);
  CHECK(program.records[1].next_pc == 1);
  CHECK(program.records[3].halted);
  CHECK(program.records[3].next_pc == 3);
}

TEST_CASE("SMEM words and CSRs are read and written through sb") {
  Program program("nano");
  program.bundle({op::mov(s(1), 77).in(Slot::sa)});
  program.bundle({op::sst(Smem(s(1), 3), s(1))});
  program.bundle({op::sld(s(2), Smem(80))});
  program.bundle({op::csr(s(3), 18U)});
  program.bundle({op::csr(s(4), 11U)});
  program.bundle({op::csr(s(5), 34U)});
  program.halt();
  const auto model = program.run();
  CHECK(model.state().scalars[2] == 77);
  CHECK(model.state().scalars[3] == 8);
  CHECK(model.state().scalars[4] == 1);
  CHECK(model.state().scalars[5] == 5);
  CHECK(model.volatile_reads() == 1);
  const Write& write = program.records[1].writes.at(0);
  CHECK(write.space == Space::smem);
  CHECK(write.index == 80);
}

TEST_CASE("stable CSRs describe the launch and the machine") {
  struct Row {
    std::uint32_t number;
    std::uint32_t value;
  };
  for (const Row& row :
       {Row{0, 0x444e4154}, Row{1, 1}, Row{10, 0x23456000}, Row{11, 1}, Row{12, 0x1000}, Row{13, 2},
        Row{17, 0}, Row{18, 64}, Row{19, 8}, Row{20, 32768}, Row{21, 16384}, Row{22, 2048}}) {
    Program program("edge");
    program.hbm_bytes = 0x2'0000'1000;
    program.bundle({op::csr(s(3), row.number)});
    program.halt();
    INFO("CSR " << row.number);
    const auto model = program.run();
    CHECK(model.state().scalars[3] == row.value);
    CHECK(model.volatile_reads() == 0);
  }
}

TEST_CASE("every volatile CSR that programs can read comes from the provider, by its number") {
  unsigned asked = 0;
  for (const Register& row : registers()) {
    if (!row.is_volatile || !row.program_readable) continue;
    Program program;
    program.bundle({op::csr(s(5), row.number)});
    program.halt();
    GoldenOptions options;
    options.volatile_csr = [](std::uint32_t csr) { return csr * 1000 + 7; };
    auto model = program.model(options);
    model.run(10);
    INFO(row.name);
    CHECK(model.state().scalars[5] == row.number * 1000 + 7);
    ++asked;
  }
  CHECK(asked >= 4);
}

TEST_CASE("a volatile CSR comes from the provider and is announced") {
  Program program;
  program.bundle({op::csr(s(5), 32U)});
  program.halt();
  GoldenOptions options;
  options.volatile_csr = [](std::uint32_t csr) { return csr * 1000; };
  auto model = program.model(options);
  CHECK(model.next_volatile_csr() == 32U);
  model.run(10);
  CHECK(model.next_volatile_csr() == std::nullopt);
  CHECK(model.state().scalars[5] == 32000);
}
