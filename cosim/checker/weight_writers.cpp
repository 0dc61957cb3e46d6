#include "cosim/checker/weight_writers.hpp"

#include <algorithm>
#include <utility>

#include "isa/encoding.hpp"
#include "isa/instructions.hpp"
#include "isa/operands.hpp"

namespace tandem {
namespace {

constexpr std::size_t filling = 0;
constexpr std::size_t active = 1;

// Nullptr for an empty slot.
const Instruction* matrix_instruction(SlotBits bits) {
  if (is_empty(bits)) return nullptr;
  return find_instruction(Slot::mx, static_cast<std::uint8_t>(bits));
}

bool pushes(const Instruction* row) {
  return row != nullptr && (row->op == Op::mxpush || row->op == Op::mxpusht);
}

bool swaps(const Instruction* row, SlotBits bits) {
  const bool multiplies = row->op == Op::mxmul_bf16 || row->op == Op::mxmul_s8;
  return multiplies && get_field(bits, operand::mx_swap.value) != 0;
}

Producer newer(const Producer& one, const Producer& other) {
  if (!one.known || !other.known) return one.known ? one : other;
  return one.sequence > other.sequence ? one : other;
}

}  // namespace

WeightWriters::WeightWriters(const Parameters& parameters) {
  for (Buffer& buffer : buffers_) {
    buffer.rows.resize(parameters.lanes / sublanes);
    buffer.columns.resize(parameters.lanes / sublanes);
  }
}

void WeightWriters::before(const Bundle& bundle, const State& state) {
  const SlotBits bits = slot_bits(bundle, Slot::mx);
  if (!pushes(matrix_instruction(bits))) return;
  row_ = state.scalars[get_field(bits, operand::wrow.value)] + get_field(bits, operand::wrow.imm);
}

void WeightWriters::after(const RetireRecord& record) {
  const bool happens = ((record.enabled >> static_cast<unsigned>(Slot::mx)) & 1U) != 0;
  if (!happens || record.trap.cause != TrapCause::none) return;
  const SlotBits bits = slot_bits(record.bundle, Slot::mx);
  const Instruction* const row = matrix_instruction(bits);
  if (row == nullptr) return;
  const Producer by{record.sequence, record.pc, true};
  if (pushes(row)) {
    Buffer& buffer = buffers_[filling];
    std::vector<Producer>& written = row->op == Op::mxpush ? buffer.rows : buffer.columns;
    const std::size_t block = row_ / sublanes;
    if (block < written.size()) written[block] = by;
  } else if (swaps(row, bits)) {
    std::swap(buffers_[filling], buffers_[active]);
    release(buffers_[filling], by);
  }
}

void WeightWriters::release(Buffer& buffer, const Producer& by) {
  std::ranges::fill(buffer.rows, Producer{});
  std::ranges::fill(buffer.columns, Producer{});
  buffer.released = by;
}

Producer WeightWriters::producer(const WeightPlace& place) const {
  const Buffer& buffer = buffers_[place.active ? active : filling];
  const Producer pushed =
      newer(buffer.rows[place.row / sublanes], buffer.columns[place.column / sublanes]);
  return newer(pushed, buffer.released);
}

}  // namespace tandem
