#include <cmath>

#include "isa/text/text.hpp"
#include "tests/assembler/support.hpp"

namespace tandem::test {
namespace {

// The 64 bits that an expression is worth, by way of .u64.
std::int64_t value(const std::string& expression, const std::string& before = "") {
  const Object object = assembled(before + "\n.data\n.u64 " + expression + "\n");
  REQUIRE(object.data.size() >= 8);
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    bits |= std::uint64_t{object.data[object.data.size() - 8 + i]} << (8 * i);
  }
  return static_cast<std::int64_t>(bits);
}

std::size_t bundles_of(const std::string& text) { return assembled(text).text.size(); }

}  // namespace

TEST_CASE("operators have the precedence of C") {
  CHECK(value("1 + 2 * 3") == 7);
  CHECK(value("(1 + 2) * 3") == 9);
  CHECK(value("1 << 2 + 1") == 8);
  CHECK(value("1 | 2 ^ 3 & 4") == (1 | (2 ^ (3 & 4))));
  CHECK(value("5 & 3 == 3") == (5 & 1));
  CHECK(value("1 < 2 == 1") == 1);
  CHECK(value("10 - 4 - 3") == 3);
  CHECK(value("100 / 7 % 4") == 2);
  CHECK(value("-7 / 2") == -3);
  CHECK(value("-7 % 2") == -1);
  CHECK(value("-8 >> 1") == -4);
  CHECK(value("~0 ^ -1") == 0);
  CHECK(value("!5 + !0") == 1);
  CHECK(value("0 || 2 && 3") == 1);
  CHECK(value("1 ? 2 : 3") == 2);
  CHECK(value("0 ? 2 : 0 ? 3 : 4") == 4);
  CHECK(value("0x10 + 0b101 + 'A'") == 86);
  CHECK(value("'\\x41' + '\\101' + '\\0' + '\\xa' + '\\''") == 65 + 65 + 10 + 39);
  CHECK(value("- - 5") == 5);
  CHECK(value("3 >= 3 && 2 <= 3 && 1 != 2 && !(3 > 3)") == 1);
}

TEST_CASE("operands that do not count are not evaluated") {
  const std::string k = ".equ k, 0\n";
  CHECK(value("k ? 100 / k : 5", k) == 5);
  CHECK(value("!k ? 5 : 100 / k", k) == 5);
  CHECK(value("k != 0 && 100 / k", k) == 0);
  CHECK(value("k == 0 || 100 / k", k) == 1);
  CHECK(value("0.0 && log2(3)", k) == 0);
  CHECK(value("1 || (k ? 1 % k : nowhere / 2) || -1.5 % 2", k) == 1);
  CHECK(value("defined(n) && n > 3") == 0);
  CHECK(value("defined(n) ? n : 7") == 7);
  CHECK(value("0 && n || 3 && 4") == 1);
  CHECK(bundles_of(".if defined(n) && n > 3\nnonsense\n.elseif !defined(n) || n\nhalt\n.endif\n") ==
        1);
}

TEST_CASE("operands that do not count must be expressions all the same") {
  CHECK(errors_of("s1 = mov 0 && 1 +\n").find("E005") != std::string::npos);
  CHECK(errors_of("s1 = mov 0 && s2\n").find("error") != std::string::npos);
  CHECK(errors_of("s1 = mov 0 && nothing(1)\n").find("error") != std::string::npos);
  CHECK(errors_of("s1 = mov 1 && 1 / 0\n").find("E016") != std::string::npos);
  CHECK(errors_of("s1 = mov 1 ? 1 / 0 : 2\n").find("E016") != std::string::npos);
}

TEST_CASE("integers wrap at 64 bits and never trap") {
  CHECK(value("0x7fffffffffffffff + 1") == INT64_MIN);
  CHECK(value("(-0x7fffffffffffffff - 1) / -1") == INT64_MIN);
  CHECK(value("(-0x7fffffffffffffff - 1) % -1") == 0);
  CHECK(value("1 << 64") == 0);
  CHECK(value("1 << -1") == 0);
  CHECK(value("-1 >> 99") == -1);
  CHECK(value("18446744073709551615") == -1);
}

TEST_CASE("functions") {
  CHECK(value("f32(1.5)") == 0x3fc00000);
  CHECK(value("f32(-0.0)") == 0x80000000);
  CHECK(value("f32(INF)") == 0x7f800000);
  CHECK(value("f32(NAN)") == 0x7fc00000);
  CHECK(value("f32(0.1)") == 0x3dcccccd);
  CHECK(value("bf16(1.00390625)") == 0x3f80);  // a tie goes to even
  CHECK(value("bf16(1.01171875)") == 0x3f82);
  CHECK(value("bf16(NAN)") == 0x7fc0);
  // Rounded once: fp32 would hide the part beyond the tie, on either side of it.
  CHECK(value("bf16(1.0039062500001)") == 0x3f81);
  CHECK(value("bf16(1.0117187499999)") == 0x3f81);
  CHECK(value("bf16(-1.0039062500001)") == 0xbf81);
  CHECK(value("bf16(1e300)") == 0x7f80);
  CHECK(value("bf16(1e-40)") == 0x0001);
  CHECK(value("lo(0x123456789abcdef0)") == 0x9abcdef0);
  CHECK(value("hi(0x123456789abcdef0)") == 0x12345678);
  CHECK(value("log2(64)") == 6);
  CHECK(value("int(log2(10.0) * 1000)") == 3321);
  CHECK(value("int(sqrt(2.0) * 1000000)") == 1414213);
  CHECK(value("int(exp2(0.5) * 1000)") == 1414);
  CHECK(value("int(-2.9)") == -2);
  CHECK(value("min(3, 5) * 10 + max(3, 5)") == 35);
  CHECK(value("abs(-3) + abs(4)") == 7);
  CHECK(value("int(7.0 / 2 * 10)") == 35);
  CHECK(value("int(abs(-1.5) * 2)") == 3);
  CHECK(value("defined(x) * 10 + defined(LANES) + defined(y)", ".equ x, 1\n") == 10);
  CHECK(value("1.5 > 1 && 1 < 1.5 && 2.0 == 2") == 1);
}

