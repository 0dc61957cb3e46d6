// The language of conditions and of `print`.
#include "cli/debug/language/evaluate.hpp"
#include "support.hpp"

using namespace tandem;               // NOLINT: a test file
using namespace tandem::debug;        // NOLINT
using namespace tandem::debug::test;  // NOLINT

namespace {

constexpr const char* values = R"(
        .target nano
        .tensor x, s8, [2, 3], in
start:  { s3 = mov 7 ; s4 = mov -1 }
        { s5 = mov 1.5f ; s6 = mov 12 }
        { sst [12], s3 ; v1 = vmov s5 ; p2 = eq s0, 0 }
        { fset f3, 9 ; s7 = mov 0x3f80bfc0 }
here:   halt
)";

std::map<std::string, TensorData> bytes() { return {{"x", {{2, 3}, {1, 2, 3, 255, 254, 253}}}}; }

Number value(Debuggee& debuggee, const std::string& text) {
  return evaluate(*parse_expression(text, debuggee.launch(), 0), debuggee.session().now());
}

}  // namespace

TEST_CASE("expressions follow C's rules on registers, memories and tensors", "[debug]") {
  Debuggee debuggee(values, {}, bytes());
  debuggee.run("goto 4");
  const std::vector<std::pair<std::string, std::int64_t>> expected{
      {"1 + 2 * 3", 7},
      {"(1 + 2) * 3", 9},
      {"7 - 2 - 1", 4},
      {"-7 / 2", -3},
      {"-7 % 3", -1},
      {"1 << 4 | 3", 19},
      {"~0 & 0xff", 255},
      {"!3 || s3 == 7", 1},
      {"s3 == 7 && smem[12] > 4", 1},
      {"smem[s6] * 2", 14},
      {"s4", -1},
      {"s4.u32", 4294967295},
      {"s4 == 0xffffffff", 1},
      {"s4 < 0", 1},
      {"p2 + p0", 2},
      {"f3 >= 9", 1},
      {"v1[7][3] > 1.25", 1},
      {"v1[0, 1].hex == 0x3fc00000", 1},
      {"s7.lo == -1.5 && s7.hi == 1.0", 1},
      {"x[1][0]", -1},
      {"x[1, 2] + x[0, 2]", 0},
      {"hbm[0x10000] != 0", 1},
      {"pc == here", 1},
      {"bundle", 4},
      {"s1 == 3 && smem[1 << 40] == 0", 0},
  };
  for (const auto& [text, number] : expected) {
    INFO(text);
    const Number found = value(debuggee, text);
    CHECK_FALSE(found.real);
    CHECK(found.whole == number);
  }
  CHECK(value(debuggee, "s5.f32 * 2").fraction == 3.0);
}

TEST_CASE("mistakes in expressions are explained and change nothing", "[debug]") {
  Debuggee debuggee(values, {}, bytes());
  const std::vector<std::pair<std::string, std::string>> expected{
      {"print", "an expression is missing"},
      {"print s99", "'s99' is no register"},
      {"print nothing", "'nothing' is no register, memory, tensor or label"},
      {"print s3 +", "a number or a name is expected"},
      {"print (s3", "')' is expected"},
      {"print s3 s4", "should end here"},
      {"print 3 $ 4", "'$' is not understood"},
      {"print 99999999999999999999", "not a number"},
      {"print 1 / 0", "division by zero"},
      {"print 1 << 64", "shifts are by 0 to 63"},
      {"print 1.5 & 1", "wants whole numbers"},
      {"print v1 + 1", "v1 is 64 elements"},
      {"print v1[8]", "index 8 of v1 is outside 0:8"},
      {"print v1[0][0][0]", "v1 has 2 dimensions"},
      {"print x[2][0]", "index 2 of x is outside 0:2"},
      {"print smem[-1]", "index -1 of smem is outside"},
      {"print hbm[2]", "multiples of 4"},
      {"print s3.f64", "types are hex"},
      {"print/f64 s3", "'f64' is no type"},
      {"print s3.bf16 + 1", "is 2 numbers"},
      {"print cycle", "--on cycle"},
      {"watch 3 + 4", "watch a register"},
      {"watch weights", "cannot be watched"},
      {"break nowhere", "'nowhere' is no label"},
      {"break *99", "no bundle of 0..4"},
      {"break other.s:3", "no source file 'other.s'"},
      {"break test.s:99", "no bundle comes from"},
      {"delete 7", "there is no number 7"},
      {"frobnicate", "'frobnicate' is no command"},
      {"re", "'re' may be"},
      {"stepi x", "'x' is no whole number"},
      {"info nonsense", "nothing is called 'nonsense'"},
  };
  for (const auto& [command, message] : expected) {
    INFO(command << " -> " << debuggee.error(command));
    CHECK(contains(debuggee.error(command), message));
  }
  CHECK(contains(debuggee.error("print " + std::string(5000, '(')), "at most 4096"));
  CHECK(contains(debuggee.error("print " + std::string(3000, '(')), "nested too deeply"));
  CHECK(debuggee.bundle() == 0);
}

TEST_CASE("print shows numbers of the type that is asked for", "[debug]") {
  Debuggee debuggee(values, {}, bytes());
  CHECK(contains(debuggee.run("print v1"), "? was never written"));
  debuggee.run("goto 4");
  CHECK(debuggee.run("print s3") == "s3 = 7 (0x00000007)\n");
  CHECK(debuggee.run("print/u32 s4") == "s4 = 4294967295 (0xffffffff)\n");
  CHECK(debuggee.run("print/f32 s5") == "s5 = 1.5 (0x3fc00000)\n");
  CHECK(debuggee.run("print/bf16 s7") == "s7 = -1.5 1 (0x3f80bfc0)\n");
  CHECK(debuggee.run("print/s8 s7") == "s7 = -64 -65 -128 63 (0x3f80bfc0)\n");
  CHECK(debuggee.run("print/hex v1[0][0]") == "v1[0][0] = 3fc00000\n");
  CHECK(debuggee.run("print v1[0][2:4]") == "v1[0][2:4]: f32 2\nv1[0][2]  1.5 1.5\n");
  CHECK(debuggee.run("print x") == "x: s8 2 x 3\nx[0][0]   1  2  3\nx[1][0]  -1 -2 -3\n");
  CHECK(debuggee.run("print m0[7]") == "m0[7]: bit 8\nm0[7][0] 11111111\n");
  CHECK(contains(debuggee.run("print vmem"), "more of 16384 elements"));
}
