#include "isa/golden/operations/vector_sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace tandem::golden {
namespace {

void report(Core& core, const MicroOp& op, std::optional<std::uint32_t> origin,
            const std::string& what) {
  std::string message = fmt::format("PC {} (slot {}) uses {}, which was never written", core.pc,
                                    slot_layouts[static_cast<std::size_t>(op.slot)].name, what);
  if (origin) message += fmt::format("; PC {} put it there", *origin);
  core.report({FindingKind::uninitialised, core.pc, origin, std::move(message)});
}

}  // namespace

const std::uint32_t* source_words(Core& core, const MicroOp& op, std::uint8_t number,
                                  std::uint8_t form, std::uint32_t* scratch) {
  const std::uint32_t n = core.words();
  switch (static_cast<SourceForm>(form)) {
    case SourceForm::vector: return core.vector(number);
    case SourceForm::lo: {
      const std::uint32_t* words = core.vector(number);
      for (std::uint32_t i = 0; i < n; ++i) scratch[i] = words[i] << 16U;
      return scratch;
    }
    case SourceForm::hi: {
      const std::uint32_t* words = core.vector(number);
      for (std::uint32_t i = 0; i < n; ++i) scratch[i] = words[i] & 0xffff'0000U;
      return scratch;
    }
    case SourceForm::scalar: std::fill_n(scratch, n, core.state.scalars[number]); return scratch;
    case SourceForm::constant:
      std::fill_n(scratch, n, static_cast<std::uint32_t>(op.imm));
      return scratch;
  }
  return nullptr;
}

void report_vector(Core& core, const MicroOp& op, std::uint8_t number, std::uint32_t r,
                   std::uint32_t lane) {
  report(core, op, core.marks.vector_origin(number), fmt::format("v{}[{}][{}]", number, r, lane));
}

void report_accumulator(Core& core, const MicroOp& op, std::uint32_t number, std::uint32_t r) {
  report(core, op, std::nullopt, fmt::format("row {} of accumulator a{}", r, number));
}

void report_weight(Core& core, const MicroOp& op, std::uint32_t k, std::uint32_t column) {
  report(core, op, std::nullopt, fmt::format("the weight in row {}, column {}", k, column));
}

void report_first(Core& core, const MicroOp& op, std::uint8_t number, std::uint32_t rows) {
  const VectorMarks& marks = core.marks.vector(number);
  for (std::uint32_t r = 0; r < rows; ++r) {
    if (marks[r] != 0) return report_vector(core, op, number, r, first_lane(marks[r]));
  }
}

}  // namespace tandem::golden
