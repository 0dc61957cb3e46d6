// Going back: snapshots of the golden model, and memories that share pages.
#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

#include "golden_support.hpp"
#include "isa/golden/snapshot.hpp"

using namespace tandem;
using namespace tandem::test;

namespace {

// Copies, vectors, weights, accumulators, SMEM and flags all change in each of 20 rounds.
Program busy_program() {
  Program program("nano");
  std::vector<std::uint32_t> numbers(64);
  for (std::uint32_t i = 0; i < numbers.size(); ++i) numbers[i] = 0x3f80'0000 + (i << 16U);
  program.vmem(0, numbers);
  const auto loop = static_cast<std::int32_t>(program.size());
  program.bundle({op::vld(v(1), Vmem(0))});
  program.bundle({op::mxpush(WeightRow(0), v(1).f32())});
  program.bundle({op::mxmul_bf16(a(3), v(1).f32(), swapped)});
  program.bundle({op::mxread(v(2), a(3))});
  program.bundle({op::vst(Vmem(s(2), 16), v(2)), op::sst(Smem(s(1), 500), s(2))});
  program.copy({.source_space = MemorySpace::vmem,
                .destination_space = MemorySpace::hbm,
                .flag = 3,
                .source = std::uint64_t{16} * 32,
                .destination = 0x40'0000,
                .length = 64});
  program.wait(3, 1);
  program.bundle({op::fset(f(3), 0), op::add(s(1), s(1), 1).in(Slot::sa),
                  op::add(s(2), s(2), 8).in(Slot::sb)});
  program.bundle({op::lt_s32(p(1), s(1), 20).in(Slot::sb)});
  program.bundle({op::br(static_cast<std::uint32_t>(loop)).when(p(1))});
  program.halt();
  return program;
}

using SnapshotPointer = std::shared_ptr<const golden::Snapshot>;

}  // namespace

TEST_CASE("a restored golden model is what it was and has the same future") {
  Program program = busy_program();
  const GoldenModel whole = program.run();
  REQUIRE(whole.status() == RunStatus::halted);
  GoldenModel model = program.model();
  std::vector<SnapshotPointer> snapshots;
  while (model.status() == RunStatus::running) {
    snapshots.push_back(model.save(snapshots.empty() ? nullptr : snapshots.back().get()));
    model.run(37);
  }
  REQUIRE(snapshots.size() > 10);
  for (const std::size_t at : {snapshots.size() - 1, std::size_t{0}, std::size_t{5}}) {
    model.restore(*snapshots[at]);
    GoldenModel fresh = program.model();
    fresh.run(at * 37);
    check_same(model, fresh);
    model.run(1'000'000);
    check_same(model, whole);
  }
}

TEST_CASE("a snapshot brings back the end of a run and its detectors") {
  Program program("nano");
  program.hbm(0x10'0000, {1, 2, 3, 4});
  program.copy({.flag = 1, .source = 0x10'0000, .length = 16});
  program.bundle({op::vld(v(1), Vmem(0))});
  program.halt();
  GoldenModel model = program.model();
  model.run(program.size() - 2);
  const SnapshotPointer before = model.save();
  REQUIRE(model.run(1) == RunStatus::reported);
  const SnapshotPointer after = model.save(before.get());
  const std::string message = model.finding()->message;

  model.restore(*before);
  CHECK(model.status() == RunStatus::running);
  CHECK_FALSE(model.finding());
  CHECK(model.run(1) == RunStatus::reported);
  CHECK(model.finding()->message == message);
  model.restore(*before);
  model.restore(*after);
  CHECK(model.status() == RunStatus::reported);
  CHECK(model.finding()->message == message);
}

TEST_CASE("snapshots share what did not change between them") {
  Program program = busy_program();
  GoldenModel model = program.model();
  const SnapshotPointer first = model.save();
  model.run(100);
  const SnapshotPointer second = model.save(first.get());
  const SnapshotPointer alone = model.save();
  CHECK(second->bytes_beyond(*first) < alone->bytes_beyond(*first) / 2);
}

TEST_CASE("run_to stops before a bundle that is marked, but not before the first") {
  Program program("nano");
  for (int i = 0; i < 4; ++i) {
    program.bundle({op::add(s(1), s(1), 1).in(Slot::sa)});
  }
  program.halt();
  GoldenModel model = program.model();
  const std::vector<std::uint8_t> stops{0, 1, 0, 1, 0};
  CHECK(model.run_to(100, stops) == RunStatus::running);
  CHECK(model.pc() == 1);
  CHECK(model.run_to(100, stops) == RunStatus::running);
  CHECK(model.pc() == 3);
  CHECK(model.run_to(100, stops) == RunStatus::halted);
}

TEST_CASE("copies of a memory share pages and never see each other's writes") {
  SparseMemory memory(1U << 20U);
  memory.write_word(0, 1);
  memory.write_word(0x2'0000, 2);
  SparseMemory copy = memory;
  CHECK(copy.bytes_beyond(memory) == 0);
  memory.write_word(0, 10);
  CHECK(copy.read_word(0) == 1);
  copy.write_word(0x2'0000, 20);
  CHECK(memory.read_word(0x2'0000) == 2);
  CHECK(memory.read_word(0) == 10);
  CHECK(copy.bytes_beyond(memory) == 2 * SparseMemory::page_bytes);
  const SparseMemory third = copy;
  copy.write_word(0x2'0004, 30);
  CHECK(third.read_word(0x2'0004) == 0);
  CHECK(copy.read_word(0x2'0004) == 30);
  CHECK(copy.first_difference(third) == 0x2'0004);
}
