// Masks, selects, numbers of lanes, and moves over sublanes: slots va and vb. Moves keep the marks
// of never-written elements.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "isa/golden/operations/vector_sources.hpp"
#include "isa/golden/semantics.hpp"

namespace tandem::golden::execute {
namespace {

// Word `i` of a mask source.
std::uint32_t mask_x(Core& core, const MicroOp& op, std::uint32_t i) {
  return core.mask(op.mx)[i] ^ (op.mx_not ? ~0U : 0U);
}
std::uint32_t mask_y(Core& core, const MicroOp& op, std::uint32_t i) {
  return core.mask(op.my)[i] ^ (op.my_not ? ~0U : 0U);
}

template <typename Function>
void map_masks(Core& core, const MicroOp& op, Function function) {
  std::uint32_t* d = core.mask(op.d);
  for (std::uint32_t i = 0; i < core.state.mask_words(); ++i) {
    d[i] = function(mask_x(core, op, i), mask_y(core, op, i));
  }
}

void select_marks(Core& core, const MicroOp& op) {
  if (!source_unwritten(core, op.vx, op.x_form) && !source_unwritten(core, op.vy, op.y_form)) {
    return core.marks.define_vector(op.d);
  }
  VectorMarks marks;
  for (std::uint32_t r = 0; r < sublanes; ++r) {
    const RowMarks take_x = mask_row(core.mask(op.mx), op.mx_not, r, core.lanes());
    marks[r] = (take_x & source_row_marks(core, op.vx, op.x_form, r)) |
               (~take_x & source_row_marks(core, op.vy, op.y_form, r));
  }
  core.marks.set_vector(op.d, marks, core.pc);
}

// Row r of the result is row from(r) of x.
template <typename From>
void move_rows(Core& core, const MicroOp& op, From from) {
  const std::uint32_t lanes = core.lanes();
  const std::uint32_t* x = x_words(core, op);
  std::uint32_t* moved = core.scratch.z.data();
  VectorMarks marks;
  for (std::uint32_t r = 0; r < sublanes; ++r) {
    std::copy_n(x + from(r) * lanes, lanes, moved + r * lanes);
    marks[r] = source_row_marks(core, op.vx, op.x_form, from(r));
  }
  std::copy_n(moved, core.words(), core.vector(op.d));
  core.marks.set_vector(op.d, marks, core.pc);
}

}  // namespace

void mand(Core& core, const MicroOp& op) {
  map_masks(core, op, [](std::uint32_t a, std::uint32_t b) { return a & b; });
}
void mor(Core& core, const MicroOp& op) {
  map_masks(core, op, [](std::uint32_t a, std::uint32_t b) { return a | b; });
}
void mxor(Core& core, const MicroOp& op) {
  map_masks(core, op, [](std::uint32_t a, std::uint32_t b) { return a ^ b; });
}

void mpop(Core& core, const MicroOp& op) {
  std::uint32_t ones = 0;
  for (std::uint32_t i = 0; i < core.state.mask_words(); ++i) {
    ones += static_cast<std::uint32_t>(std::popcount(mask_x(core, op, i)));
  }
  core.state.scalars[op.d] = ones;
}

void mffs(Core& core, const MicroOp& op) {
  std::uint32_t index = ~0U;
  for (std::uint32_t i = 0; i < core.state.mask_words() && index == ~0U; ++i) {
    const std::uint32_t bits = mask_x(core, op, i);
    if (bits != 0) index = 32 * i + static_cast<std::uint32_t>(std::countr_zero(bits));
  }
  core.state.scalars[op.d] = index;
}

void vsel(Core& core, const MicroOp& op) {
  const std::uint32_t* x = x_words(core, op);
  const std::uint32_t* y = y_words(core, op);
  std::uint32_t* d = core.vector(op.d);
  select_marks(core, op);
  for (std::uint32_t word = 0; word < core.state.mask_words(); ++word) {
    const std::uint32_t bits = mask_x(core, op, word);
    const std::uint32_t first = 32 * word;
#pragma clang loop vectorize(assume_safety)
    for (std::uint32_t i = 0; i < 32; ++i) {
      d[first + i] = (bits >> i & 1U) != 0 ? x[first + i] : y[first + i];
    }
  }
}

void vlane(Core& core, const MicroOp& op) {
  std::uint32_t* d = core.vector(op.d);
  for (std::uint32_t i = 0; i < core.words(); ++i) d[i] = i & (core.lanes() - 1);
  core.marks.define_vector(op.d);
}

void vsublane(Core& core, const MicroOp& op) {
  for (std::uint32_t r = 0; r < sublanes; ++r) {
    std::fill_n(core.vector(op.d) + r * core.lanes(), core.lanes(), r);
  }
  core.marks.define_vector(op.d);
}

void vrot_sub(Core& core, const MicroOp& op) {
  move_rows(core, op, [n = core.amount(op)](std::uint32_t r) { return (r - n) % sublanes; });
}

void vbcast_sub(Core& core, const MicroOp& op) {
  move_rows(core, op, [n = core.amount(op)](std::uint32_t) { return n % sublanes; });
}

void vmov(Core& core, const MicroOp& op) {
  const std::uint32_t* x = x_words(core, op);
  std::memmove(core.vector(op.d), x, core.words() * sizeof *x);
  if (is_whole_vector(op.x_form)) return core.marks.move_vector(op.d, op.vx, core.pc);
  // Reading a half is a conversion.
  use_x(core, op);
  core.marks.define_vector(op.d);
}

void commit_mask(Core& core, const MicroOp& op) {
  std::copy_n(core.mask(op.base), core.state.mask_words(), core.mask(op.d));
}

void commit_vector(Core& core, const MicroOp& op) {
  std::copy_n(core.vector(op.base), core.words(), core.vector(op.d));
  core.marks.move_vector(op.d, op.base, core.pc);
}

}  // namespace tandem::golden::execute
