// Moves between lanes (slot xu). They keep the marks of never-written elements; an index, or an
// element that goes to a scalar register, must be written.
#include <algorithm>
#include <cstdint>

#include "isa/golden/operations/vector_sources.hpp"
#include "isa/golden/semantics.hpp"

namespace tandem::golden::execute {
namespace {

// Where element (r, j) of a result comes from.
struct Place {
  std::uint32_t r;
  std::uint32_t j;
};

template <typename From>
void move_marks(Core& core, const MicroOp& op, From from) {
  if (!core.marks.vector_unwritten(op.vx)) return core.marks.define_vector(op.d);
  const VectorMarks x = core.marks.vector(op.vx);
  VectorMarks marks{};
  for (std::uint32_t r = 0; r < sublanes; ++r) {
    for (std::uint32_t j = 0; j < core.lanes(); ++j) {
      const Place place = from(r, j);
      if (lane_set(x[place.r], place.j)) marks[r] |= RowMarks{1} << j;
    }
  }
  core.marks.set_vector(op.d, marks, core.pc);
}

// The result may be a source, so it is built separately.
template <typename From>
void move_elements(Core& core, const MicroOp& op, From from) {
  const std::uint32_t lanes = core.lanes();
  const std::uint32_t* x = core.vector(op.vx);
  std::uint32_t* moved = core.scratch.z.data();
  for (std::uint32_t r = 0; r < sublanes; ++r) {
    for (std::uint32_t j = 0; j < lanes; ++j) {
      const Place place = from(r, j);
      moved[r * lanes + j] = x[place.r * lanes + place.j];
    }
  }
  move_marks(core, op, from);
  std::copy_n(moved, core.words(), core.vector(op.d));
}

}  // namespace

void lrot(Core& core, const MicroOp& op) {
  const std::uint32_t last = core.lanes() - 1;
  move_elements(core, op, [n = core.amount(op), last](std::uint32_t r, std::uint32_t j) {
    return Place{r, (j - n) & last};
  });
}

void lbcast(Core& core, const MicroOp& op) {
  const std::uint32_t lane = core.amount(op) % core.lanes();
  move_elements(core, op, [lane](std::uint32_t r, std::uint32_t) { return Place{r, lane}; });
}

void lperm(Core& core, const MicroOp& op) {
  use_vector(core, op, op.vy);
  const std::uint32_t lanes = core.lanes();
  const std::uint32_t* index = core.vector(op.vy);
  move_elements(core, op, [index, lanes](std::uint32_t r, std::uint32_t j) {
    return Place{r, index[r * lanes + j] % lanes};
  });
}

void transpose(Core& core, const MicroOp& op) {
  move_elements(core, op, [](std::uint32_t r, std::uint32_t j) {
    return Place{j % sublanes, j / sublanes * sublanes + r};
  });
}

void extract(Core& core, const MicroOp& op) {
  const std::uint32_t element = core.amount(op) % core.words();
  const std::uint32_t r = element / core.lanes();
  const std::uint32_t lane = element % core.lanes();
  if (core.marks.vector_unwritten(op.vx) && lane_set(core.marks.vector(op.vx)[r], lane)) {
    report_vector(core, op, op.vx, r, lane);
  }
  core.state.scalars[op.d] = core.vector(op.vx)[element];
}

}  // namespace tandem::golden::execute
