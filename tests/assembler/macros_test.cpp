#include <fmt/format.h>

#include "isa/text/text.hpp"
#include "tests/assembler/support.hpp"

namespace tandem::test {
namespace {

// The bundles of a text, one a line.
std::string bundles(const std::string& text) {
  std::string out;
  for (const Bundle& bundle : built(text).text) out += bundle_text(bundle) + "\n";
  return out;
}

}  // namespace

TEST_CASE("macros substitute arguments by place and by name and take defaults") {
  CHECK(bundles(".macro load dst, from=s4, rows=8\n\\dst = vld [\\from], rows=\\rows\n.endm\n"
                "load v1\nload v2, s5\nload v3, rows=4\nload from=s6, dst=v4\nload v5, , 2\n") ==
        "{ ld: v1 = vld [s4] }\n{ ld: v2 = vld [s5] }\n{ ld: v3 = vld [s4], rows=4 }\n"
        "{ ld: v4 = vld [s6] }\n{ ld: v5 = vld [s4], rows=2 }\n");
}

TEST_CASE("arguments may hold commas inside brackets and strings") {
  CHECK(bundles(".macro m a, b\ns1 = mov \\a\ns2 = mov \\b\n.endm\nm max(1, 2), min(3, 4)\n") ==
        "{ sa: s1 = mov 2 }\n{ sa: s2 = mov 3 }\n");
}

TEST_CASE("commas, comments and brackets in quotes belong to an argument") {
  const std::string text =
      ".macro char c\ns4 = mov \\c\n.endm\n"
      "char ','\nchar '#'\nchar '\\''\nchar '\\\\' # it's\nchar '\"'\nchar '('\n{ char ';' ; s5 = "
      "mov 1 }\n";
  CHECK(bundles(text) ==
        "{ sa: s4 = mov 44 }\n{ sa: s4 = mov 35 }\n{ sa: s4 = mov 39 }\n{ sa: s4 = mov 92 }\n"
        "{ sa: s4 = mov 34 }\n{ sa: s4 = mov 40 }\n{ sa: s4 = mov 59 ; sb: s5 = mov 1 }\n");
  const Object object = assembled(
      ".data\n.macro text c, d=3\n.ascii \\c\n.u8 \\d\n.endm\n"
      "text \"x\\\",y#\", 4\ntext \"//\\\\\"\ntext d=5, c=\"c=d\"\n");
  CHECK(std::string(object.data.begin(), object.data.end()) ==
        "x\",y#\x04//\\\x03"
        "c=d\x05");
}

TEST_CASE("defaults of a macro end where its arguments do") {
  CHECK(bundles(".macro m a=max(1, 2), b=',', c='#' # a comment\n"
                "s1 = mov \\a\ns2 = mov \\b\ns3 = mov \\c\n.endm\nm\n") ==
        "{ sa: s1 = mov 2 }\n{ sa: s2 = mov 44 }\n{ sa: s3 = mov 35 }\n");
}

TEST_CASE("the first argument may be empty, and one that compares is none by name") {
  const std::string three = ".macro three a=1, b=2, c=3\ns4 = mov \\a*100 + \\b*10 + \\c\n.endm\n";
  CHECK(bundles(three + "three ,5,6\nthree , , 7\n{ three ,,8 }\n") ==
        "{ sa: s4 = mov 156 }\n{ sa: s4 = mov 127 }\n{ sa: s4 = mov 128 }\n");
  CHECK(bundles(".equ a, 2\n.macro m a\ns4 = mov \\a\n.endm\nm a == 2\n") ==
        "{ sa: s4 = mov 1 }\n");
  CHECK(errors_of(".reg three, s3\n" + three + "three, s4 = add s1, s2\n").find("E045") !=
        std::string::npos);
}

TEST_CASE("each expansion has a number of its own") {
  CHECK(bundles(
            ".macro loop s\nagain\\@: \\s = sub \\s, 1\nbr again\\@\n.endm\nloop s1\nloop s2\n") ==
        "{ sa: s1 = sub s1, 1 }\n{ sa: br 0 }\n{ sa: s2 = sub s2, 1 }\n{ sa: br 2 }\n");
}

TEST_CASE("a parameter name ends where the manual says") {
  CHECK(bundles(".macro m a\nv\\a\\()0 = vmov v\\a.lo\n.endm\nm 1\n") ==
        "{ va: v10 = vmov v1.lo }\n");
}

TEST_CASE("macros call macros and define macros") {
  CHECK(
      bundles(".macro inner x\ns1 = mov \\x\n.endm\n.macro outer y\ninner \\y\ninner \\y+1\n.endm\n"
              "outer 5\n") == "{ sa: s1 = mov 5 }\n{ sa: s1 = mov 6 }\n");
  CHECK(
      bundles(
          ".macro make name, n\n.macro \\name\ns1 = mov \\n\n.endm\n.endm\nmake five, 5\nfive\n") ==
      "{ sa: s1 = mov 5 }\n");
}

TEST_CASE("a macro may recurse until a condition stops it") {
  CHECK(bundles(
            ".macro count n\n.if \\n > 0\ns1 = mov \\n\ncount \\n - 1\n.endif\n.endm\ncount 3\n") ==
        "{ sa: s1 = mov 3 }\n{ sa: s1 = mov 2 }\n{ sa: s1 = mov 1 }\n");
}

TEST_CASE("a macro of operations stands inside a bundle") {
  CHECK(
      bundles(
          ".macro mac acc, x, y, t\n\\t = vmul.f32 \\x, \\y ; \\acc = vadd.f32 \\acc, \\t\n.endm\n"
          "{ v1 = vld [s4] ; mac v10, v2, v3, v4 ; s1 = mov 5 }\n") ==
      "{ sa: s1 = mov 5 ; va: v4 = vmul.f32 v2, v3 ; vb: v10 = vadd.f32 v10, v4 ; "
      "ld: v1 = vld [s4] }\n");
  CHECK(bundles(".macro two\ns1 = mov 1\nv1 = vmov v2\n.endm\n{ two }\n") ==
        "{ sa: s1 = mov 1 ; va: v1 = vmov v2 }\n");
  CHECK(errors_of(".macro m\n{ halt }\n.endm\n{ m }\n").find("E005") != std::string::npos);
}

TEST_CASE("repetitions count") {
  CHECK(bundles(".rept 3, i\nv\\i = vld [s4 + 8*\\i]\n.endr\n") ==
        "{ ld: v0 = vld [s4] }\n{ ld: v1 = vld [s4 + 8] }\n{ ld: v2 = vld [s4 + 16] }\n");
  CHECK(bundles(".rept 2, i\n.rept 2, j\ns1 = mov \\i*10+\\j\n.endr\n.endr\n") ==
        "{ sa: s1 = mov 0 }\n{ sa: s1 = mov 1 }\n{ sa: s1 = mov 10 }\n{ sa: s1 = mov 11 }\n");
  CHECK(bundles(".rept 0\nnonsense\n.endr\nhalt\n") == "{ sa: halt }\n");
  CHECK(bundles(".set n, 0\n.rept 3\n.set n, n + 1\ns1 = mov n\n.endr\n") ==
        "{ sa: s1 = mov 1 }\n{ sa: s1 = mov 2 }\n{ sa: s1 = mov 3 }\n");
  CHECK(bundles(".rept 2\nl\\@: br l\\@\n.endr\n") == "{ sa: br 0 }\n{ sa: br 1 }\n");
}

TEST_CASE("conditions choose one branch and skip the others unread") {
  const auto chosen = [](int n) {
    return bundles(".equ n, " + std::to_string(n) +
                   "\n.if n == 1\ns1 = mov 1\n.elseif n == 2\n.if 1\ns1 = mov 2\n.else\njunk )(\n"
                   ".endif\n.elseif n == 3\ns1 = mov 3\n.else\ns1 = mov 4\n.endif\nhalt\n");
  };
  CHECK(chosen(1) == "{ sa: s1 = mov 1 }\n{ sa: halt }\n");
  CHECK(chosen(2) == "{ sa: s1 = mov 2 }\n{ sa: halt }\n");
  CHECK(chosen(3) == "{ sa: s1 = mov 3 }\n{ sa: halt }\n");
  CHECK(chosen(4) == "{ sa: s1 = mov 4 }\n{ sa: halt }\n");
  CHECK(bundles(".if 0\njunk )(\n.if 1\n.else\n.endif\n.endif\nhalt\n") == "{ sa: halt }\n");
  CHECK(bundles(
            ".equ a, 1\n.ifdef a\nhalt\n.endif\n.ifdef b\njunk\n.endif\n.ifndef b\n{}\n.endif\n") ==
        "{ sa: halt }\n{}\n");
}

TEST_CASE("expansion that never ends is stopped") {
  const std::string deep = errors_of(".macro m\nm\n.endm\nm\n");
  CHECK(deep.find("E006") != std::string::npos);
  const std::string wide =
      errors_of(".rept 16777216\n.rept 16777216\n.rept 16777216\n.endr\n.endr\n.endr\nhalt\n");
  CHECK(wide.find("E007") != std::string::npos);
  std::string doubling = ".macro m0\n.endm\n";
  for (int i = 1; i < 90; ++i) {
    doubling += fmt::format(".macro m{}\nm{}\nm{}\n.endm\n", i, i - 1, i - 1);
  }
  CHECK(errors_of(doubling + "m89\n").find("E007") != std::string::npos);
}

TEST_CASE("arguments that multiply the text are stopped") {
  std::string body = ".macro m a\n";
  for (int i = 0; i < 20000; ++i) body += "\\a\\a\\a\\a\\a\\a\\a\\a\n";
  const std::string argument(100000, 'x');
  CHECK(errors_of(body + ".endm\nm " + argument + "\n").find("E007") != std::string::npos);
}

}  // namespace tandem::test
