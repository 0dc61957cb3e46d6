// Linear blocks: how they are parsed, and that the bundles have the same meaning.
#include "isa/encoding.hpp"
#include "tests/assembler/support.hpp"

namespace tandem::test {
namespace {

// The same text, written as bundles on the registers that first-fit gives.
void check_becomes(const std::string& linear, const std::string& bundles) {
  AssembleOptions as_written;
  as_written.schedule = schedule::Level::none;
  const Object got = assembled(linear, as_written);
  const Object wanted = assembled(bundles);
  REQUIRE(got.text.size() == wanted.text.size());
  for (std::size_t i = 0; i < got.text.size(); ++i) {
    INFO("bundle " << i << " of\n" << linear);
    CHECK(got.text[i] == wanted.text[i]);
  }
}

}  // namespace

TEST_CASE("a linear block is its operations one a bundle on free registers") {
  check_becomes(R"(
        .linear
        %i = mov 0
        %one = vmov %i
loop:   %x = vld [%i + 3], rows=4
        %y = vadd.f32 %x, %one
        vst [%i - 8], %y
        %i = add %i, 8
        %p = lt.s32 %i, 64
        @%p br loop
        halt
        .endlinear
)",
                R"(
        s4 = mov 0
        v0 = vmov s4
loop:   v1 = vld [s4 + 3], rows=4
        v1 = vadd.f32 v1, v0
        vst [s4 - 8], v1
        s4 = add s4, 8
        p1 = lt.s32 s4, 64
        @p1 br loop
        halt
)");
}

TEST_CASE("every kind of operand takes a virtual register") {
  check_becomes(R"(
        .linear
        %a.b = mov 5
        %p = eq %a.b, %a.b
        %q = pand !%p, %p
        @!%q %a.b = sel !%p, %a.b, 7
        %v = vmov %a.b
        %w = vadd.f32 %v.hi, %a.b
        %m = vlt.s32 %v.lo, %w
        %n = mand !%m, %m
        %w = vsel !%n, %w, %v
        %w = vld [%a.b + 1], mask=!%n
        vst [%a.b], %w, mask=%m
        mxpush [%a.b + 8], %w.b2
        mxmul.s8 %acc, %w.b0, add
        %r = mxread %acc
        %u = lrot %v, %a.b
        %e = extract %u, 3
        sst [%a.b + 2], %e
        copy [%a.b + 16], %a.b, %e
        wait f3, %e
        jump %e
        .endlinear
)",
                R"(
        s4 = mov 5
        p1 = eq s4, s4
        p2 = pand !p1, p1
        @!p2 s4 = sel !p1, s4, 7
        v0 = vmov s4
        v1 = vadd.f32 v0.hi, s4
        m1 = vlt.s32 v0.lo, v1
        m2 = mand !m1, m1
        v1 = vsel !m2, v1, v0
        v1 = vld [s4 + 1], mask=!m2
        vst [s4], v1, mask=m1
        mxpush [s4 + 8], v1.b2
        mxmul.s8 a0, v1.b0, add
        v1 = mxread a0
        v0 = lrot v0, s4
        s5 = extract v0, 3
        sst [s4 + 2], s5
        copy [s4 + 16], s4, s5
        wait f3, s5
        jump s5
)");
}

TEST_CASE("a vector source used above its definition takes the file that it is given below") {
  check_becomes(R"(
        .linear
loop:   %y = vadd.f32 %x, %k
        %x = vmul.f32 %y, %y
        %k = mov 2
        br loop
        .endlinear
)",
                R"(
loop:   v0 = vadd.f32 v0, s4
        v0 = vmul.f32 v0, v0
        s4 = mov 2
        br loop
)");
}

TEST_CASE("registers that a block names are left to the author") {
  check_becomes(R"(
        .linear
        %x = mov 1
        s4 = add %x, s6
        %y = add s4, %x
        sst [0], %y
        .endlinear
)",
                R"(
        s5 = mov 1
        s4 = add s5, s6
        s5 = add s4, s5
        sst [0], s5
)");
}

TEST_CASE("macros, repetitions and conditions make linear operations") {
  check_becomes(R"(
        .macro double dst, src
        \dst = add \src, \src
        .endm
        .linear
        %a = mov 1
        .rept 2, i
        double %a\()\i, %a
        .endr
        .if LANES == 16
        sst [%a0], %a1
        .endif
        .endlinear
)",
                R"(
        s4 = mov 1
        s5 = add s4, s4
        s4 = add s4, s4
        sst [s5], s4
)");
}

TEST_CASE("linear blocks and bundles call each other and share labels") {
  const Object program = built(R"(
        .entry main
        .linear square
        %x = mul s4, s4
        s5 = add %x, 0
        ret s1
        .endlinear
main:   { sa: s4 = mov 7 }
        { sa: s1 = call square }
        .linear
        s4 = add s5, 1
        br done
        .endlinear
        { sa: s4 = mov 0 }
done:   { sa: halt }
)");
  CHECK(program.entry_pc.value_or(0) > 0);
  require_round_trip(program);
}

TEST_CASE("the line table knows the line of every linear operation") {
  const Object object = assembled(".linear\n%x = mov 1\n\n%y = add %x, %x\n.endlinear\n");
  CHECK(places_of(object) == std::vector<std::string>{"0 test.s:2", "1 test.s:4"});
}

TEST_CASE("addresses that the linker knows reach linear operations") {
  const Object object = built(R"(
        .vmem
        .space 5
rows:   .space 8
        .text
        .linear
        %b = mov rows * ROW_BYTES
        %x = vld [%b + rows + 2]
        halt
        .endlinear
)");
  const auto load = decode(Slot::ld, slot_bits(object.text[1], Slot::ld));
  REQUIRE(load);
  CHECK(load->operands[1].imm == 7);
}

}  // namespace tandem::test
