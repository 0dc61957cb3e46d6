// The grammar of VS Code and others that read TextMate's: the first pattern that fits at a place
// gives its words their scope.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "assembler/editors/vocabulary.hpp"

namespace tandem::assembly {
namespace {

using Json = nlohmann::ordered_json;

// A name is letters, digits, `_`, `.` and `$`: what is beside a word of ours is none of these.
constexpr std::string_view before = R"((?<![\w.$%\\]))";
constexpr std::string_view after = R"((?![\w.$]))";

std::string any_of(const Words& words) {
  std::string pattern;
  for (const std::string& word : words) {
    if (!pattern.empty()) pattern += '|';
    for (const char letter : word) {
      if (letter == '.') pattern += '\\';
      pattern += letter;
    }
  }
  return fmt::format("{}(?:{})", before, pattern);
}

// Scopes are without what every one of ours ends in.
struct Pattern {
  std::string scope;  // "": parts of what fits have the scopes below
  std::string match;
  std::vector<std::string> parts = {};
};

// s0 to s31, p0 to p7, and so on; f32 is a type.
std::string registers(const Vocabulary& words) {
  return fmt::format(R"({}(?:[sf](?:[12]?[0-9]|3[01])|[pm][0-7]|[va](?:[1-5]?[0-9]|6[0-3])))"
                     R"((?:\.(?:{}))?{})",
                     before, fmt::join(words.parts, "|"), after);
}

// `.tensor x, s8`, `.parameter f, x, s8`: the only place where `s8` is a type.
std::string declarations(const Vocabulary& words) {
  return fmt::format(R"((\.tensor|\.parameter)\s+[\w.$]+(?:\s*,\s*[\w.$]+)??\s*,\s*({}){})",
                     fmt::join(words.types, "|"), after);
}

std::vector<Pattern> patterns(const Vocabulary& words) {
  const std::string end(after);
  return {
      {"comment.line", "(?:#|//).*$"},
      {"string.quoted.double", R"("(?:[^"\\\n]|\\.)*")"},
      {"constant.character", R"('(?:[^'\\\n]|\\[^x\n]|\\x[0-9A-Fa-f]{1,2})')"},
      {"", declarations(words), {"keyword.control.directive", "storage.type"}},
      {"keyword.control.directive", any_of(words.directives) + end},
      {"storage.modifier.slot", any_of(words.slots) + R"((?=\s*:))"},
      {"entity.name.function.label",
       fmt::format(R"(^\s*(?!(?:{})\s*:)[A-Za-z_.$][\w.$]*(?=\s*:))", fmt::join(words.slots, "|"))},
      {"keyword.control.predicate", R"(@!?%?[A-Za-z_.$][\w.$]*)"},
      {"variable.parameter.macro", R"(\\(?:[A-Za-z_][\w]*|[@()]+))"},
      {"entity.other.attribute-name", any_of(words.values) + R"((?=\s*=(?!=)))"},
      {"support.function", any_of(words.functions) + R"((?=\s*\())"},
      {"keyword.mnemonic", any_of(words.mnemonics) + end},
      {"variable.language.register", registers(words)},
      {"variable.other.virtual", R"((?<![\w)\]])%[\w.$]+)"},
      {"constant.language", any_of(words.constants) + end},
      {"storage.type", any_of(types_that_are_no_registers(words)) + end},
      {"support.constant.csr", any_of(words.csrs) + end},
      {"constant.numeric",
       R"((?<![\w.$])(?:0[xX][0-9A-Fa-f]+|0[bB][01]+|[0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?f?))" +
           end},
  };
}

Json scope_of(const std::string& name) { return {{"name", name + ".tandem"}}; }

Json pattern_json(const Pattern& pattern) {
  Json json = pattern.scope.empty() ? Json::object() : scope_of(pattern.scope);
  json["match"] = pattern.match;
  for (std::size_t i = 0; i < pattern.parts.size(); ++i) {
    json["captures"][fmt::format("{}", i + 1)] = scope_of(pattern.parts[i]);
  }
  return json;
}

}  // namespace

std::string textmate_grammar(const Vocabulary& words) {
  Json grammar{{"comment",
                "Generated from the tables of the instruction set by tandem_emit_editors "
                "(assembler/editors); scripts/check-generated --write"},
               {"name", "Tandem assembly"},
               {"scopeName", "source.tandem"},
               {"fileTypes", {"s", "inc"}}};
  for (const Pattern& pattern : patterns(words))
    grammar["patterns"].push_back(pattern_json(pattern));
  return grammar.dump(2) + '\n';
}

}  // namespace tandem::assembly
