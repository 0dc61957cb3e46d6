#include "cli/debug/language/places.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/messages/messages.hpp"
#include "cli/messages/user_error.hpp"
#include "isa/analysis/effects.hpp"
#include "isa/encoding.hpp"
#include "isa/golden/copy.hpp"

namespace tandem::debug {
namespace {

constexpr std::uint64_t most_spans = 1U << 20U;

Area area_of(RegisterFile file) {
  switch (file) {
    case RegisterFile::s: return Area::sreg;
    case RegisterFile::p: return Area::preg;
    case RegisterFile::m: return Area::mreg;
    case RegisterFile::v: return Area::vreg;
  }
  return Area::sreg;
}

Area area_of(golden::MemorySpace space) {
  switch (space) {
    case golden::MemorySpace::hbm: return Area::hbm;
    case golden::MemorySpace::vmem: return Area::vmem;
    case golden::MemorySpace::smem: return Area::smem;
  }
  return Area::hbm;
}

using Visit = std::function<void(Area, const Span&)>;

void visit_lanes(const Write& write, std::uint32_t lanes, const Visit& visit) {
  const std::uint64_t row = std::uint64_t{write.index} * lanes;
  const auto set = [&write](std::uint32_t lane) {
    return (write.lanes[lane / 32] >> (lane % 32) & 1U) != 0;
  };
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    const std::uint32_t first = lane;
    while (lane < lanes && set(lane)) ++lane;
    if (lane != first) visit(Area::vmem, {row + first, row + lane});
  }
}

void visit_write(const Write& write, const Parameters& machine, const Visit& visit) {
  const std::uint64_t index = write.index;
  const std::uint64_t words = machine.vector_words();
  switch (write.space) {
    case Space::none: return;
    case Space::sreg: return visit(Area::sreg, {index, index + 1});
    case Space::preg: return visit(Area::preg, {index, index + 1});
    case Space::mreg: return visit(Area::mreg, {index * words, (index + 1) * words});
    case Space::vreg: return visit(Area::vreg, {index * words, (index + 1) * words});
    case Space::smem: return visit(Area::smem, {index, index + 1});
    case Space::vmem: return visit_lanes(write, machine.lanes, visit);
    case Space::acc: return visit(Area::acc, {index * machine.lanes, (index + 1) * machine.lanes});
    case Space::flag_add:
    case Space::flag_set: return visit(Area::flag, {index, index + 1});
  }
}

void visit_copy(const CopyIssue& issue, const Visit& visit) {
  const golden::Copy copy = golden::issued_copy(issue);
  visit(Area::flag, {copy.flag, copy.flag + 1});
  if (copy.moves_nothing()) return;
  const Area area = area_of(copy.destination.space);
  const std::uint64_t unit = area == Area::hbm ? 1 : 4;
  if (copy.runs() > most_spans) {
    const golden::BoundingBox box = bounding_box(copy, copy.destination);
    return visit(area, {static_cast<std::uint64_t>(box.begin) / unit,
                        static_cast<std::uint64_t>(box.end) / unit});
  }
  for_each_run(copy, [&](std::uint64_t /*from*/, std::uint64_t to) {
    visit(area, {to / unit, (to + copy.length) / unit});
  });
}

// The flag that an operand names; nothing if it is in a register.
std::optional<std::uint32_t> named_flag(const OperandValue& value) {
  if (value.extra != 0) return std::nullopt;
  return static_cast<std::uint32_t>(value.value);
}

// Calls visit(area, first element or nothing when it depends on the state) for each write that an
// operation can do.
template <typename Visit>
bool any_write(const Bundle& bundle, Visit matches) {
  for (std::size_t index = 0; index < slot_count; ++index) {
    const auto slot = static_cast<Slot>(index);
    const auto operation = decode(slot, slot_bits(bundle, slot));
    if (!operation) continue;
    const Effects effects = effects_of(*operation);
    using Number = std::optional<std::uint32_t>;
    if (effects.writes && effects.write.file != File::a &&
        matches(area_of(static_cast<RegisterFile>(effects.write.file)),
                Number(effects.write.index)))
      return true;
    if (effects.writes_accumulator() && matches(Area::acc, Number())) return true;
    if (effects.pushes && matches(Area::filling, Number())) return true;
    if (effects.memory.writes) {
      const bool smem = effects.memory.space == LocalMemory::smem;
      if (matches(smem ? Area::smem : Area::vmem, Number())) return true;
    }
    if ((effects.flag == FlagUse::add || effects.flag == FlagUse::set) &&
        matches(Area::flag, named_flag(operation->operands[0]))) {
      return true;
    }
    if (!effects.copies()) continue;
    // It writes memory and adds to a flag that its descriptor names.
    for (const Area area : {Area::hbm, Area::vmem, Area::smem, Area::flag}) {
      if (matches(area, Number())) return true;
    }
  }
  return false;
}

}  // namespace

Places::Places(const Selection& selection) : area_(selection.area) {
  if (area_ == Area::weights || area_ == Area::filling) {
    throw UserError{message::weights_not_watched};
  }
  Selection outer = selection;
  std::uint64_t length = selection.unit();
  if (!outer.dimensions.empty() && outer.dimensions.back().pitch == length) {
    length *= outer.dimensions.back().count;
    outer.dimensions.back().count = length == 0 ? 0 : 1;
  }
  if (outer.count() > most_spans) {
    throw UserError{fmt::format(message::too_many_pieces, selection.text(), most_spans)};
  }
  outer.for_each([&](const std::vector<std::uint64_t>& place) {
    const std::uint64_t begin = outer.element(place);
    if (!spans_.empty() && spans_.back().end == begin) {
      spans_.back().end += length;
    } else {
      spans_.push_back({begin, begin + length});
    }
  });
}

// The first span that ends after the beginning of the other one.
std::vector<Span>::const_iterator Places::first_common(const Span& span) const {
  return std::upper_bound(spans_.begin(), spans_.end(), span.begin,
                          [](std::uint64_t begin, const Span& mine) { return begin < mine.end; });
}

bool Places::overlaps(const Span& span) const {
  const auto first = first_common(span);
  return first != spans_.end() && first->begin < span.end;
}

std::vector<Span> Places::common(const Span& span) const {
  std::vector<Span> found;
  for (auto at = first_common(span); at != spans_.end() && at->begin < span.end; ++at) {
    found.push_back({std::max(at->begin, span.begin), std::min(at->end, span.end)});
  }
  return found;
}

void for_each_write(const RetireRecord& record, const Parameters& machine, const Visit& visit) {
  for (const Write& write : record.writes) visit_write(write, machine, visit);
  if (record.has_copy) visit_copy(record.copy, visit);
}

bool may_write(const Bundle& bundle, const Places& places, const Parameters& machine) {
  return any_write(bundle, [&](Area area, std::optional<std::uint32_t> number) {
    if (area != places.area()) return false;
    if (!number) return true;
    const bool is_wide = area == Area::mreg || area == Area::vreg;
    const std::uint64_t elements = is_wide ? machine.vector_words() : 1;
    return places.overlaps({*number * elements, (*number + 1) * elements});
  });
}

bool may_write(const Bundle& bundle, Area area) {
  // A swap of the weight buffers is an option of a multiply.
  const bool weights = area == Area::weights || area == Area::filling;
  return any_write(bundle, [area, weights](Area written, std::optional<std::uint32_t>) {
    return written == area || (weights && (written == Area::filling || written == Area::acc));
  });
}

}  // namespace tandem::debug
