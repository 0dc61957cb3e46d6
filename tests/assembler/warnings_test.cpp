// What the assembler warns of, and what it must not warn of.
#include <algorithm>

#include "assembler/files.hpp"
#include "tests/assembler/support.hpp"

namespace tandem::test {
namespace {

// "3:9 unused-label", each, in order.
std::vector<std::string> warned(const std::string& text, WarningSet wanted = WarningSet::all()) {
  AssembleOptions options;
  options.warnings = wanted;
  const AssembleResult result = assemble({"test.s", text}, options);
  CHECK(diagnostics_text(result.diagnostics) == "");
  std::vector<std::string> list;
  for (const Diagnostic& item : result.warnings) {
    list.push_back(fmt::format("{}:{} {}", item.where.line, item.where.column, item.warning));
  }
  return list;
}

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("integers in fp32 operations are warned of, bits and expressions are not") {
  CHECK(warned(" { v1 = vadd.f32 v2, 2 }\n") == Words{"1:22 integer-literal"});
  CHECK(warned(" { v1 = vadd.f32 v2, -2 }\n") == Words{"1:22 integer-literal"});
  CHECK(warned(" { v1 = vcvt.s32.f32 v2 }\n").empty());
  for (const char* fine : {"2.0", "0", "0x40000000", "f32(2)", "1 << 30", "s3", "v3"}) {
    INFO(fine);
    CHECK(warned(fmt::format(" {{ v1 = vmul.f32 v2, {} }}\n", fine)).empty());
  }
  CHECK(warned(" { v1 = vadd.s32 v2, 2 }\n").empty());
  AssembleOptions options;
  options.warnings = WarningSet::all();
  const AssembleResult result = assemble({"test.s", " { v1 = vadd.f32 v2, 2 }\n"}, options);
  CHECK(
      diagnostics_text(result.warnings) ==
      "test.s:1:22: warning[integer-literal]: `vadd.f32` takes fp32; the integer 2 is the bits of "
      "2.8026e-45\n"
      "    1 |  { v1 = vadd.f32 v2, 2 }\n"
      "      |                      ^\n"
      "      = hint: write 2.0, or 0x2 for the bits\n");
}

TEST_CASE("what follows a halt, a branch or a return without a label is unreachable") {
  WarningSet unreachable;
  unreachable.set(Warning::unreachable, true);
  for (const char* end : {"halt", "br l", "ret s1", "jump s1"}) {
    INFO(end);
    const std::string text =
        fmt::format("l: {{ {} }}\n {{ s1 = mov 1 }}\n {{ s2 = mov 1 }}\n", end);
    CHECK(warned(text, unreachable) == Words{"2:4 unreachable"});
  }
  CHECK(warned("l: { @p1 br l }\n { s1 = mov 1 }\n").empty());
  CHECK(warned("l: { s1 = call l }\n { s2 = mov 1 }\n").empty());
  CHECK(warned(" { br l }\nl: { s1 = mov 1 }\n").empty());
  // A number may mean any bundle.
  CHECK(warned(" { br 2 }\n { halt }\n { halt }\n").empty());
}

TEST_CASE("labels and tensors that nothing names are warned of") {
  CHECK(warned("a: { halt }\nb: { halt }\n") == Words{"2:1 unused-label"});
  CHECK(warned(" { halt }\n .global b\nb: { halt }\n").empty());
  CHECK(warned(" { s1 = mov b }\n .data\nb: .u32 1\nc: .u32 b\n") == Words{"4:1 unused-label"});
  CHECK(warned(" { s1 = mov 1 }\n.linear\n %a = mov 1\nl: sst [%a], %a\n.endlinear\n") ==
        Words{"4:1 unused-label"});
  const std::string tensors = " .tensor x, f32, [n], in\n .tensor y, f32, [n], out\n";
  CHECK(warned(tensors + " { s1 = mov x.entry }\n") == Words{"2:10 unused-tensor"});
  CHECK(warned(tensors + " { s1 = mov x.entry }\n { s2 = mov y.entry }\n").empty());
  CHECK(warned(tensors + " { s1 = csr arg_lo }\n").empty());  // the block is read by numbers
}

TEST_CASE("a value that is overwritten before it is read is warned of") {
  CHECK(warned(" { s1 = mov 1 }\n { s1 = mov 2 }\n") == Words{"1:4 overwritten"});
  CHECK(warned(".linear\n %a = mov 1\n %a = mov 2\n sst [%a], %a\n.endlinear\n") ==
        Words{"2:2 overwritten"});
  const std::vector<std::string> fine{
      " { s1 = mov 1 }\n { s2 = add s1, 1 }\n { s1 = mov 2 }\n",
      " { s1 = mov 1 }\n { s2 = add s1, 1 ; s1 = mov 2 }\n",  // a bundle reads first
      " { s1 = mov 1 }\n { @p1 s1 = mov 2 }\n",               // perhaps
      " { s1 = mov 1 }\nl: { s1 = mov 2 }\n { br l }\n",      // a label between
      "l: { s1 = mov 1 }\n { @p1 br l }\n { s1 = mov 2 }\n",  // it may have been left
      " { s1 = mov 1 }\nl: { s2 = call l }\n { s1 = mov 2 }\n",
      " { s1 = mov 1 }\n { @p1 s2 = mov s1 }\n { s1 = mov 2 }\n",
      ".linear\n %a = mov 1\n %b = add %a, 1\n %a = mov 2\n sst [%a], %b\n.endlinear\n",
      ".rept 3\n { s1 = mov 1 }\n.endr\n",  // the last of several
  };
  for (const std::string& text : fine) {
    INFO(text);
    CHECK(warned(text).empty());
  }
}

TEST_CASE("text that a program has written is not warned of") {
  const std::string text =
      " { v1 = vadd.f32 v2, 2 }\n { s1 = mov 1 }\n { s1 = mov 2 }\n { halt }\nl: { halt }\n";
  CHECK(warned(text).size() == 3);
  CHECK(warned(" .lines off\n" + text).empty());
}

TEST_CASE("switches take names, all, none and error") {
  WarningSwitches switches;
  CHECK(switches.on.has(Warning::overwritten));
  CHECK(switches.take("no-overwritten").empty());
  CHECK(!switches.on.has(Warning::overwritten));
  CHECK(switches.on.has(Warning::unused_label));
  CHECK(switches.take("none").empty());
  CHECK(switches.on.empty());
  CHECK(switches.take("unused-label").empty());
  CHECK(switches.on.has(Warning::unused_label));
  CHECK(switches.take("error").empty());
  CHECK(switches.are_errors);
  CHECK(switches.take("unused-lable") ==
        "-Wunused-lable: there is no such warning: did you mean `unused-label`?");
}

TEST_CASE("the manual lists every warning") {
  std::string manual;
  REQUIRE(assembly::read_file("docs/assembly.md", manual));
  for (const WarningRow& row : warning_rows()) {
    CHECK(manual.find(fmt::format("| `{}` | {} |", row.name, row.about)) != std::string::npos);
  }
}

}  // namespace tandem::test
