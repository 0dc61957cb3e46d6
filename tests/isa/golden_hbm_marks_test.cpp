// Marks of HBM against the simplest thing that does the same, and never-written VMEM on its way
// through HBM.
#include <catch2/catch.hpp>
#include <cstdint>
#include <random>
#include <vector>

#include "golden_support.hpp"
#include "isa/golden/marks/hbm_marks.hpp"
#include "isa/golden/marks/marks.hpp"

using namespace tandem;
using namespace tandem::test;
using golden::HbmMarks;

TEST_CASE("marks of HBM are those of a list of words") {
  std::mt19937_64 random(3);
  constexpr std::uint64_t words = 3 * HbmMarks::page_words;
  std::vector<bool> expected(words);
  HbmMarks marks;
  for (int round = 0; round < 3000; ++round) {
    const std::uint64_t word = random() % words;
    const std::uint64_t count =
        std::min(words - word, 1 + random() % (round % 10 == 0 ? 30000 : 64));
    const auto few = static_cast<std::uint32_t>(std::min<std::uint64_t>(count, 64));
    const HbmMarks before = marks;
    switch (random() % 4) {
      case 0:
        marks.mark(word, count);
        std::fill_n(expected.begin() + static_cast<std::ptrdiff_t>(word), count, true);
        break;
      case 1:
      case 2:
        marks.define(word, count);
        std::fill_n(expected.begin() + static_cast<std::ptrdiff_t>(word), count, false);
        break;
      default: {
        const std::uint64_t bits = random();
        marks.write(word, few, bits);
        for (std::uint32_t i = 0; i < few; ++i) expected[word + i] = (bits >> i & 1U) != 0;
      }
    }
    const std::uint64_t bits = marks.read(word, few);
    for (std::uint32_t i = 0; i < few; ++i) {
      REQUIRE((bits >> i & 1U) == (expected[word + i] ? 1U : 0U));
      REQUIRE(marks.unwritten(word + i) == expected[word + i]);
    }
    if (marks.written_from(word) != 0) REQUIRE(before.read(word, 1) <= 1);
  }
  for (std::uint64_t word = 0; word < words; ++word) {
    if (marks.unwritten(word) != expected[word]) FAIL("word " << word);
  }
  marks.define(0, words);
  CHECK(marks.empty());
}

TEST_CASE("never-written rows of VMEM do not become data on their way through HBM") {
  const auto copied = [](std::uint32_t flag, MemorySpace from, std::uint64_t source, MemorySpace to,
                         std::uint64_t destination) {
    return CopyDescriptor{.source_space = from,
                          .destination_space = to,
                          .flag = flag,
                          .source = source,
                          .destination = destination,
                          .length = 256};
  };
  for (const bool written : {false, true}) {
    Program program("nano");
    if (written) program.vmem(0, std::vector<std::uint32_t>(64, 5));
    program.copy(copied(1, MemorySpace::vmem, 0, MemorySpace::hbm, 0x40'0004));
    program.wait(1, 1);
    program.copy(copied(2, MemorySpace::hbm, 0x40'0004, MemorySpace::hbm, 0x50'0000));
    program.wait(2, 1);
    program.copy(copied(3, MemorySpace::hbm, 0x50'0000, MemorySpace::vmem, 1024));
    program.wait(3, 1);
    program.bundle({op::vld(v(1), Vmem(32))});
    program.bundle({op::vadd_f32(v(2), v(1), v(1)).in(Slot::va)});
    program.halt();
    CHECK(program.run().status() == (written ? RunStatus::halted : RunStatus::reported));
    CHECK(program.run(unchecked()).status() == RunStatus::halted);
  }
}
