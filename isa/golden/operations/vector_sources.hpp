// Sources of vector operations: their words, and the reports about never-written words.
#pragma once

#include <cstdint>

#include "isa/golden/core.hpp"
#include "isa/golden/marks/mask_rows.hpp"
#include "isa/golden/micro_op.hpp"
#include "isa/operands.hpp"

namespace tandem::golden {

// One value in every element: a scalar register or a constant.
inline bool is_scalar(std::uint8_t form) {
  return form == static_cast<std::uint8_t>(SourceForm::scalar) ||
         form == static_cast<std::uint8_t>(SourceForm::constant);
}
inline bool is_whole_vector(std::uint8_t form) {
  return form == static_cast<std::uint8_t>(SourceForm::vector);
}

// The 8L words of a source: the register itself, or its form spread out in `scratch`.
const std::uint32_t* source_words(Core& core, const MicroOp& op, std::uint8_t number,
                                  std::uint8_t form, std::uint32_t* scratch);
inline const std::uint32_t* x_words(Core& core, const MicroOp& op) {
  if (is_whole_vector(op.x_form)) return core.vector(op.vx);
  return source_words(core, op, op.vx, op.x_form, core.scratch.x.data());
}
inline const std::uint32_t* y_words(Core& core, const MicroOp& op) {
  if (is_whole_vector(op.y_form)) return core.vector(op.vy);
  return source_words(core, op, op.vy, op.y_form, core.scratch.y.data());
}

// Reports that the operation uses an element that was never written.
void report_vector(Core& core, const MicroOp& op, std::uint8_t number, std::uint32_t r,
                   std::uint32_t lane);
void report_accumulator(Core& core, const MicroOp& op, std::uint32_t number, std::uint32_t r);
void report_weight(Core& core, const MicroOp& op, std::uint32_t k, std::uint32_t column);
// The first unwritten element of a register that has one; only rows below `rows` count.
void report_first(Core& core, const MicroOp& op, std::uint8_t number,
                  std::uint32_t rows = sublanes);

// A source whose every element matters.
inline void use_vector(Core& core, const MicroOp& op, std::uint8_t number) {
  if (core.marks.vector_unwritten(number)) report_first(core, op, number);
}
inline void use_x(Core& core, const MicroOp& op) {
  if (!is_scalar(op.x_form)) use_vector(core, op, op.vx);
}
inline void use_xy(Core& core, const MicroOp& op) {
  use_x(core, op);
  if (!is_scalar(op.y_form)) use_vector(core, op, op.vy);
}

// The marks of a source that is moved; scalars are always written.
inline bool source_unwritten(const Core& core, std::uint8_t number, std::uint8_t form) {
  return !is_scalar(form) && core.marks.vector_unwritten(number);
}
inline RowMarks source_row_marks(const Core& core, std::uint8_t number, std::uint8_t form,
                                 std::uint32_t r) {
  return is_scalar(form) ? 0 : core.marks.vector(number)[r];
}

}  // namespace tandem::golden
