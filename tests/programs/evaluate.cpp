#include "tests/programs/evaluate.hpp"

#include <fmt/format.h>

#include "assembler/assembler.hpp"
#include "isa/encoding.hpp"
#include "tests/programs/expectation.hpp"

namespace tandem::directed {
namespace {

// The constant of `s1 = mov <constant>` is the upper half of slot sa.
constexpr std::size_t constant_word = 1;

}  // namespace

Evaluator::Evaluator(const Object& program) : preset_(program.preset->name) {
  for (const Symbol& symbol : program.symbols) {
    names_ += fmt::format(".equ {}, {}\n", symbol.name, symbol.value);
  }
}

std::vector<std::uint32_t> Evaluator::operator()(const std::vector<Query>& queries) const {
  if (queries.empty()) return {};
  std::string text = names_;
  for (const Query& query : queries) {
    text += fmt::format(".set r, {}\n.set j, {}\ns1 = mov ({})\n", query.at.r, query.at.j,
                        query.expression);
  }
  AssembleOptions options;
  options.preset = preset_;
  options.line_table = false;
  const AssembleResult result = assemble({"expectation", text}, options);
  if (!result.ok()) throw ExpectationError(diagnostics_text(result.diagnostics));
  std::vector<std::uint32_t> values;
  for (const Bundle& bundle : result.object.text) values.push_back(bundle[constant_word]);
  if (values.size() != queries.size()) throw ExpectationError("not one value each");
  return values;
}

}  // namespace tandem::directed