TEST_CASE("predefined names follow the preset") {
  CHECK(value("LANES", ".target nano") == 8);
  CHECK(value("LANES", ".target full") == 128);
  CHECK(value("ROW_BYTES * VMEM_ROWS", ".target edge") == 8 << 20);
  CHECK(value("SMEM_WORDS", ".target small") == 16384);
  CHECK(value("SUBLANES") == 8);
  AssembleOptions options;
  options.preset = "nano";
  CHECK(assembled(".target full\n.data\n.space LANES\n", options).data.size() == 8);
  options.preset = "giant";
  CHECK(errors_of("halt\n", options).find("E062") != std::string::npos);
}

TEST_CASE("constants may be defined by others and set again") {
  CHECK(value("b", ".equ a, 5\n.equ b, a * 2\n") == 10);
  CHECK(value("n", ".set n, 1\n.set n, n + 1\n.set n, n * 5\n") == 10);
  AssembleOptions options;
  options.defines = {{"n", "3 * 4"}};
  CHECK(assembled(".equ n, 1\n.data\n.space n\n", options).data.size() == 12);
  options.defines = {{"n", "3 *"}};
  CHECK(errors_of("halt\n", options).find("<command line>:1:") == 0);
}

TEST_CASE("constants and labels may be used before they are defined") {
  const Object object = built(
      "s1 = mov n + 1\nbr end\ns2 = mov half\nend: halt\n"
      ".equ n, 41\n.equ half, 0.5\n");
  CHECK(bundle_text(object.text[0]) == "{ sa: s1 = mov 42 }");
  CHECK(bundle_text(object.text[1]) == "{ sa: br 3 }");
  CHECK(bundle_text(object.text[2]) == "{ sa: s2 = mov 1056964608 }");
}

TEST_CASE("differences of labels of one section are numbers") {
  CHECK(value("b - a", ".data\na: .space 12\nb:\n") == 12);
  CHECK(value("(b - a) / 3", ".data\na: .space 12\nb:\n") == 4);
  const Object object = built("s1 = mov end - start\nstart: {}\n{}\nend: halt\n");
  CHECK(bundle_text(object.text[0]) == "{ sa: s1 = mov 2 }");
}

TEST_CASE("addresses may be scaled and shifted") {
  const Object object = built(
      "s1 = mov buffer*ROW_BYTES + 4\ns2 = mov 4*words\ns3 = mov words << 2\n"
      "v1 = vldc [buffer*LANES + 3]\ncopy [words], s0, s0\ns4 = mov lo(bytes)\n"
      "s5 = mov hi(bytes + (1 << 32))\ns6 = mov place\nplace: halt\n"
      ".vmem\n.space 3\nbuffer: .space 1\n.smem\n.space 32\nwords:\n.data\n.space 8\nbytes:\n");
  CHECK(bundle_text(object.text[0]) == "{ sa: s1 = mov 196 }");
  CHECK(bundle_text(object.text[1]) == "{ sa: s2 = mov 128 }");
  CHECK(bundle_text(object.text[2]) == "{ sa: s3 = mov 128 }");
  CHECK(bundle_text(object.text[3]) == "{ ld: v1 = vldc [51] }");
  CHECK(bundle_text(object.text[4]) == "{ dma: copy [32], s0, s0 }");
  CHECK(bundle_text(object.text[5]) == "{ sa: s4 = mov 69640 }");
  CHECK(bundle_text(object.text[6]) == "{ sa: s5 = mov 1 }");
  CHECK(bundle_text(object.text[7]) == "{ sa: s6 = mov 8 }");
}

TEST_CASE("addresses may be subtracted from numbers and from each other in any order") {
  const Object object = built(
      "s1 = mov SMEM_WORDS - words\ns2 = mov 100 - words*4 + 3\ns3 = mov -words\n"
      "s4 = mov 10 - words + end\ns5 = mov -end + words\n.smem\n.space 8\nwords: .space 5\nend:\n");
  CHECK(bundle_text(object.text[0]) == "{ sa: s1 = mov 16376 }");
  CHECK(bundle_text(object.text[1]) == "{ sa: s2 = mov 71 }");
  CHECK(bundle_text(object.text[2]) == "{ sa: s3 = mov -8 }");
  CHECK(bundle_text(object.text[3]) == "{ sa: s4 = mov 15 }");
  CHECK(bundle_text(object.text[4]) == "{ sa: s5 = mov -5 }");
}

TEST_CASE("a constant may stand for an address and keep its scale") {
  const Object object = built(
      ".equ bytes, buffer*ROW_BYTES + 8\ns1 = mov bytes + 4\ns2 = mov later*2\n"
      ".equ later, buffer + 1\n.vmem\n.space 2\nbuffer: .space 1\n");
  CHECK(bundle_text(object.text[0]) == "{ sa: s1 = mov 140 }");
  CHECK(bundle_text(object.text[1]) == "{ sa: s2 = mov 6 }");
}

}  // namespace tandem::test
