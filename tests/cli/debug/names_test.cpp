// Names of the program in expressions, and the information about copies and flags.
#include "tests/cli/debug/support.hpp"

using namespace tandem::debug::test;  // NOLINT: a test file
using namespace tandem;               // NOLINT

namespace {

// Brings 64 bytes of .data to VMEM row 4, and waits.
constexpr const char* copying = R"(
        .target nano
        .global rounds
        .equ    rounds, 7
        .smem
args:   .space  5
        .align  16
desc:   .space  16
        .vmem
first:  .space  4
tile:   .space  2
        .data
        .align  64
words:  .u32 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26
        .text
        s1 = mov desc
        s2 = mov (3 << 16) | (1 << 10)
        sst [s1], s2
        s2 = mov 1
        sst [s1 + 1], s2
        sst [s1 + 7], s2
        sst [s1 + 10], s2
        sst [s1 + 13], s2
        s2 = mov lo(words)
        sst [s1 + 2], s2
        s2 = mov tile * ROW_BYTES
        sst [s1 + 4], s2
        s2 = mov 64
        sst [s1 + 6], s2
        copy [s1], s0, s0
        wait f3, 1
        halt
)";

}  // namespace

TEST_CASE("labels of memories and global numbers are numbers in expressions", "[debug]") {
  Debuggee debuggee(copying);
  CHECK(contains(debuggee.run("print desc"), "16"));
  CHECK(contains(debuggee.run("print tile + rounds"), "11"));
  debuggee.run("continue");
  CHECK(contains(debuggee.run("print smem[desc + 6]"), "= 64"));
  CHECK(contains(debuggee.run("print vmem[tile][2].s32"), "= 13"));
  CHECK(contains(debuggee.run("print hbm[words + 4].s32"), "= 12"));
  CHECK(contains(debuggee.error("print nowhere"), "is no register"));
}

TEST_CASE("names that a text gives mean what they do where the program stands", "[debug]") {
  Debuggee debuggee(R"(
        .target nano
        .equ    count, 5
        .equ    twice, count * 2
        .set    step, 1
        .reg    total, s3
        .reg    half, v7.lo
        total = mov count
        .set    step, 3
        .reg    total, s4
        total = mov 9
        halt
)");
  CHECK(contains(debuggee.run("print count + twice"), "15"));
  CHECK(contains(debuggee.run("print step"), "1"));
  debuggee.run("step");
  CHECK(contains(debuggee.run("print step"), "3"));
  CHECK(contains(debuggee.run("print s3"), "= 5"));
  debuggee.run("step");
  CHECK(contains(debuggee.run("print total"), "s4 = 9"));
  CHECK(contains(debuggee.run("print half"), "v7"));
}

TEST_CASE("every copy so far is listed with its ranges", "[debug]") {
  Debuggee debuggee(copying);
  CHECK(debuggee.run("info copies all") == "no copy has been started\n");
  debuggee.run("continue");
  const std::string all = debuggee.run("info copies all");
  CHECK(contains(all, "VMEM 0x80..0xbf, 64 bytes in 1 run, adds 1 to f3"));
  CHECK(contains(debuggee.error("info copies some"), "info copies all"));
}

TEST_CASE("flags tell who adds to them and who waits", "[debug]") {
  Debuggee debuggee(copying);
  const std::string before = debuggee.run("info flags");
  CHECK(contains(before, "f3 0\n"));
  CHECK(contains(before, "wait f3, 1"));
  CHECK(!contains(before, "will add"));
  debuggee.run("stepi 15");
  CHECK(contains(debuggee.run("info flags"), "will add or has added 1: HBM"));
  debuggee.run("continue");
  CHECK(contains(debuggee.run("info flags"), "f3 1\n"));
}
