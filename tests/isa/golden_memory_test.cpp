// Loads, stores and copies.
#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <numeric>
#include <vector>

#include "golden_support.hpp"

using namespace tandem;
using namespace tandem::test;
using Words = std::vector<std::uint32_t>;

namespace {

Words counting(std::uint32_t count, std::uint32_t first) {
  Words words(count);
  std::iota(words.begin(), words.end(), first);
  return words;
}

// m1: sublane * 16 + lane is a multiple of 3 (small).
void make_mask(Program& program) {
  program.bundle({op(Slot::va, Op::vlane, {reg(10)}), op(Slot::vb, Op::vsublane, {reg(11)}),
                  op(Slot::sa, Op::mov, {reg(20), number(0x55555556)}),
                  op(Slot::sb, Op::mov, {reg(21), number(16)})});
  program.bundle({op(Slot::va, Op::vmul_s32, {reg(11), reg(11), form(21, SourceForm::scalar)})});
  program.bundle({op(Slot::va, Op::vadd_s32, {reg(10), reg(10), reg(11)})});
  // i * 0xaaaaaaab mod 2^32 is below 2^32 / 3 exactly for multiples of 3; compare as signed.
  program.bundle({op(Slot::sa, Op::mov, {reg(20), number(static_cast<std::int32_t>(0xaaaaaaab))}),
                  op(Slot::sb, Op::mov, {reg(22), number(43)})});
  program.bundle({op(Slot::va, Op::vmul_s32, {reg(10), reg(10), form(20, SourceForm::scalar)})});
  program.bundle({op(Slot::va, Op::vlt_s32, {reg(2), reg(10), form(22, SourceForm::scalar)}),
                  op(Slot::vb, Op::vle_s32, {reg(3), form(0, SourceForm::scalar), reg(10)})});
  program.bundle({op(Slot::va, Op::mand, {reg(1), reg(2), reg(3)})});
}

bool in_mask(std::uint32_t i) { return i % 3 == 0; }

Words vector_of(const GoldenModel& model, std::uint32_t number) {
  const auto span = model.state().vector(number);
  return {span.begin(), span.end()};
}

}  // namespace

TEST_CASE("a load takes strided rows under a mask and zeros the rest") {
  Program program;
  program.vmem(100, counting(16 * 40, 1000));
  make_mask(program);
  program.bundle({op(Slot::sa, Op::mov, {reg(1), number(120)})});
  program.bundle(
      {op(Slot::ld, Op::vld, {reg(5), at(1, -3), OperandValue{-2, 0, 0}, plain(6), reg(1)})});
  program.bundle(
      {op(Slot::ld, Op::vld, {reg(6), at(1, 0), OperandValue{0, 0, 0}, plain(8), negated(1)})});
  program.halt();
  const auto model = program.run();
  REQUIRE(model.status() == RunStatus::halted);
  Words strided(128);
  Words broadcast(128);
  for (std::uint32_t i = 0; i < 128; ++i) {
    const std::uint32_t row = 117 - 2 * (i / 16);
    if (i / 16 < 6 && in_mask(i)) strided[i] = 1000 + (row - 100) * 16 + i % 16;
    if (!in_mask(i)) broadcast[i] = 1000 + 20 * 16 + i % 16;
  }
  CHECK(vector_of(model, 5) == strided);
  CHECK(vector_of(model, 6) == broadcast);
}

TEST_CASE("the column form puts one word into all lanes of a sublane") {
  Program program("nano");
  program.vmem(3, counting(32, 500));
  program.bundle({op(Slot::ld, Op::vldc, {reg(5), at(0, 3 * 8 + 5), plain(7)})});
  program.halt();
  const auto model = program.run();
  for (std::uint32_t i = 0; i < 64; ++i) {
    CHECK(model.state().vector(5)[i] == (i / 8 < 7 ? 505 + i / 8 : 0));
  }
}

