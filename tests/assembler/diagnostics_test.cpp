// Every diagnostic has a text that provokes it, and the exact words it must give:
// diagnostics/E040.s and diagnostics/E040.txt. Those of the linker are in link.cpp.
#include <algorithm>
#include <filesystem>

#include "assembler/files.hpp"
#include "assembler/text/complaints.hpp"
#include "isa/instructions.hpp"
#include "tests/assembler/support.hpp"

namespace tandem::test {
namespace {

const std::string folder = "tests/assembler/diagnostics/";
constexpr unsigned first_link_code = 80;

std::string contents(const std::string& path) {
  std::string text;
  INFO(path);
  REQUIRE(assembly::read_file(path, text));
  return text;
}

}  // namespace

TEST_CASE("every code of the assembler says exactly what is expected") {
  for (const CodeRow& row : code_rows()) {
    if (row.number >= first_link_code && row.name != "relocation_range") continue;
    const std::string code = fmt::format("E{:03}", row.number);
    const std::string path = folder + code + ".s";
    const std::string said = diagnostics_text(assemble({path, contents(path)}).diagnostics);
    CHECK(said == contents(folder + code + ".txt"));
    CHECK(said.find("error[" + code + "]") != std::string::npos);
  }
}

TEST_CASE("codes are unique and ascending") {
  const auto& rows = code_rows();
  CHECK(std::adjacent_find(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
          return a.number >= b.number;
        }) == rows.end());
}

TEST_CASE("the manual lists every code") {
  const std::string manual = contents("docs/assembly.md");
  for (const CodeRow& row : code_rows()) {
    CHECK(manual.find(fmt::format("| E{:03} | ", row.number)) != std::string::npos);
  }
}

TEST_CASE("the number of errors is limited") {
  std::string text;
  for (int i = 0; i < 500; ++i) text += "        nonsense\n";
  CHECK(assemble({"test.s", text}).diagnostics.size() == 100);
  AssembleOptions options;
  options.error_limit = 3;
  CHECK(assemble({"test.s", text}, options).diagnostics.size() == 3);
}

TEST_CASE("an error in a repetition is reported once") {
  CHECK(assemble({"test.s", ".rept 50\n nonsense\n.endr\n"}).diagnostics.size() == 1);
}

TEST_CASE("an error in a macro shows where it was expanded") {
  const std::string said = errors_of(
      "        .macro inner x\n        \\x = mov 1\n        .endm\n"
      "        .macro outer y\n        inner \\y\n        .endm\n        outer v3\n");
  CHECK(said ==
        "test.s:2:9: error[E005]: expected a scalar register s0..s31, found `v3`\n"
        "    2 |         v3 = mov 1\n"
        "      |         ^~\n"
        "test.s:5:9: note: in macro `inner` expanded here\n"
        "    5 |         inner v3\n"
        "      |         ^~~~~~~~\n"
        "test.s:7:9: note: in macro `outer` expanded here\n"
        "    7 |         outer v3\n"
        "      |         ^~~~~~~~\n");
}

TEST_CASE("hints for habits name mnemonics that exist and words that do not") {
  const std::pair<std::string, std::string> habits[] = {
#define HABIT(word, hint) {word, hint},
#include "assembler/habits.def"
#undef HABIT
  };
  for (const auto& [word, hint] : habits) {
    CHECK(find_instruction(word) == nullptr);
    CHECK(errors_of(word + " s1\n").find("= hint: " + hint + "\n") != std::string::npos);
    for (std::size_t at = hint.find('`'); at != std::string::npos; at = hint.find('`', at + 1)) {
      const std::size_t end = hint.find('`', at + 1);
      CHECK(find_instruction(hint.substr(at + 1, end - at - 1)) != nullptr);
      at = end;
    }
  }
}

TEST_CASE("hints say what the mnemonic lacks") {
  CHECK(errors_of("p1 = lt s1, s2\n").find("there are `lt.s32`, `lt.u32`") != std::string::npos);
  CHECK(errors_of("s1 = s2\n").find("an operation is expected here") != std::string::npos);
  CHECK(errors_of("v1 = vmul.f32 2.0, v2\n").find("put the constant into a register first") !=
        std::string::npos);
  CHECK(errors_of("copy_at: sst [copy_at + copy_length], s8\n")
            .find("`copy_length` is not defined") != std::string::npos);
}

TEST_CASE("tabs before the error stay tabs so that the caret stands under it") {
  CHECK(errors_of("\tnonsense\n") ==
        "test.s:1:2: error[E040]: unknown mnemonic `nonsense`\n"
        "    1 | \tnonsense\n      | \t^~~~~~~~\n");
}

TEST_CASE("long lines are cut around the error") {
  const std::string text = "s1 = mov" + std::string(300, ' ') + "5 " + std::string(300, 'z') + "\n";
  CHECK(errors_of(text) == "test.s:1:311: error[E005]: expected the end of the line, found `" +
                               std::string(40, 'z') + "...`\n    1 | ..." + std::string(78, ' ') +
                               "5 " + std::string(80, 'z') + "...\n      |    " +
                               std::string(80, ' ') + "^" + std::string(82, '~') +
                               "\n      = hint: the form is `d = mov b`\n");
}

TEST_CASE("lines that end in carriage return and newline are read like others") {
  CHECK(errors_of("next:\r\n        br next\r\n        s1 = add s1, \"x\"\r\n") ==
        "test.s:3:22: error[E005]: expected an expression, found `\"x\"`\n"
        "    3 |         s1 = add s1, \"x\"\n      |                      ^~~\n");
}

}  // namespace tandem::test
