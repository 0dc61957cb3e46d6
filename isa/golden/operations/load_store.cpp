// VMEM to vectors and back (slots ld and st). Only rows that are enabled and lanes in the mask
// touch memory; a row is enabled when it is below `rows` and some lane of it is in the mask.
#include <algorithm>
#include <cstdint>
#include <cstring>

#include "isa/golden/operations/vector_sources.hpp"
#include "isa/golden/semantics.hpp"

namespace tandem::golden {
namespace {

bool unmasked(const MicroOp& op) { return op.mx == 0 && !op.mx_not; }

RowMarks masked_lanes(Core& core, const MicroOp& op, std::uint32_t r) {
  if (r >= op.rows) return 0;
  if (unmasked(op)) return core.marks.full_row();
  return mask_row(core.mask(op.mx), op.mx_not, r, core.lanes());
}

// Of an indexed access once its check has run.
RowMarks lanes_of(Core& core, const MicroOp& op, std::uint32_t r) {
  if (op.indexed && (core.indexed_by(op).taken >> r & 1U) == 0) return 0;
  return masked_lanes(core, op, r);
}

std::uint32_t row_address(const Core& core, const MicroOp& op, std::uint32_t r) {
  if (op.indexed) return core.indexed_by(op).row[r];
  const auto stride = static_cast<std::uint32_t>(std::int32_t{op.stride});
  return core.captured[static_cast<std::size_t>(op.slot)] + r * stride;
}

// Races of the lanes of one row.
void touch_row(Core& core, std::uint32_t row, RowMarks lanes, bool write) {
  for (std::uint32_t lane = 0; lane < core.lanes(); ++lane) {
    if (!lane_set(lanes, lane)) continue;
    const std::uint64_t byte = (std::uint64_t{row} * core.lanes() + lane) * 4;
    auto race = core.races.touch(MemorySpace::vmem, byte, write, core.pc);
    if (race) return core.report(std::move(*race));
  }
}

// Records when the lanes were touched, for copies of other chips.
void note_row(Core& core, std::uint32_t row, RowMarks lanes) {
  const std::uint64_t first = std::uint64_t{row} * core.lanes();
  if (lanes == core.marks.full_row()) {
    return core.races.touched_vmem(first * 4, (first + core.lanes()) * 4);
  }
  for (std::uint32_t lane = 0; lane < core.lanes(); ++lane) {
    if (!lane_set(lanes, lane)) continue;
    core.races.touched_vmem((first + lane) * 4, (first + lane + 1) * 4);
  }
}

[[gnu::noinline]] void touch_each_row(Core& core, const MicroOp& op, bool write) {
  for (std::uint32_t r = 0; r < op.rows; ++r) {
    const RowMarks lanes = lanes_of(core, op, r);
    const std::uint32_t row = row_address(core, op, r);
    if (lanes == 0) continue;
    if (!core.races.vmem_row_quiet(row)) touch_row(core, row, lanes, write);
    if (core.races.in_group()) note_row(core, row, lanes);
  }
}

// Almost always no copy is near.
void touch_rows(Core& core, const MicroOp& op, bool write) {
  if (!core.races.idle(MemorySpace::vmem)) touch_each_row(core, op, write);
}

void load_row(Core& core, std::uint32_t* to, const std::uint32_t* from, RowMarks lanes) {
  if (lanes == core.marks.full_row()) {
    std::memcpy(to, from, core.lanes() * sizeof *to);
    return;
  }
  for (std::uint32_t lane = 0; lane < core.lanes(); ++lane) {
    to[lane] = lane_set(lanes, lane) ? from[lane] : 0;
  }
}

void store_row(Core& core, std::uint32_t* to, const std::uint32_t* from, RowMarks lanes) {
  if (lanes == core.marks.full_row()) {
    std::memcpy(to, from, core.lanes() * sizeof *to);
    return;
  }
  for (std::uint32_t lane = 0; lane < core.lanes(); ++lane) {
    if (lane_set(lanes, lane)) to[lane] = from[lane];
  }
}

void load_marks(Core& core, const MicroOp& op) {
  if (!core.marks.enabled()) return;
  VectorMarks marks{};
  for (std::uint32_t r = 0; r < op.rows; ++r) {
    const RowMarks lanes = lanes_of(core, op, r);
    if (lanes != 0) marks[r] = core.marks.vmem_row(row_address(core, op, r)) & lanes;
  }
  core.marks.set_vector(op.d, marks, core.pc);
}

}  // namespace

namespace check {

bool rows(Core& core, const MicroOp& op) {
  core.captured_by(op) = core.address(op);
  const std::uint32_t limit = core.state.parameters->vmem_rows();
  for (std::uint32_t r = 0; r < op.rows; ++r) {
    const std::uint32_t row = row_address(core, op, r);
    if (row < limit || lanes_of(core, op, r) == 0) continue;
    return core.raise(op, TrapCause::address_range, row);
  }
  return false;
}

// The index is in lane 0 of its row, and counts if the row may take part at all.
bool indexed(Core& core, const MicroOp& op) {
  const std::uint8_t number = op.slot == Slot::st ? op.vy : op.vx;
  const std::uint32_t* index = core.vector(number);
  const VectorMarks& marks = core.marks.vector(number);
  const std::uint32_t bound = core.state.scalars[op.sx];
  const std::uint32_t limit = core.state.parameters->vmem_rows();
  Core::IndexedRows& rows = core.indexed_by(op);
  rows.taken = 0;
  for (std::uint32_t r = 0; r < op.rows; ++r) {
    if (masked_lanes(core, op, r) == 0) continue;
    if ((marks[r] & 1U) != 0) report_vector(core, op, number, r, 0);
    const std::uint32_t i = index[std::size_t{r} * core.lanes()];
    rows.row[r] = core.address(op) + i;
    if (i < bound) rows.taken |= 1U << r;
  }
  // A never-written index is no basis for a trap: such a program is reported instead.
  if (core.finding) rows.taken = 0;
  for (std::uint32_t r = 0; r < op.rows; ++r) {
    if ((rows.taken >> r & 1U) == 0 || rows.row[r] < limit) continue;
    return core.raise(op, TrapCause::address_range, rows.row[r]);
  }
  return false;
}

bool column(Core& core, const MicroOp& op) {
  core.captured_by(op) = core.address(op);
  const std::uint32_t limit = core.state.parameters->vmem_words();
  for (std::uint32_t r = 0; r < op.rows; ++r) {
    const std::uint32_t word = core.captured_by(op) + r;
    if (word < limit || lanes_of(core, op, r) == 0) continue;
    return core.raise(op, TrapCause::address_range, word);
  }
  return false;
}

}  // namespace check

namespace execute {

void vld(Core& core, const MicroOp& op) {
  touch_rows(core, op, false);
  std::uint32_t* d = core.vector(op.d);
  const std::uint32_t lanes = core.lanes();
  if (!op.indexed && unmasked(op) && op.rows == sublanes && op.stride == 1) {
    std::memcpy(d, core.vmem_row(core.captured_by(op)), core.words() * sizeof *d);
    return load_marks(core, op);
  }
  for (std::uint32_t r = 0; r < sublanes; ++r, d += lanes) {
    const RowMarks enabled = lanes_of(core, op, r);
    if (enabled == 0) {
      std::fill_n(d, lanes, 0);
    } else {
      load_row(core, d, core.vmem_row(row_address(core, op, r)), enabled);
    }
  }
  load_marks(core, op);
}

void vldx(Core& core, const MicroOp& op) { vld(core, op); }

void vldc(Core& core, const MicroOp& op) {
  std::uint32_t* d = core.vector(op.d);
  const std::uint32_t lanes = core.lanes();
  VectorMarks marks{};
  for (std::uint32_t r = 0; r < sublanes; ++r, d += lanes) {
    const RowMarks enabled = lanes_of(core, op, r);
    std::fill_n(d, lanes, 0);
    if (enabled == 0) continue;
    const std::uint32_t word = core.captured_by(op) + r;
    if (!core.races.vmem_row_quiet(word / lanes)) {
      touch_row(core, word / lanes, RowMarks{1} << (word % lanes), false);
    }
    if (core.races.in_group()) core.races.touched_vmem(word * 4, (word + 1) * 4);
    const std::uint32_t value = core.state.vmem[word];
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      if (lane_set(enabled, lane)) d[lane] = value;
    }
    if (core.marks.vmem_word_unwritten(word)) marks[r] = enabled;
  }
  core.marks.set_vector(op.d, marks, core.pc);
}

void vst(Core& core, const MicroOp& op) {
  touch_rows(core, op, true);
  const std::uint32_t* x = core.vector(op.vx);
  const bool marks = core.marks.enabled();
  const VectorMarks& x_marks = core.marks.vector(op.vx);
  for (std::uint32_t r = 0; r < op.rows; ++r, x += core.lanes()) {
    const RowMarks enabled = lanes_of(core, op, r);
    if (enabled == 0) continue;
    const std::uint32_t row = row_address(core, op, r);
    store_row(core, core.vmem_row(row), x, enabled);
    if (marks) core.marks.store_row(row, enabled, x_marks[r]);
  }
}

void vstx(Core& core, const MicroOp& op) { vst(core, op); }

}  // namespace execute
}  // namespace tandem::golden
