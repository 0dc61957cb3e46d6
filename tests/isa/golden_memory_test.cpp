// Loads, stores and copies.
#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <numeric>
#include <vector>

#include "golden_support.hpp"
#include "isa/object/link.hpp"

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
  program.bundle({op::vlane(v(10)).in(Slot::va), op::vsublane(v(11)).in(Slot::vb),
                  op::mov(s(20), 0x55555556).in(Slot::sa), op::mov(s(21), 16).in(Slot::sb)});
  program.bundle({op::vmul_s32(v(11), v(11), s(21)).in(Slot::va)});
  program.bundle({op::vadd_s32(v(10), v(10), v(11)).in(Slot::va)});
  // i * 0xaaaaaaab mod 2^32 is below 2^32 / 3 exactly for multiples of 3; compare as signed.
  program.bundle({op::mov(s(20), static_cast<std::int32_t>(0xaaaaaaab)).in(Slot::sa),
                  op::mov(s(22), 43).in(Slot::sb)});
  program.bundle({op::vmul_s32(v(10), v(10), s(20)).in(Slot::va)});
  program.bundle(
      {op::vlt_s32(m(2), v(10), s(22)).in(Slot::va), op::vle_s32(m(3), s(0), v(10)).in(Slot::vb)});
  program.bundle({op::mand(m(1), m(2), m(3)).in(Slot::va)});
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
  program.bundle({op::mov(s(1), 120).in(Slot::sa)});
  program.bundle({op::vld(v(5), Vmem(s(1), -3), stride(-2), rows(6), masked(m(1)))});
  program.bundle({op::vld(v(6), Vmem(s(1), 0), stride(0), masked(!m(1)))});
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
  program.bundle({op::vldc(v(5), VmemWord(3 * 8 + 5), rows(7))});
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
  program.bundle({op::vld(v(5), Vmem(50))});
  program.bundle({op::vst(Vmem(40), v(5), stride(0), rows(7), masked(m(1)))});
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
  program.bundle({op::vld(v(1), Vmem(0))});
  program.bundle({op::vld(v(1), Vmem(8)), op::vst(Vmem(8), v(1))});
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
  CopyDescriptor descriptor;
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
  program.bundle({op::mov(s(8), 5).in(Slot::sa), op::mov(s(9), 100).in(Slot::sb)});
  CopyDescriptor descriptor;
  descriptor.source_space = MemorySpace::vmem;
  descriptor.destination_space = MemorySpace::smem;
  descriptor.length = 16;
  program.smem(0, descriptor.words());
  program.bundle({op::copy(Descriptor(0), s(8), s(9))});
  program.wait(0, 1);
  descriptor.source_space = MemorySpace::smem;
  descriptor.source = 400;
  descriptor.destination_space = MemorySpace::hbm;
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
    CopyDescriptor descriptor;
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
  CopyDescriptor descriptor;
  descriptor.source = 0x10'0000;
  program.smem(32, descriptor.words());
  program.bundle({op::mov(s(31), 64).in(Slot::sa)});
  program.bundle({op::copy(Descriptor(2), s(0), s(31)), op::sst(Smem(38), s(31)),
                  op::mov(s(31), 0).in(Slot::sa)});
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
           Bad{0, 0x2, bad, 0},
           Bad{0, 0x401, TrapCause::none, 0},
           Bad{0, 0x801, bad, 0},
           Bad{0, 0x1000401, bad, 0},
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
    CopyDescriptor descriptor;
    descriptor.source = 0x10'0000;
    descriptor.dimensions[0].count = 2;
    descriptor.dimensions[0].destination_stride = item.word == 4 ? -4 : 4;
    auto words = descriptor.words();
    words[item.word] = item.value;
    program.smem(0, words);
    program.bundle({op::copy(Descriptor(0), s(0), s(0))});
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
    program.bundle({op::mov(s(1), 4096 - 16).in(Slot::sa)});
    program.bundle({op::copy(Descriptor(s(1), 1), s(0), s(0))});
    program.halt();
    CHECK(program.run().trap() == Trap{TrapCause::address_range, Slot::dma, 4096});
  }
  SECTION("not aligned") {
    Program program("nano");
    program.bundle({op::mov(s(1), 8).in(Slot::sa)});
    program.bundle({op::copy(Descriptor(s(1), 1), s(0), s(0))});
    program.halt();
    CHECK(program.run().trap() == Trap{TrapCause::bad_descriptor, Slot::dma, 16});
  }
  SECTION("into the text") {
    Program program("nano");
    CopyDescriptor descriptor;
    descriptor.source_space = MemorySpace::smem;
    descriptor.destination_space = MemorySpace::hbm;
    descriptor.destination = text_base - 4;
    descriptor.length = 8;
    program.copy(descriptor);
    program.halt();
    CHECK(program.run().trap() == Trap{TrapCause::address_range, Slot::dma, 5});
  }
}

TEST_CASE("copies right before and right after the text are allowed") {
  Program program("nano");
  CopyDescriptor descriptor;
  descriptor.source_space = MemorySpace::smem;
  descriptor.destination_space = MemorySpace::hbm;
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
  program.bundle({op::vsublane(v(1)).in(Slot::va), op::mov(s(1), 3).in(Slot::sa)});
  program.bundle({op::veq_s32(m(1), v(1), s(1)).in(Slot::va)});
  program.bundle({op::vst(Vmem(0), v(1), stride(2), masked(m(1)))});
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
  program.bundle({op::fset(f(3), -5)});
  program.bundle({op::fadd(f(3), 7)});
  program.bundle({op::wait(f(3), 2)});
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

TEST_CASE("arguments may fill SMEM to its last word, and are not loaded when they do not fit") {
  const Parameters& nano = *find_preset("nano");
  ObjectBuilder object(nano);
  object.bundle({op::halt()});
  const LinkInput input{"test", object.finish()};
  const Image image = make_image(link(std::span(&input, 1)).program);
  for (const std::uint32_t more : {0U, 1U}) {
    Launch launch;
    launch.image = &image;
    launch.argument_pointer = 0x10'0000;
    launch.argument_words = nano.smem_words() + more;
    HbmSegment segment{launch.argument_pointer,
                       std::vector<std::uint8_t>(std::size_t{launch.argument_words} * 4, 0x5a)};
    launch.segments = {segment};
    GoldenModel model(launch, unchecked());
    RetireRecord record;
    model.step(&record);
    CHECK(model.status() == RunStatus::halted);
    CHECK((model.state().smem.front() == 0x5a5a'5a5a) == (more == 0));
    CHECK((model.state().smem.back() == 0x5a5a'5a5a) == (more == 0));
  }
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
