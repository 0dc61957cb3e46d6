// Slots, braces, labels, and what a bundle may not do.
#include "isa/text/text.hpp"
#include "tests/assembler/support.hpp"

namespace tandem::test {
namespace {

std::string bundle(const std::string& text) {
  const Object object = built(text + "\n");
  REQUIRE(object.text.size() == 1);
  return bundle_text(object.text[0]);
}

}  // namespace

TEST_CASE("slots are inferred after the whole bundle is known") {
  CHECK(bundle("{ s1 = mov 1 ; br 0 }") == "{ sa: br 0 ; sb: s1 = mov 1 }");
  CHECK(bundle("{ s1 = mov 1 ; s2 = sld [0] }") == "{ sa: s1 = mov 1 ; sb: s2 = sld [0] }");
  CHECK(bundle("{ s1 = mov 1 ; sa: s2 = mov 2 }") == "{ sa: s2 = mov 2 ; sb: s1 = mov 1 }");
  CHECK(bundle("{ v1 = vmov v2 ; v3 = vmov v4 }") == "{ va: v1 = vmov v2 ; vb: v3 = vmov v4 }");
  CHECK(bundle("{ v1 = vmov v2 ; va: v3 = vmov v4 }") == "{ va: v3 = vmov v4 ; vb: v1 = vmov v2 }");
}

TEST_CASE("all nine slots fit in one bundle") {
  const std::string full =
      "{ sa: br 0 ; sb: s2 = mov 2 ; va: v1 = vmov v9 ; vb: v2 = vmov v9 ; ld: v3 = vld [0] ; "
      "st: vst [0], v9 ; mx: mxpush 0, v9.lo ; xu: v4 = exp2 v9 ; dma: wait f1, 1 }";
  CHECK(bundle(full) == full);
}

TEST_CASE("a bundle may span lines and hold comments and empty operations") {
  CHECK(bundle("{ s1 = mov 1   # the first\n\n ; // nothing\n ;; v1 = vmov v2 ;\n}") ==
        "{ sa: s1 = mov 1 ; va: v1 = vmov v2 }");
}

TEST_CASE("an empty bundle is a bundle") {
  const Object object = built("{}\n{ }\n{ ; }\nhalt\n");
  CHECK(object.text.size() == 4);
  CHECK(object.text[0] == Bundle{});
}

TEST_CASE("registers that discard writes never conflict") {
  CHECK(bundle("{ sa: s0 = mov 1 ; sb: s0 = mov 2 }") == "{ sa: s0 = mov 1 ; sb: s0 = mov 2 }");
  CHECK(errors_of("{ v0 = vmov v1 ; v0 = vmov v2 }\n").find("E055") != std::string::npos);
  CHECK(errors_of("{ p1 = eq s1, s2 ; p1 = ne s1, s2 }\n").find("E055") != std::string::npos);
  CHECK(errors_of("{ m1 = mand m2, m3 ; m1 = mor m2, m3 }\n").find("E055") != std::string::npos);
  CHECK(errors_of("{ s1 = mpop m2 ; s1 = mov 1 }\n").find("E055") != std::string::npos);
}

TEST_CASE("several labels may stand at one bundle and before anything else on the line") {
  const Object object = built("a:\nb: c: halt\n{ br a ; }\nbr b\nbr c\nbr end\nend:\n");
  CHECK(bundle_text(object.text[1]) == "{ sa: br 0 }");
  CHECK(bundle_text(object.text[3]) == "{ sa: br 0 }");
  CHECK(bundle_text(object.text[4]) == "{ sa: br 5 }");
}

TEST_CASE("a label may have the name of a mnemonic or begin with a dot") {
  const Object object = built("add: .loop: halt\nbr add\nbr .loop\n");
  CHECK(bundle_text(object.text[2]) == "{ sa: br 0 }");
}

TEST_CASE("every bundle has its line") {
  const Object object = built("\nhalt\n\n{ s1 = mov 1\n ; s2 = mov 2 }\n{}\n");
  const std::vector<std::string> places = places_of(object);
  CHECK(places ==
        std::vector<std::string>{"0 test.s:2", "1 test.s:4", "1.sb test.s:5", "2 test.s:6"});
  CHECK(object.source.files == std::vector<std::string>{"test.s"});
  AssembleOptions options;
  options.line_table = false;
  CHECK(built("halt\n", options).source.empty());
}

TEST_CASE("a bundle out of macros has its line and the calls that led to it") {
  const Object object = built(
      ".macro inner\n{}\n.endm\n.macro outer\n.rept 2\ninner\n.endr\n.endm\n.rept "
      "1\n\nouter\n.endr\n{}\n");
  CHECK(places_of(object) == std::vector<std::string>{"0 test.s:2 (called at test.s:6, test.s:11)",
                                                      "1 test.s:2 (called at test.s:6, test.s:11)",
                                                      "2 test.s:13"});
}

TEST_CASE("an operation that a macro puts into a bundle keeps its own line") {
  const Object object =
      built(".macro one\ns2 = mov 2\n.endm\n{ s1 = mov 1 ; one ;\n v1 = vmov v2 }\n");
  CHECK(places_of(object) == std::vector<std::string>{"0 test.s:4",
                                                      "0.sb test.s:2 (called at test.s:4)",
                                                      "0.va test.s:5"});
}

TEST_CASE("a brace that is not closed is one error wherever the next statement begins") {
  for (const std::string next :
       {"{ s2 = mov 2 }", "s2 = mov 2", "label: s2 = mov 2", ".equ n, 5", "@p1 br 0", "label:"}) {
    for (const std::string last : {"", " ;"}) {
      if (last == " ;" && (next == "s2 = mov 2" || next == "@p1 br 0")) continue;
      const AssembleResult result =
          assemble({"test.s", "{ s1 = mov 1" + last + "\n" + next + "\nhalt\n"});
      INFO(diagnostics_text(result.diagnostics));
      REQUIRE(result.diagnostics.size() == 1);
      CHECK(result.diagnostics[0].code == "E056");
      CHECK(result.diagnostics[0].where.line == 1);
    }
  }
}

TEST_CASE("after an error all others are still found") {
  const AssembleResult result =
      assemble({"test.s",
                "{ nonsense ; s1 = nothing ; s2 = mov }\nbr nowhere\n.spice 5\n{ br 0 ; br 1 }\n"});
  REQUIRE(result.diagnostics.size() == 6);
  for (std::size_t i = 1; i < 6; ++i) {
    CHECK(result.diagnostics[i - 1].where.line <= result.diagnostics[i].where.line);
  }
}

}  // namespace tandem::test
