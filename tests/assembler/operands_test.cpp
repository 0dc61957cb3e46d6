// Every operand form, spelled in every way, against the text that isa/text/text.hpp gives back.
#include "isa/encoding.hpp"
#include "isa/text/text.hpp"
#include "tests/assembler/support.hpp"

namespace tandem::test {
namespace {

struct Spelling {
  std::string written;
  std::string canonical;
};

std::string only_bundle(const std::string& text) {
  const Object object = built("        " + text + "\n");
  REQUIRE(object.text.size() == 1);
  return bundle_text(object.text[0]);
}

}  // namespace

TEST_CASE("operands are read in all their forms") {
  const std::vector<Spelling> spellings{
      {"s1 = add s2, s3", "{ sa: s1 = add s2, s3 }"},
      {"s1 = add s2, 5", "{ sa: s1 = add s2, 5 }"},
      {"s1 = add s2, -5", "{ sa: s1 = add s2, -5 }"},
      {"s1 = mov 0xffffffff", "{ sa: s1 = mov -1 }"},
      {"s1 = mov -0x80000000", "{ sa: s1 = mov -2147483648 }"},
      {"s1 = mov 1.5", "{ sa: s1 = mov 1069547520 }"},
      {"s1 = mov -2f", "{ sa: s1 = mov -1073741824 }"},
      {"s6 = mov f32(-INF)", "{ sa: s6 = mov -8388608 }"},
      {"{ s6 = add s1, f32(2.0) }", "{ sa: s6 = add s1, 1073741824 }"},
      {"s1 = mov 'a'", "{ sa: s1 = mov 97 }"},
      {"s1 = mov '\\n'", "{ sa: s1 = mov 10 }"},
      {"p1 = pand !p2, p3", "{ sa: p1 = pand !p2, p3 }"},
      {"s1 = sel !p2, s3, 4", "{ sa: s1 = sel !p2, s3, 4 }"},
      {"@p3 s1 = not s2", "{ sa: @p3 s1 = not s2 }"},
      {"@!p3 s1 = not s2", "{ sa: @!p3 s1 = not s2 }"},
      {"sb: s1 = not s2", "{ sb: s1 = not s2 }"},
      {"br 7", "{ sa: br 7 }"},
      {"s1 = call 0xffffffff", "{ sa: s1 = call 4294967295 }"},
      {"trap 12", "{ sa: trap 12 }"},
      {"s1 = sld [s2]", "{ sb: s1 = sld [s2] }"},
      {"s1 = sld [s2 + 3*4]", "{ sb: s1 = sld [s2 + 12] }"},
      {"s1 = sld [s2 - 3]", "{ sb: s1 = sld [s2 - 3] }"},
      {"s1 = sld [12]", "{ sb: s1 = sld [12] }"},
      {"s1 = sld [-12]", "{ sb: s1 = sld [-12] }"},
      {"s1 = sld [s0 + 12]", "{ sb: s1 = sld [12] }"},
      {"sst [s2 + 1], s3", "{ sb: sst [s2 + 1], s3 }"},
      {"s1 = csr cycles_lo", "{ sb: s1 = csr cycles_lo }"},
      {"s1 = csr 32", "{ sb: s1 = csr cycles_lo }"},
      {"v1 = vmul.f32 v2, v3.lo", "{ va: v1 = vmul.f32 v2, v3.lo }"},
      {"v1 = vmul.f32 v2.hi, s3", "{ va: v1 = vmul.f32 v2.hi, s3 }"},
      {"m1 = mand !m2, m3", "{ va: m1 = mand !m2, m3 }"},
      {"v1 = vrot.sub v2, 3", "{ va: v1 = vrot.sub v2, 3 }"},
      {"v1 = vrot.sub v2, s3", "{ va: v1 = vrot.sub v2, s3 }"},
      {"v1 = vpack.s8 v2, v3, 2", "{ va: v1 = vpack.s8 v2, v3, 2 }"},
      {"v1 = vld [s2 + 8]", "{ ld: v1 = vld [s2 + 8] }"},
      {"v1 = vld [s2 - 32768], stride=-2048", "{ ld: v1 = vld [s2 - 32768], stride=-2048 }"},
      {"v1 = vld [8], mask=!m2, rows=3, stride=0",
       "{ ld: v1 = vld [8], stride=0, rows=3, mask=!m2 }"},
      {"v1 = vld [8], stride=1, rows=8, mask=m0", "{ ld: v1 = vld [8] }"},
      {"v1 = vldc [s2 + 8]", "{ ld: v1 = vldc [s2 + 8] }"},
      {"vst [s2 + 8], v1, rows=4", "{ st: vst [s2 + 8], v1, rows=4 }"},
      {"mxpush 8, v1.f32", "{ mx: mxpush 8, v1.f32 }"},
      {"mxpush [s2 + 8], v1.b3", "{ mx: mxpush [s2 + 8], v1.b3 }"},
      {"mxpush [8], v1.hi", "{ mx: mxpush 8, v1.hi }"},
      {"mxmul.bf16 a5, v1.lo, add", "{ mx: mxmul.bf16 a5, v1.lo, add }"},
      {"mxmul.s8 a[s2 + 5], v1.b0, swap, rows=2, add",
       "{ mx: mxmul.s8 a[s2 + 5], v1.b0, rows=2, add, swap }"},
      {"v1 = mxread a[s2]", "{ mx: v1 = mxread a[s2] }"},
      {"v1 = mxread a[5]", "{ mx: v1 = mxread a5 }"},
      {"v1 = lrot v2, 127", "{ xu: v1 = lrot v2, 127 }"},
      {"copy [s2 + 32], s3, s4", "{ dma: copy [s2 + 32], s3, s4 }"},
      {"copy [16], s0, s0", "{ dma: copy [16], s0, s0 }"},
      {"wait f31, -256", "{ dma: wait f31, -256 }"},
      {"wait f[s3 + 5], s4", "{ dma: wait f[s3 + 5], s4 }"},
      {"fadd f[s3], 1", "{ dma: fadd f[s3], 1 }"},
      {"fset f[7], 255", "{ dma: fset f7, 255 }"},
      {"fset f1, s2", "{ dma: fset f1, s2 }"},
      {"halt", "{ sa: halt }"},
  };
  for (const Spelling& item : spellings) {
    CHECK(only_bundle(item.written) == item.canonical);
  }
}

TEST_CASE("a register alias stands for its register wherever one may stand") {
  const Object object = built(
      " .reg row, s5\n .reg x, v7\n .reg done, p2\n .reg some, m3\n .reg y, x\n"
      " { @!done x = vld [row + 4], mask=!some ; mxmul.bf16 a[row], y.lo ; v8 = vmul.f32 x.hi, row "
      "}"
      "\n");
  CHECK(bundle_text(object.text[0]) ==
        "{ va: v8 = vmul.f32 v7.hi, s5 ; ld: @!p2 v7 = vld [s5 + 4], mask=!m3 ; "
        "mx: mxmul.bf16 a[s5], v7.lo }");
}

TEST_CASE("an alias may move to another register") {
  const Object object = built(" .reg i, s5\n i = mov 1\n .reg i, s6\n i = mov 1\n");
  CHECK(bundle_text(object.text[0]) == "{ sa: s5 = mov 1 }");
  CHECK(bundle_text(object.text[1]) == "{ sa: s6 = mov 1 }");
}

TEST_CASE("registers are chosen by a number that is known") {
  const auto same = [](const std::string& computed, const std::string& plain) {
    INFO(computed);
    CHECK(built(computed).text == built(plain).text);
  };
  same("v[10 + 2] = vadd.f32 v[1], v[2*2].lo\n", "v12 = vadd.f32 v1, v4.lo\n");
  same("s[3] = add s[1 << 2], s[5]\n", "s3 = add s4, s5\n");
  same("{ s[1] = mov 5 ; @!p[2] s[3] = sld [s[4] + 6] }\n",
       "{ s1 = mov 5 ; @!p2 s3 = sld [s4 + 6] }\n");
  same("m[1] = mor m[2], !m[3]\n", "m1 = mor m2, !m3\n");
  same(".rept 3, i\nv[10 + \\i] = vmov v[\\i]\n.endr\n",
       "v10 = vmov v0\nv11 = vmov v1\nv12 = vmov v2\n");
  same(".reg acc, v[2 + 3]\nacc = vmov acc.hi\n", "v5 = vmov v5.hi\n");
  same(".macro row c\nv[10 + \\c] = vld [s4 + \\c]\n.endm\nrow 3\n", "v13 = vld [s4 + 3]\n");
  CHECK(errors_of("v[64] = vmov v1\n").find("outside 0 .. 63") != std::string::npos);
  CHECK(errors_of("v1 = vmov v[-1]\n").find("outside 0 .. 63") != std::string::npos);
  CHECK(errors_of("v1 = vmov v[later]\n").find("error[E010]") != std::string::npos);
  CHECK(errors_of("s1 = add v[1], s2\n").find("expected a scalar register") != std::string::npos);
  CHECK(errors_of("v[1 = vmov v2\n").find("error[") != std::string::npos);
  CHECK(errors_of("v1 = vmov v[1\n").find("expected `]`") != std::string::npos);
}

}  // namespace tandem::test