TEST_CASE("a store writes masked lanes of its rows and the highest row wins") {
  Program program;
  program.vmem(40, counting(16 * 8, 0));
  program.vmem(50, counting(16 * 8, 7000));
  make_mask(program);
  program.bundle({op(Slot::ld, Op::vld, {reg(5), at(0, 50)})});
  program.bundle(
      {op(Slot::st, Op::vst, {at(0, 40), reg(5), OperandValue{0, 0, 0}, plain(7), reg(1)})});
  program.halt();
  const auto model = program.run();
  // Row 40 lane j: the highest r <= 6 with (16 r + j) a multiple of 3.
  for (std::uint32_t lane = 0; lane < 16; ++lane) {
    std::uint32_t expected = lane;
    for (std::uint32_t r = 0; r < 7; ++r) {
      if (in_mask(16 * r + lane)) expected = 7000 + 16 * r + lane;
    }
    CHECK(model.state().vmem_row(40)[lane] == expected);
  }
  const RetireRecord& record = program.records[program.records.size() - 2];
  REQUIRE(record.writes.size() == 7);
  for (std::uint32_t r = 0; r < 7; ++r) {
    const Write& write = record.writes[r];
    CHECK(write.index == 40);
    CHECK(write.row == r);
    const auto data = record.data_of(write, program.parameters());
    for (std::uint32_t lane = 0; lane < 16; ++lane) {
      const bool written = (write.lanes[0] >> lane & 1U) != 0;
      CHECK(written == in_mask(16 * r + lane));
      CHECK(data[lane] == (written ? 7000 + 16 * r + lane : 0));
    }
  }
}

TEST_CASE("a load in a store's bundle sees old data and the store old registers") {
  Program program("nano");
  program.vmem(0, counting(64, 1));
  program.vmem(8, counting(64, 101));
  program.bundle({op(Slot::ld, Op::vld, {reg(1), at(0, 0)})});
  program.bundle(
      {op(Slot::ld, Op::vld, {reg(1), at(0, 8)}), op(Slot::st, Op::vst, {at(0, 8), reg(1)})});
  program.halt();
  const auto model = program.run();
  CHECK(vector_of(model, 1) == counting(64, 101));
  CHECK(model.state().vmem_row(8)[0] == 1);
  CHECK(model.state().vmem_row(15)[7] == 64);
  const RetireRecord& record = program.records[program.records.size() - 2];
  REQUIRE(record.writes.size() == 9);
  CHECK(record.writes[0].space == Space::vreg);
  CHECK(record.data[64] == 1);
}

