// Scalar ALU and predicates: slots sa and sb.
#include <algorithm>
#include <cstdint>

#include "isa/golden/semantics.hpp"

namespace tandem::golden::execute {
namespace {

std::uint32_t a(const Core& core, const MicroOp& op) { return core.state.scalars[op.sx]; }
std::uint32_t b(const Core& core, const MicroOp& op) { return core.amount(op); }
std::int32_t signed_a(const Core& core, const MicroOp& op) {
  return static_cast<std::int32_t>(a(core, op));
}
std::int32_t signed_b(const Core& core, const MicroOp& op) {
  return static_cast<std::int32_t>(b(core, op));
}
std::uint32_t count(const Core& core, const MicroOp& op) { return b(core, op) & 31U; }

void set(Core& core, const MicroOp& op, std::uint32_t value) { core.state.scalars[op.d] = value; }
void set(Core& core, const MicroOp& op, std::int32_t value) {
  core.state.scalars[op.d] = static_cast<std::uint32_t>(value);
}
void hold(Core& core, const MicroOp& op, bool value) {
  core.state.predicates[op.d] = value ? 1 : 0;
}

bool predicate_x(const Core& core, const MicroOp& op) {
  return (core.state.predicates[op.px] ^ op.px_not) != 0;
}
bool predicate_y(const Core& core, const MicroOp& op) {
  return (core.state.predicates[op.py] ^ op.py_not) != 0;
}

}  // namespace

void add(Core& core, const MicroOp& op) { set(core, op, a(core, op) + b(core, op)); }
void sub(Core& core, const MicroOp& op) { set(core, op, a(core, op) - b(core, op)); }
void mul(Core& core, const MicroOp& op) { set(core, op, a(core, op) * b(core, op)); }
void mulhu(Core& core, const MicroOp& op) {
  const std::uint64_t product = std::uint64_t{a(core, op)} * b(core, op);
  set(core, op, static_cast<std::uint32_t>(product >> 32U));
}
void bit_and(Core& core, const MicroOp& op) { set(core, op, a(core, op) & b(core, op)); }
void bit_or(Core& core, const MicroOp& op) { set(core, op, a(core, op) | b(core, op)); }
void bit_xor(Core& core, const MicroOp& op) { set(core, op, a(core, op) ^ b(core, op)); }
void bit_not(Core& core, const MicroOp& op) { set(core, op, ~a(core, op)); }
void shl(Core& core, const MicroOp& op) { set(core, op, a(core, op) << count(core, op)); }
void shr(Core& core, const MicroOp& op) { set(core, op, a(core, op) >> count(core, op)); }
void sar(Core& core, const MicroOp& op) { set(core, op, signed_a(core, op) >> count(core, op)); }
void min_s32(Core& core, const MicroOp& op) {
  set(core, op, std::min(signed_a(core, op), signed_b(core, op)));
}
void max_s32(Core& core, const MicroOp& op) {
  set(core, op, std::max(signed_a(core, op), signed_b(core, op)));
}
void min_u32(Core& core, const MicroOp& op) { set(core, op, std::min(a(core, op), b(core, op))); }
void max_u32(Core& core, const MicroOp& op) { set(core, op, std::max(a(core, op), b(core, op))); }
void mov(Core& core, const MicroOp& op) { set(core, op, b(core, op)); }
void sel(Core& core, const MicroOp& op) {
  set(core, op, predicate_x(core, op) ? a(core, op) : b(core, op));
}

void eq(Core& core, const MicroOp& op) { hold(core, op, a(core, op) == b(core, op)); }
void ne(Core& core, const MicroOp& op) { hold(core, op, a(core, op) != b(core, op)); }
void lt_s32(Core& core, const MicroOp& op) {
  hold(core, op, signed_a(core, op) < signed_b(core, op));
}
void le_s32(Core& core, const MicroOp& op) {
  hold(core, op, signed_a(core, op) <= signed_b(core, op));
}
void gt_s32(Core& core, const MicroOp& op) {
  hold(core, op, signed_a(core, op) > signed_b(core, op));
}
void ge_s32(Core& core, const MicroOp& op) {
  hold(core, op, signed_a(core, op) >= signed_b(core, op));
}
void lt_u32(Core& core, const MicroOp& op) { hold(core, op, a(core, op) < b(core, op)); }
void le_u32(Core& core, const MicroOp& op) { hold(core, op, a(core, op) <= b(core, op)); }
void gt_u32(Core& core, const MicroOp& op) { hold(core, op, a(core, op) > b(core, op)); }
void ge_u32(Core& core, const MicroOp& op) { hold(core, op, a(core, op) >= b(core, op)); }

void pand(Core& core, const MicroOp& op) {
  hold(core, op, predicate_x(core, op) && predicate_y(core, op));
}
void por(Core& core, const MicroOp& op) {
  hold(core, op, predicate_x(core, op) || predicate_y(core, op));
}
void pxor(Core& core, const MicroOp& op) {
  hold(core, op, predicate_x(core, op) != predicate_y(core, op));
}

void commit_scalar(Core& core, const MicroOp& op) {
  core.state.scalars[op.d] = core.state.scalars[op.base];
}
void commit_predicate(Core& core, const MicroOp& op) {
  core.state.predicates[op.d] = core.state.predicates[op.base];
}

}  // namespace tandem::golden::execute
