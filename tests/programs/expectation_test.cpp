// The expectations themselves: the meaning of their text, and that a wrong one is found.
#include <catch2/catch.hpp>

#include "tests/programs/directed.hpp"

namespace tandem::directed {
namespace {

// A program that halts with s1 = 5, v1[r][j] = j, VMEM row 0 = j.
constexpr const char* code =
    "{ va: v1 = vlane ; sa: s1 = mov 5 }\n"
    "{ st: vst [0], v1, rows=1 ; va: m1 = veq.s32 v1, s0 }\n"
    "here: halt\n";

Object assembled(const SourceText& source, const Parameters& preset) {
  AssembleOptions options;
  options.preset = preset.name;
  LinkResult result = build(std::span(&source, 1), options);
  REQUIRE(result.ok());
  return std::move(result.program);
}

Expectation expectation_of(const std::string& header) {
  const SourceText source{"t.s", header + code};
  return read_expectation(source, assembled(source, *find_preset("nano")));
}

std::size_t differences(const std::string& header) {
  const Prepared prepared(SourceText{"t.s", header + code}, *find_preset("nano"));
  return differences_on_golden(prepared, {}).size();
}

TEST_CASE("an expectation of one element is one word") {
  const Expectation e = expectation_of("# expect: v3[2][1] = 0x3f800000\n");
  REQUIRE(e.words.size() == 1);
  CHECK(e.words[0].place == Place::v);
  CHECK(e.words[0].index == 3 * 8 + 2);
  CHECK(e.words[0].lane == 1);
  CHECK(e.words[0].value == 0x3f800000);
}

TEST_CASE("an expectation of a register covers every element") {
  const Expectation e = expectation_of("# expect: v3 = 10 * r + j\n");
  REQUIRE(e.words.size() == 64);
  CHECK(e.words[63].value == 77);
}

TEST_CASE("a list repeats over the lanes of each row named") {
  const Expectation e = expectation_of("# expect: a2[r] = 1, 2\n");
  REQUIRE(e.words.size() == 64);
  CHECK(e.words[9].index == 2 * 8 + 1);
  CHECK(e.words[9].lane == 1);
  CHECK(e.words[9].value == 2);
}

TEST_CASE("a list of SMEM or HBM words stands in consecutive places") {
  const Expectation e = expectation_of("# expect: smem[8] = 1, 2\n# expect: hbm[0x100] = 3, 4\n");
  REQUIRE(e.words.size() == 4);
  CHECK(e.words[1].index == 9);
  CHECK(e.words[3].index == 0x104);
}

TEST_CASE("labels and real numbers stand in expectations") {
  const Expectation e = expectation_of("# expect: s1 = here\n# expect: s2 = 1.5\n");
  CHECK(e.words[0].value == 2);
  CHECK(e.words[1].value == 0x3fc00000);
}

TEST_CASE("a trap is expected with its slot, detail and PC") {
  const Expectation e = expectation_of("# expect: trap address_range ld 2*LANES pc here\n");
  CHECK(e.outcome == Outcome::trapped);
  CHECK((e.trap == Trap{TrapCause::address_range, Slot::ld, 16}));
  CHECK(e.pc == 2U);
}

TEST_CASE("nonsense in a header is refused") {
  CHECK_THROWS_AS(expectation_of(""), ExpectationError);
  CHECK_THROWS_AS(expectation_of("# expect: \n"), ExpectationError);
  CHECK_THROWS_AS(expectation_of("# expect: x3 = 1\n"), ExpectationError);
  CHECK_THROWS_AS(expectation_of("# expect: s3[1] = 1\n"), ExpectationError);
  CHECK_THROWS_AS(expectation_of("# expect: vmem = 1\n"), ExpectationError);
  CHECK_THROWS_AS(expectation_of("# expect: s3 = nowhere\n"), ExpectationError);
  CHECK_THROWS_AS(expectation_of("# expect: trap deadlock dma 1\n"), ExpectationError);
  CHECK_THROWS_AS(expectation_of("# expect: trap nothing dma 1 pc 0\n"), ExpectationError);
  CHECK_THROWS_AS(expectation_of("# expect: race pc 0\n# expect: s1 = 1\n"), ExpectationError);
}

TEST_CASE("an expectation that holds gives no difference") {
  CHECK(differences("# expect: s1 = 5\n# expect: v1 = j\n# expect: vmem[0] = j\n") == 0);
  CHECK(differences("# expect: m1 = j == 0\n# expect: p0 = 1\n# expect: f0 = 0\n") == 0);
}

TEST_CASE("an expectation that does not hold is told for each word") {
  CHECK(differences("# expect: s1 = 6\n") == 1);
  CHECK(differences("# expect: v1 = j + 1\n") == 64);
  CHECK(differences("# expect: vmem[0] = j == 3 ? 4 : j\n") == 1);
  CHECK(differences("# expect: m1[2] = 1\n") == 7);
  CHECK(differences("# expect: p1 = 1\n") == 1);
  CHECK(differences("# expect: hbm[0x20000] = 1\n") == 1);
}

TEST_CASE("a wrong outcome is told") {
  CHECK(differences("# expect: trap deadlock dma 1 pc here\n") == 1);
  CHECK(differences("# expect: race pc here\n") == 1);
  CHECK(differences("# expect: limit\n") == 1);
  CHECK(differences("# expect: s1 = 5\n# limit: 1\n") == 1);
}

}  // namespace
}  // namespace tandem::directed
