// emit_tables FOLDER: writes docs/compiler_tables.md, the compiler's passes, attributes and
// thresholds, below it.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

namespace {

std::string dashed(std::string name) {
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

// A list of names separated by spaces, each as code.
std::string coded(const std::string& names) {
  std::string text;
  for (std::size_t from = 0; from < names.size();) {
    const std::size_t to = std::min(names.find(' ', from), names.size());
    text += (text.empty() ? "`" : ", `") + names.substr(from, to - from) + "`";
    from = to + 1;
  }
  return text;
}

void passes(std::ostream& out) {
  out << "## Passes\n\n"
         "In the order of the pipelines, whose reasons for that are in "
         "`compiler/pipelines/pipelines.cpp`. "
         "`tandem-opt --tandem-NAME` runs one.\n\n"
         "| pass | level | what it does |\n|---|---|---|\n";
#define PASS(NAME, SCOPE, GIVEN, LEVEL, SENTENCE) \
  out << "| `" << dashed(#NAME) << "` | " << #LEVEL << " | " << (SENTENCE) << " |\n";
#include "compiler/contract/passes.def"
#undef PASS
}

void attributes(std::ostream& out) {
  out << "\n## Attributes\n\n"
         "What one part of the compiler notes on operations for another. They are `tandem.NAME`, "
         "and are "
         "errors on anything else, or at another level.\n\n"
         "| attribute | on | levels | meaning | set by | read by |\n|---|---|---|---|---|---|\n";
#define ATTRIBUTE(NAME, KIND, ON, FROM, TO, SET_BY, READ_BY, MEANING)                        \
  out << "| `" #NAME "` | " #ON " | " #FROM << (std::string(#FROM) == #TO ? "" : " to " #TO) \
      << " | " << (MEANING) << " | " << coded(SET_BY) << " | " << coded(READ_BY) << " |\n";
#include "compiler/contract/attributes.def"
#undef ATTRIBUTE
}

void thresholds(std::ostream& out) {
  out << "\n## Thresholds\n\n"
         "Where passes decide by an amount: up to the value one way, over it the other. "
         "`tandem-compile --record-decisions FILE` says which ways a program goes, and the values "
         "for a machine.\n\n"
         "| threshold | counts | value | over it |\n|---|---|---|---|\n";
#define THRESHOLD(NAME, UNIT, VALUE, MEANING) \
  out << "| `" #NAME "` | " #UNIT " | `" #VALUE "` | " << (MEANING) << " |\n";
#define MACHINE_THRESHOLD(NAME, UNIT, VALUE, MEANING) THRESHOLD(NAME, UNIT, VALUE, MEANING)
#define CHOICE(NAME, TEXT, MEANING)
#include "compiler/contract/thresholds.def"
#undef CHOICE
#undef MACHINE_THRESHOLD
#undef THRESHOLD
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: emit_tables FOLDER\n";
    return 2;
  }
  const std::filesystem::path folder = std::filesystem::path(argv[1]) / "docs";
  std::filesystem::create_directories(folder);
  std::ofstream out(folder / "compiler_tables.md");
  out << "# Passes, attributes and thresholds of the compiler\n\n"
         "Written by `scripts/check-generated --write` out of `compiler/contract/passes.def`, "
         "`attributes.def` and `thresholds.def`.\n\n";
  passes(out);
  attributes(out);
  thresholds(out);
  return out.flush() ? 0 : 1;
}