TEST_CASE("copies of three dimensions move every run") {
  Program program;
  const Words data = counting(4096, 1);
  program.hbm(0x20'0000, data);
  Descriptor descriptor;
  descriptor.source = 0x20'0000 + 400;
  descriptor.destination = 4096;
  descriptor.length = 12;
  descriptor.flag = 7;
  descriptor.amount = 5;
  descriptor.dimensions = {{{3, 64, -20}, {2, -200, 512}, {4, 1024, 2048}}};
  program.copy(descriptor);
  program.wait(7, 5);
  program.halt();
  const auto model = program.run();
  REQUIRE(model.status() == RunStatus::halted);
  CHECK(model.state().flags[7] == 5);
  std::map<std::int64_t, std::uint32_t> expected;
  for (int k = 0; k < 4; ++k) {
    for (int j = 0; j < 2; ++j) {
      for (int i = 0; i < 3; ++i) {
        for (int word = 0; word < 3; ++word) {
          const int from = 400 + 64 * i - 200 * j + 1024 * k + 4 * word;
          const int to = 4096 - 20 * i + 512 * j + 2048 * k + 4 * word;
          expected[to / 4] = data[static_cast<std::size_t>(from) / 4];
        }
      }
    }
  }
  CHECK(expected.size() == 72);
  std::uint32_t changed = 0;
  for (std::uint32_t word = 0; word < model.state().vmem.size(); ++word) {
    const auto moved = expected.find(word);
    const std::uint32_t before = pattern(1, PatternSpace::vmem, word);
    CHECK_FALSE((moved == expected.end() && model.state().vmem[word] != before));
    if (moved == expected.end()) continue;
    CHECK(model.state().vmem[word] == moved->second);
    ++changed;
  }
  CHECK(changed == 72);
}

TEST_CASE("copies go between any two memories with word offsets") {
  Program program("nano");
  program.vmem(0, counting(64, 900));
  program.bundle(
      {op(Slot::sa, Op::mov, {reg(8), number(5)}), op(Slot::sb, Op::mov, {reg(9), number(100)})});
  Descriptor descriptor;
  descriptor.source_memory = Descriptor::vmem;
  descriptor.destination_memory = Descriptor::smem;
  descriptor.length = 16;
  program.smem(0, descriptor.words());
  program.bundle({op(Slot::dma, Op::copy, {at(0, 0), reg(8), reg(9)})});
  program.wait(0, 1);
  descriptor.source_memory = Descriptor::smem;
  descriptor.source = 400;
  descriptor.destination_memory = Descriptor::hbm;
  descriptor.destination = std::uint64_t{3} << 32U;
  program.hbm_bytes = std::uint64_t{1} << 36U;
  program.copy(descriptor);
  program.wait(0, 2);
  program.halt();
  const auto model = program.run();
  REQUIRE(model.status() == RunStatus::halted);
  CHECK(model.state().smem[100] == 905);
  CHECK(model.state().smem[103] == 908);
  CHECK(model.hbm().read_word((std::uint64_t{3} << 32U) + 12) == 908);
}

TEST_CASE("a copy of nothing adds to its flag and checks words only") {
  for (const std::uint32_t dimension : {0U, 1U, 2U, 3U}) {
    Program program("nano");
    Descriptor descriptor;
    descriptor.source = ~std::uint64_t{3};
    descriptor.destination = ~std::uint64_t{3};
    descriptor.amount = 9;
    if (dimension == 0) descriptor.length = 0;
    if (dimension != 0) descriptor.dimensions[dimension - 1].count = 0;
    program.copy(descriptor);
    program.wait(0, 9);
    program.halt();
    const auto model = program.run();
    CHECK(model.status() == RunStatus::halted);
    CHECK(model.state().flags[0] == 9);
  }
}

TEST_CASE("a descriptor is read before its bundle writes and recorded as issued") {
  Program program("nano");
  program.hbm(0x10'0000, counting(16, 40));
  Descriptor descriptor;
  descriptor.source = 0x10'0000;
  program.smem(32, descriptor.words());
  program.bundle({op(Slot::sa, Op::mov, {reg(31), number(64)})});
  program.bundle({op(Slot::dma, Op::copy, {at(0, 2), reg(0), reg(31)}),
                  op(Slot::sb, Op::sst, {at(0, 38), reg(31)}),
                  op(Slot::sa, Op::mov, {reg(31), number(0)})});
  program.halt();
  const auto model = program.run(unchecked());
  REQUIRE(model.status() == RunStatus::halted);
  CHECK(model.state().vmem[64] == 40);
  CHECK(model.state().vmem[65] == pattern(1, PatternSpace::vmem, 65));
  const RetireRecord& record = program.records[program.records.size() - 2];
  REQUIRE(record.has_copy);
  CHECK(record.copy.destination == 256);
  CHECK(record.copy.descriptor[6] == 4);
  CHECK(record.writes.size() == 2);
}

TEST_CASE("descriptors are checked word by word and then by their boxes") {
  struct Bad {
    std::uint32_t word;
    std::uint32_t value;
    TrapCause cause;
    std::uint32_t detail;
  };
  constexpr auto bad = TrapCause::bad_descriptor;
  constexpr auto range = TrapCause::address_range;
  for (const Bad& item : {
           Bad{0, 0x1, bad, 0},
           Bad{0, 0x300, bad, 0},
           Bad{0, 0xc00, bad, 0},
           Bad{0, 0x200400, bad, 0},
           Bad{0, 0x1000400, bad, 0},
           Bad{0, 0x1400, bad, 0},
           Bad{1, 0, bad, 1},
           Bad{1, 0x80000000, bad, 1},
           Bad{2, 0x100002, bad, 2},
           Bad{4, 1, bad, 4},
           Bad{6, 6, bad, 6},
           Bad{6, 0x80000000, bad, 6},
           Bad{7, 0x80000000, bad, 7},
           Bad{8, 2, bad, 8},
           Bad{10, ~0U, bad, 10},
           Bad{12, 3, bad, 12},
           Bad{13, 0xffffffff, bad, 13},
           Bad{14, 1, bad, 14},
           Bad{3, 1, range, 2},
           Bad{3, 0x80000000, range, 2},
           Bad{5, 1, range, 4},
           Bad{4, 0xfffc, TrapCause::none, 0},
           Bad{6, 0x10004, range, 4},
           // A source box reaching below zero, and one reaching past the end.
           Bad{8, 0x80000000, range, 2},
           Bad{8, 0x7ffffffc, TrapCause::none, 0},
           Bad{9, 0xfffffffc, range, 4},
       }) {
    Program program("nano");
    Descriptor descriptor;
    descriptor.source = 0x10'0000;
    descriptor.dimensions[0].count = 2;
    descriptor.dimensions[0].destination_stride = item.word == 4 ? -4 : 4;
    auto words = descriptor.words();
    words[item.word] = item.value;
    program.smem(0, words);
    program.bundle({op(Slot::dma, Op::copy, {at(0, 0)})});
    program.halt();
    const auto model = program.run(unchecked());
    INFO("word " << item.word << " = " << item.value);
    CHECK(model.trap() ==
          Trap{item.cause, item.cause == TrapCause::none ? Slot::sa : Slot::dma, item.detail});
  }
}

TEST_CASE("a descriptor must be in SMEM and aligned and its target outside the text") {
  SECTION("outside SMEM") {
    Program program("nano");
    program.bundle({op(Slot::sa, Op::mov, {reg(1), number(4096 - 16)})});
    program.bundle({op(Slot::dma, Op::copy, {at(1, 1)})});
    program.halt();
    CHECK(program.run().trap() == Trap{TrapCause::address_range, Slot::dma, 4096});
  }
  SECTION("not aligned") {
    Program program("nano");
    program.bundle({op(Slot::sa, Op::mov, {reg(1), number(8)})});
    program.bundle({op(Slot::dma, Op::copy, {at(1, 1)})});
    program.halt();
    CHECK(program.run().trap() == Trap{TrapCause::bad_descriptor, Slot::dma, 16});
  }
  SECTION("into the text") {
    Program program("nano");
    Descriptor descriptor;
    descriptor.source_memory = Descriptor::smem;
    descriptor.destination_memory = Descriptor::hbm;
    descriptor.destination = text_base - 4;
    descriptor.length = 8;
    program.copy(descriptor);
    program.halt();
    CHECK(program.run().trap() == Trap{TrapCause::address_range, Slot::dma, 5});
  }
}

TEST_CASE("copies right before and right after the text are allowed") {
  Program program("nano");
  Descriptor descriptor;
  descriptor.source_memory = Descriptor::smem;
  descriptor.destination_memory = Descriptor::hbm;
  descriptor.source = 1024;
  descriptor.destination = text_base - 4;
  program.copy(descriptor);
  // Two copies of 33 bundles and a halt.
  descriptor.destination = text_base + std::uint64_t{67} * bundle_bytes;
  program.copy(descriptor);
  program.halt();
  REQUIRE(program.size() == 67);
  CHECK(program.run().status() == RunStatus::halted);
}

TEST_CASE("a store row without an enabled lane leaves no write") {
  Program program("nano");
  program.bundle(
      {op(Slot::va, Op::vsublane, {reg(1)}), op(Slot::sa, Op::mov, {reg(1), number(3)})});
  program.bundle({op(Slot::va, Op::veq_s32, {reg(1), reg(1), form(1, SourceForm::scalar)})});
  program.bundle({op(Slot::st, Op::vst, {at(0, 0), reg(1), plain(2), plain(8), reg(1)})});
  program.halt();
  program.run();
  const RetireRecord& record = program.records[2];
  REQUIRE(record.writes.size() == 1);
  CHECK(record.writes[0].index == 6);
  CHECK(record.writes[0].row == 3);
  CHECK(record.data == Words(8, 3));
}

TEST_CASE("flags are added to and set and leave records") {
  Program program("nano");
  program.bundle({op(Slot::dma, Op::fset, {plain(3), number(-5)})});
  program.bundle({op(Slot::dma, Op::fadd, {plain(3), number(7)})});
  program.bundle({op(Slot::dma, Op::wait, {plain(3), number(2)})});
  program.halt();
  const auto model = program.run();
  CHECK(model.status() == RunStatus::halted);
  CHECK(model.state().flags[3] == 2);
  CHECK(program.records[0].writes.at(0).space == Space::flag_set);
  CHECK(program.records[0].data.at(0) == 0xfffffffb);
  CHECK(program.records[1].writes.at(0).space == Space::flag_add);
  CHECK(program.records[1].data.at(0) == 7);
  CHECK(program.records[2].writes.empty());
}

TEST_CASE("sparse memory reads zeros and finds the first difference") {
  SparseMemory one(std::uint64_t{1} << 44U);
  CHECK(one.read_word(0x123'4567'8900) == 0);
  CHECK(one.touched_pages().empty());
  const std::uint64_t edge = 3 * SparseMemory::page_bytes - 4;
  one.write_words(edge, std::vector<std::uint32_t>{1, 2});
  CHECK(one.touched_pages() == std::vector<std::uint64_t>{2, 3});
  SparseMemory two = one;
  CHECK(one.first_difference(two) == std::nullopt);
  two.write_word(edge + 4, 2 | 1U << 16U);
  CHECK(one.first_difference(two) == edge + 6);
  two.write_word(edge + 4, 2);
  two.write_word(0, 0);
  CHECK(one.first_difference(two) == std::nullopt);
}
