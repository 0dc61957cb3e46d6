// Broken text: the assembler always answers, and its answer can be printed.
#include <filesystem>
#include <random>

#include "tests/assembler/support.hpp"

namespace tandem::test {
namespace {

const std::string_view fragments[] = {
    "{",       "}",        ";",       ":",          "@",       "!",          "[",       "]",
    "(",       ")",        ",",       "=",          "\\",      "\\@",        "\"",      "'",
    "#",       "//",       "\n",      "\t",         "-",       "<<",         "?",       "0x",
    "1e999",   "99999999", ".5",      "s31",        "v3.lo",   "a[",         "p1",      "!m2",
    "lo(",     "f32(",     "LANES",   ".macro m",   ".endm",   ".rept 3, i", ".endr",   ".if 0",
    ".else",   ".endif",   ".set x,", ".tensor x,", ".bundle", ".reloc sa,", ".loc 1",  ".space 9",
    ".data",   ".vmem",    ".text",   ".align 64",  ".entry",  ".global",    "x.entry", "mask=",
    "stride=", "swap",     "vld",     "copy",       "\xff",    "~",          "log2(0)", "1/0",
};

std::string mutated(std::string text, std::mt19937_64& random) {
  for (auto edits = random() % 6 + 1; edits > 0; --edits) {
    const std::size_t at = random() % (text.size() + 1);
    const std::size_t length = std::min<std::size_t>(random() % 30, text.size() - at);
    switch (random() % 4) {
      case 0: text.erase(at, length); break;
      case 1: text.insert(random() % (text.size() + 1), text.substr(at, length)); break;
      case 2: text.insert(at, fragments[random() % std::size(fragments)]); break;
      default:
        if (at < text.size()) text[at] = static_cast<char>(random());
    }
  }
  return text;
}

void use(const std::string& text) {
  AssembleOptions options;
  options.error_limit = 20;
  const SourceText source{"fuzz.s", text};
  const LinkResult result = build({&source, 1}, options);
  if (!result.ok()) {
    for (const Diagnostic& item : result.diagnostics) CHECK(!diagnostic_text(item).empty());
    return;
  }
  const ElfResult read = read_elf(write_elf(result.program));
  INFO(text);
  INFO(read.error);
  REQUIRE(read.ok());
  CHECK(write_elf(read.object) == write_elf(result.program));
}

}  // namespace

TEST_CASE("mutated programs are assembled or refused but never crash") {
  std::mt19937_64 random(11);
  for (const std::string path : {"benchmarks/softmax/softmax.s", "tests/assembler/fuzz_seed.s"}) {
    const std::optional<SourceText> source = read_source(path);
    REQUIRE(source);
    for (int i = 0; i < 1500; ++i) use(mutated(source->text, random));
  }
}

TEST_CASE("random characters are refused but never crash") {
  std::mt19937_64 random(12);
  for (int i = 0; i < 1500; ++i) {
    std::string text;
    for (auto n = random() % 60; n > 0; --n) {
      if (random() % 2 == 0)
        text += fragments[random() % std::size(fragments)];
      else
        text += static_cast<char>(random() % 128);
      if (random() % 3 == 0) text += ' ';
    }
    use(text);
  }
}

TEST_CASE("a text may end anywhere") {
  const std::optional<SourceText> source = read_source("tests/assembler/fuzz_seed.s");
  REQUIRE(source);
  for (std::size_t size = 0; size < source->text.size(); ++size) use(source->text.substr(0, size));
}

}  // namespace tandem::test
