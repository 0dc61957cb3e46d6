#include "schedule/proof/bounds.hpp"

#include <algorithm>
#include <numeric>

namespace tandem::schedule::proof {
namespace {

constexpr std::int64_t modulus = std::int64_t{1} << 32U;
constexpr std::int64_t most = std::int64_t{1} << 40U;

MaybeBound bound(std::uint32_t anchor, std::int64_t first, std::int64_t last, std::int64_t step) {
  if (first > last || first < -most || last > most) return std::nullopt;
  if (first == last || step == 0) step = first == last ? 0 : 1;
  if (step != 0) last = first + (last - first) / step * step;
  return Bound{anchor, first, last, first == last ? 0 : step};
}
Bound exactly(std::int64_t number) { return {0, number, number, 0}; }

// The values of a register about which nothing else is known, as an operation sees it.
struct Sight {
  std::int64_t lowest;
  std::int64_t highest;
};
constexpr Sight as_signed{-(modulus / 2), modulus / 2 - 1};
constexpr Sight as_unsigned{0, modulus - 1};

bool in_sight(const Bound& b, const Sight& sight) {
  return b.anchor == 0 && b.first >= sight.lowest && b.last <= sight.highest;
}
Bound seen_as(const MaybeBound& b, const Sight& sight) {
  return b && in_sight(*b, sight) ? *b : Bound{0, sight.lowest, sight.highest, 1};
}

MaybeBound either(const MaybeBound& a, const MaybeBound& b) {
  if (!a || !b || a->anchor != b->anchor) return std::nullopt;
  const std::int64_t apart = a->first > b->first ? a->first - b->first : b->first - a->first;
  return bound(a->anchor, std::min(a->first, b->first), std::max(a->last, b->last),
               std::gcd(a->step, std::gcd(b->step, apart)));
}

MaybeBound sum(const MaybeBound& a, const MaybeBound& b, bool subtract) {
  if (!a || !b) return std::nullopt;
  if (b->anchor != 0 && (subtract || a->anchor != 0)) return std::nullopt;
  const std::int64_t first = subtract ? a->first - b->last : a->first + b->first;
  const std::int64_t last = subtract ? a->last - b->first : a->last + b->last;
  return bound(std::max(a->anchor, b->anchor), first, last, std::gcd(a->step, b->step));
}

MaybeBound times(const MaybeBound& a, const MaybeBound& b) {
  if (!a || !b || a->anchor != 0 || b->anchor != 0) return std::nullopt;
  constexpr std::int64_t fits = modulus / 2;
  const auto small = [](const Bound& x, std::int64_t limit) {
    return x.first >= -limit && x.last <= limit;
  };
  if (!small(*a, fits) || !small(*b, fits)) return std::nullopt;
  if (a->step == 0 && b->step != 0) return times(b, a);
  if (b->step == 0) {
    if (b->first < 0 || b->first > 65536) return std::nullopt;
    return bound(0, a->first * b->first, a->last * b->first, a->step * b->first);
  }
  if (a->first < 0 || b->first < 0 || a->last > 65536 || b->last > 65536) return std::nullopt;
  return bound(0, a->first * b->first, a->last * b->last, 1);
}

MaybeBound conjunction(const MaybeBound& a, std::int64_t mask) {
  const Bound x = seen_as(a, as_unsigned);
  if (mask < 0) {
    const std::int64_t unit = -mask;
    if ((unit & mask) != unit) return std::nullopt;  // not a power of two
    return bound(0, x.first / unit * unit, x.last / unit * unit, unit);
  }
  const bool all_ones = (mask & (mask + 1)) == 0;
  if (all_ones && x.last <= mask) return x;
  return bound(0, 0, std::min(mask, x.last), 1);
}

MaybeBound right(const MaybeBound& a, unsigned by, const Sight& sight) {
  const Bound x = seen_as(a, sight);
  const std::int64_t unit = std::int64_t{1} << by;
  const bool exact = x.first % unit == 0 && x.step % unit == 0;
  return bound(0, x.first >> by, x.last >> by, exact ? x.step / unit : 1);
}

MaybeBound limited(const MaybeBound& a, const MaybeBound& b, bool smaller, const Sight& sight) {
  const Bound x = seen_as(a, sight);
  const Bound y = seen_as(b, sight);
  if (smaller) return bound(0, std::min(x.first, y.first), std::min(x.last, y.last), 1);
  return bound(0, std::max(x.first, y.first), std::max(x.last, y.last), 1);
}

MaybeBound of_operation(Op op, const MaybeBound& a, const MaybeBound& b) {
  const bool number = b && b->anchor == 0 && b->first == b->last;
  const auto by = number ? static_cast<unsigned>(b->first & 31) : 0U;
  switch (op) {  // NOLINT: nothing is known of all others
    case Op::add: return sum(a, b, false);
    case Op::sub: return sum(a, b, true);
    case Op::mul: return times(a, b);
    case Op::shl: return number ? times(a, exactly(std::int64_t{1} << by)) : std::nullopt;
    case Op::shr: return number ? right(a, by, as_unsigned) : std::nullopt;
    case Op::sar: return number ? right(a, by, as_signed) : std::nullopt;
    case Op::bit_and: return number ? conjunction(a, b->first) : std::nullopt;
    case Op::min_s32: return limited(a, b, true, as_signed);
    case Op::max_s32: return limited(a, b, false, as_signed);
    case Op::min_u32: return limited(a, b, true, as_unsigned);
    case Op::max_u32: return limited(a, b, false, as_unsigned);
    default: return std::nullopt;
  }
}

// The numbers x with x <= y, x < y and so on, where y is bounded; empty: there are none.
struct Relation {
  const Sight* sight;
  bool below, above, same;  // the possible x for this y
};
std::optional<Relation> relation(Op op, bool holds, bool swapped) {
  std::optional<Relation> found;
  switch (op) {  // NOLINT: all others compare nothing
    case Op::eq: found = {&as_signed, false, false, true}; break;
    case Op::ne: found = {&as_signed, true, true, false}; break;
    case Op::lt_s32: found = {&as_signed, true, false, false}; break;
    case Op::le_s32: found = {&as_signed, true, false, true}; break;
    case Op::gt_s32: found = {&as_signed, false, true, false}; break;
    case Op::ge_s32: found = {&as_signed, false, true, true}; break;
    case Op::lt_u32: found = {&as_unsigned, true, false, false}; break;
    case Op::le_u32: found = {&as_unsigned, true, false, true}; break;
    case Op::gt_u32: found = {&as_unsigned, false, true, false}; break;
    case Op::ge_u32: found = {&as_unsigned, false, true, true}; break;
    default: return std::nullopt;
  }
  if (!holds) found = {found->sight, !found->below, !found->above, !found->same};
  if (swapped) std::swap(found->below, found->above);
  return found;
}

// The remaining values of x; `none` when nothing remains.
MaybeBound restricted(const MaybeBound& x, const MaybeBound& y, const Relation& how, bool& none) {
  if (x && !in_sight(*x, *how.sight)) return x;
  const Bound from = seen_as(x, *how.sight);
  const Bound other = seen_as(y, *how.sight);
  const std::int64_t step = std::max<std::int64_t>(from.step, 1);
  const std::int64_t beside = how.same ? 0 : 1;
  std::int64_t first = from.first;
  std::int64_t last = from.last;
  if (!how.above) last = std::min(last, other.last - beside);
  if (!how.below) first = std::max(first, other.first + beside);
  if (!how.same && how.below && how.above && other.first == other.last) {
    if (last == other.first) last -= step;
    if (first == other.first) first += step;
  }
  const std::int64_t skipped = (first - from.first + step - 1) / step;
  first = from.first + skipped * step;
  if (first > last) none = true;
  return first > last ? x : bound(0, first, last, step);
}

bool covers(const Range& claim, const Bound& b) {
  if (claim.anchor != b.anchor || b.first < claim.low || b.last > claim.high) return false;
  const std::int64_t step = claim.low == claim.high ? 0 : claim.stride;
  if (step <= 1) return true;
  return (b.first - claim.low) % step == 0 && b.step % step == 0;
}

std::uint64_t place_key(std::uint32_t operation, std::uint8_t place) {
  return (std::uint64_t{operation} << 8U) + place;
}

}  // namespace

bool never_equal(const Bound& a, const Bound& b) {
  if (a.anchor != b.anchor) return false;
  const bool a_first = a.last < b.first;
  if (!a_first && !(b.last < a.first)) return false;
  return a_first ? b.last - a.first < modulus : a.last - b.first < modulus;
}

Bounds::Bounds(const LinearBlock& block, const Result& result, const Constants& constants)
    : block_(block), result_(result), constants_(constants), claims_(result.cuts.size()) {
  for (std::uint32_t c = 0; c < result.cuts.size(); ++c) cut_at_[result.cuts[c].operation] = c;
  for (const Claim& claim : result.claims) {
    // Nothing is known where the block is entered.
    const bool sound = claim.cut != 0 && claim.cut < claims_.size() && claim.range.stride > 0 &&
                       claim.id < block.virtuals.size() && claim.range.low <= claim.range.high;
    if (sound) claims_[claim.cut].emplace(claim.id, claim);
  }
  for (bool dropped = !result.claims.empty(); dropped;) {
    dropped = false;
    for (std::uint32_t c = 0; c < result.cuts.size(); ++c) dropped = drop_broken(c) || dropped;
  }
  for (std::uint32_t c = 0; c < result.cuts.size(); ++c) run(c, true);
}

MaybeBound Bounds::touched(std::uint32_t operation, std::uint8_t place, std::int64_t units,
                           std::int64_t stride) const {
  const auto found = addresses_.find(place_key(operation, place));
  if (found == addresses_.end()) return std::nullopt;
  const std::int64_t span = (units - 1) * stride;
  const Bound& at = found->second;
  return Bound{at.anchor, at.first + std::min<std::int64_t>(span, 0),
               at.last + std::max<std::int64_t>(span, 0), 1};
}

// The operations from one cut to the next.
void Bounds::run(std::uint32_t cut, bool keep_addresses) {
  now_.clear();
  numbered_.clear();
  tests_.clear();
  here_ = &claims_[cut];
  const std::uint32_t first = result_.cuts[cut].operation;
  for (std::uint32_t i = first; i < block_.operations.size(); ++i) {
    if (i != first && cut_at_.count(i) != 0) return;
    const LinearOperation& item = block_.operations[i];
    if (keep_addresses) note_addresses(item, i);
    step(item, effects_of(item.operation), i);
  }
}

bool Bounds::drop_broken(std::uint32_t cut) {
  run(cut, false);
  const auto next = cut_at_.upper_bound(result_.cuts[cut].operation);
  const auto end =
      next == cut_at_.end() ? static_cast<std::uint32_t>(block_.operations.size()) : next->first;
  bool dropped = false;
  for (const Way& way : ways(end - 1)) {
    std::vector<VirtualId> broken;
    for (const auto& [id, claim] : claims_[way.cut]) {
      if (!keeps(claim, end - 1, way)) broken.push_back(id);
    }
    for (const VirtualId id : broken) claims_[way.cut].erase(id);
    dropped = dropped || !broken.empty();
  }
  return dropped;
}

std::vector<Bounds::Way> Bounds::ways(std::uint32_t last) const {
  const LinearOperation& item = block_.operations[last];
  const Control control = effects_of(item.operation).control;
  const bool conditional = item.operation.predicate != 0 || item.operation.negate;
  std::vector<Way> found;
  const auto go = [&](std::uint32_t operation, std::optional<bool> taken) {
    const auto cut = cut_at_.find(operation);
    if (cut != cut_at_.end()) found.push_back({cut->second, taken});
  };
  const bool branch = control == Control::branch;
  if (branch && item.target != no_label) go(block_.labels[item.target], true);
  const bool goes_on = conditional || !ends_block(control) || control == Control::call;
  if (goes_on) go(last + 1, branch ? std::optional(false) : std::nullopt);
  return found;
}

bool Bounds::keeps(const Claim& claim, std::uint32_t last, const Way& way) const {
  const LinearOperation& item = block_.operations[last];
  if (effects_of(item.operation).control == Control::call) return false;
  Held value = held(claim.id);
  if (way.taken) {
    const VirtualId id = item.registers[predicate_place];
    const auto test =
        tests_.find(id == no_virtual ? item.operation.predicate : std::uint64_t{256} + id);
    const bool holds = *way.taken != item.operation.negate;
    for (const bool swapped : {false, true}) {
      if (test == tests_.end()) break;
      const Held& x = swapped ? test->second.b : test->second.a;
      const Held& y = swapped ? test->second.a : test->second.b;
      const auto how = relation(test->second.op, holds, swapped);
      if (!how) continue;
      bool none = false;
      const MaybeBound left = restricted(x.bound, y.bound, *how, none);
      if (none) return true;  // this path is infeasible
      if (x.name == 0 || x.name != value.name || !left) continue;
      value.bound = bound(left->anchor, left->first + value.offset - x.offset,
                          left->last + value.offset - x.offset, left->step);
    }
  }
  return value.bound && covers(claim.range, *value.bound);
}

Bounds::Held Bounds::held(VirtualId id) const {
  const auto written = now_.find(id);
  if (written != now_.end()) return written->second;
  Held found{static_cast<std::int64_t>(id) + 1, 0, std::nullopt};
  if (const auto known = constants_.find(id)) {
    found.name = known->root == no_virtual ? 0 : static_cast<std::int64_t>(known->root) + 1;
    found.offset = known->offset;
    if (known->root == no_virtual) {
      found.bound = Bound{known->anchor, known->offset, known->offset, 0};
    }
    if (known->root != no_virtual && known->anchor != 0) {
      found = {static_cast<std::int64_t>(id) + 1, 0, std::nullopt};
    }
  }
  const auto claim = here_->find(id);
  if (!found.bound && claim != here_->end()) {
    const Range& range = claim->second.range;
    found.bound = bound(range.anchor, range.low, range.high, range.stride);
  }
  return found;
}

Bounds::Held Bounds::held_by_number(std::int32_t index) const {
  if (index == 0) return {0, 0, exactly(0)};
  const auto written = numbered_.find(index);
  if (written != numbered_.end()) return written->second;
  return {-1 - std::int64_t{index}, 0, std::nullopt};
}

Bounds::Held Bounds::operand(const LinearOperation& item, std::uint8_t place) const {
  const Operand& operand = *instruction(item.operation.op).operands.items[place];
  const OperandValue& value = item.operation.operands[place];
  if (operand.kind == OperandKind::scalar_imm && value.extra != 0) {
    if (!is_anchored(item, place)) return {0, 0, exactly(value.imm)};
    const std::uint32_t anchor = item.anchor == number_anchor ? 0 : item.anchor;
    return {0, 0, Bound{anchor, item.anchor_offset, item.anchor_offset, 0}};
  }
  const VirtualId id = item.registers[place];
  return id == no_virtual ? held_by_number(value.value) : held(id);
}

Bounds::Held Bounds::result(const LinearOperation& item, std::uint32_t number) const {
  // Names of results follow those of registers.
  const auto name = static_cast<std::int64_t>(block_.virtuals.size()) + 1 + number;
  const Instruction& row = instruction(item.operation.op);
  if (row.group != Group::scalar || row.operands.count < 2) return {name, 0, std::nullopt};
  if (item.operation.op == Op::mov) return operand(item, 1);
  if (item.operation.op == Op::sel) {
    return {name, 0, either(operand(item, 2).bound, operand(item, 3).bound)};
  }
  const Held a = operand(item, 1);
  const Held b = row.operands.count > 2 ? operand(item, 2) : Held{};
  const MaybeBound value = of_operation(item.operation.op, a.bound, b.bound);
  const auto number_of = [](const Held& x) {
    return x.name == 0 && x.bound && x.bound->anchor == 0 && x.bound->step == 0;
  };
  if (item.operation.op == Op::add && number_of(b)) {
    return {a.name, a.offset + b.bound->first, value};
  }
  if (item.operation.op == Op::add && number_of(a)) {
    return {b.name, b.offset + a.bound->first, value};
  }
  if (item.operation.op == Op::sub && number_of(b)) {
    return {a.name, a.offset - b.bound->first, value};
  }
  return {name, 0, value};
}

void Bounds::step(const LinearOperation& item, const Effects& effects, std::uint32_t number) {
  if (!effects.writes) return;
  const VirtualId id = item.registers[effects.write.place];
  const bool sure = item.operation.predicate == 0 && !item.operation.negate;
  if (effects.write.file == File::p) {
    const std::uint64_t key = id == no_virtual ? effects.write.index : std::uint64_t{256} + id;
    tests_.erase(key);
    if (!sure || !relation(item.operation.op, true, false)) return;
    tests_[key] = {item.operation.op, operand(item, 1), operand(item, 2)};
    return;
  }
  if (effects.write.file != File::s) return;
  Held value = result(item, number);
  if (!sure) {
    const auto name = static_cast<std::int64_t>(block_.virtuals.size()) + 1 + number;
    const Held old = id == no_virtual ? held_by_number(effects.write.index) : held(id);
    value = {name, 0, either(old.bound, value.bound)};
  }
  if (id == no_virtual) {
    numbered_[effects.write.index] = value;
  } else {
    now_[id] = value;
  }
}

void Bounds::note_addresses(const LinearOperation& item, std::uint32_t number) {
  const Instruction& row = instruction(item.operation.op);
  for (std::uint8_t place = 0; place < row.operands.count; ++place) {
    const OperandKind kind = row.operands.items[place]->kind;
    const VirtualId id = item.registers[place];
    const bool address = kind == OperandKind::smem || kind == OperandKind::vmem ||
                         kind == OperandKind::vmem_word || kind == OperandKind::accumulator ||
                         kind == OperandKind::descriptor;
    const bool scalar = id == no_virtual || block_.virtuals[id].file == File::s;
    if (!address || !scalar) continue;
    const OperandValue& value = item.operation.operands[place];
    MaybeBound at = (id == no_virtual ? held_by_number(value.value) : held(id)).bound;
    const std::int64_t unit = kind == OperandKind::descriptor ? descriptor_words : 1;
    const bool anchored = is_anchored(item, place);
    const Bound offset = anchored ? Bound{item.anchor == number_anchor ? 0 : item.anchor,
                                          item.anchor_offset, item.anchor_offset, 0}
                                  : exactly(std::int64_t{value.imm} * unit);
    at = sum(at, offset, false);
    if (at) addresses_[place_key(number, place)] = *at;
  }
}

}  // namespace tandem::schedule::proof
