#include "sim/time/issue_plan.hpp"

#include <algorithm>
#include <iterator>
#include <map>

#include "isa/analysis/effects.hpp"
#include "isa/encoding.hpp"
#include "isa/timing.hpp"

namespace tandem {
namespace {

// Fills a plan slot by slot.
class Planner {
 public:
  explicit Planner(IssuePlan& plan) : plan_(plan) {}

  void slot(Slot slot, const Operation& operation) {
    const Effects effects = effects_of(operation);
    for (const RegisterUse& use : effects.reads()) read(use);
    keep_fields(slot, operation);
    plan_.uses |= unit_uses(effects) | flag_uses(effects.flag) | control_uses(effects.control);
    if (slot == Slot::sb && retires(effects)) plan_.uses |= use_late_event;
    if (takes(effects.control)) plan_.taken = true;
    if (effects.writes && effects.write.file != File::a) {
      write(effects.latency, {static_cast<RegisterFile>(effects.write.file), effects.write.index});
    }
  }

 private:
  // Predicates are always available; the matrix unit itself waits for accumulators.
  void read(const RegisterUse& use) {
    const RegisterName name{static_cast<RegisterFile>(use.file), use.index};
    if (use.file == File::s || use.file == File::m) plan_.scalars |= register_bit(name);
    if (use.file == File::v) plan_.v_reads |= register_bit(name);
  }

  void keep_fields(Slot slot, const Operation& operation) {
    switch (slot) {
      case Slot::sa: plan_.sa = golden::lower(slot, operation); break;
      case Slot::ld: plan_.ld = golden::lower(slot, operation); break;
      case Slot::st: plan_.st = golden::lower(slot, operation); break;
      case Slot::mx: plan_.mx = golden::lower(slot, operation); break;
      case Slot::dma: plan_.dma = golden::lower(slot, operation); break;
      case Slot::sb:
      case Slot::va:
      case Slot::vb:
      case Slot::xu: break;
    }
  }

  // The demands of an operation on its unit.
  static std::uint32_t unit_uses(const Effects& effects) {
    switch (effects.latency) {
      case Latency::load: return use_load | (effects.memory.in_words ? use_column : 0U);
      case Latency::store: return use_store;
      case Latency::push: return use_push | (effects.transposes ? use_transposed : 0U);
      case Latency::multiply: return use_multiply;
      case Latency::acc_read: return use_acc_read;
      case Latency::eup: return use_eup;
      case Latency::xlu: return use_xlu;
      case Latency::copy:
      case Latency::wait:
      case Latency::scalar:
      case Latency::scalar_load:
      case Latency::control:
      case Latency::valu: return 0;
    }
    return 0;
  }

  static std::uint32_t flag_uses(FlagUse flag) {
    switch (flag) {
      case FlagUse::none: return 0;
      case FlagUse::copy: return use_copy;
      case FlagUse::wait: return use_wait;
      case FlagUse::add: return use_flag_add;
      case FlagUse::set: return use_flag_set;
    }
    return 0;
  }

  static std::uint32_t control_uses(Control control) {
    if (control == Control::halt) return use_halt;
    if (control == Control::idle) return use_idle;
    if (control == Control::marker) return use_marker;
    return 0;  // trap, and what `takes`
  }

  static bool takes(Control control) {
    return control == Control::branch || control == Control::call || leaves(control);
  }

  // Something reaches the retirement port from the second scalar slot.
  static bool retires(const Effects& effects) { return effects.writes || effects.memory.writes; }

  // Predicates and results of the scalar ALU land in the issue cycle: nothing waits for them, but
  // they wait for an older result of the same register.
  void write(Latency latency, RegisterName name) {
    if (name.file == RegisterFile::s) plan_.scalars |= register_bit(name);
    if (name.file == RegisterFile::v) plan_.v_writes |= register_bit(name);
    switch (latency) {
      case Latency::scalar_load:
      case Latency::valu: return land_late(name);
      case Latency::load: return land(name, Pending::vector, timing::load, true);
      case Latency::acc_read: return land(name, Pending::mxu, timing::acc_read);
      case Latency::eup: return land(name, Pending::eup, timing::row_unit_result);
      case Latency::xlu: return land(name, Pending::xlu, timing::row_unit_result);
      case Latency::scalar:
      case Latency::control:
      case Latency::store:
      case Latency::push:
      case Latency::multiply:
      case Latency::copy:
      case Latency::wait: return;
    }
  }
  void land_late(RegisterName name) {
    static_assert(timing::scalar_load == 1 && timing::valu == 1, "what LateResults are");
    (name.file == RegisterFile::v ? plan_.late.vectors : plan_.late.scalars) |= register_bit(name);
    plan_.uses |= use_late_event;
  }
  void land(RegisterName name, Pending by, std::uint32_t latency, bool load = false) {
    plan_.landings[plan_.landing_count++] = {name.file, name.index, by,
                                             static_cast<std::uint8_t>(latency), load};
    plan_.uses |= use_landing;
  }

  IssuePlan& plan_;
};

}  // namespace

IssuePlans::IssuePlans(const Image& image)
    : image_(&image), first_(image.text.size()), variants_(1U << slot_count), plans_(1) {}

std::uint16_t IssuePlans::enabled(std::uint32_t pc, const std::uint8_t* predicates) const {
  return golden::enabled_slots(image_->text[pc], predicates);
}

IssuePlan& IssuePlans::add(std::uint32_t pc, const golden::BundlePlan& decoded,
                           golden::EnabledSlots enabled) {
  return keep(pc, decoded, enabled, make_plan(pc, enabled.slots, decoded.traps));
}

IssuePlan IssuePlans::make_plan(std::uint32_t pc, std::uint16_t enabled, bool traps) const {
  IssuePlan plan;
  plan.enabled = enabled;
  if (traps) plan.uses = use_broken;
  Planner planner(plan);
  for (std::size_t i = 0; i < slot_count && !traps; ++i) {
    const auto slot = static_cast<Slot>(i);
    if (((enabled >> i) & 1U) == 0) continue;
    planner.slot(slot, *decode(slot, slot_bits(image_->text[pc], slot)));
  }
  if (plan.taken) plan.late = {};
  return plan;
}

IssuePlan& IssuePlans::keep(std::uint32_t pc, const golden::BundlePlan& decoded,
                            golden::EnabledSlots enabled, const IssuePlan& plan) {
  if (first_[pc] == 0) {
    first_[pc] = static_cast<std::uint32_t>(variants_.size());
    variants_.resize(variants_.size() + (std::size_t{1} << decoded.guards));
  }
  variants_[first_[pc] + enabled.variant] = static_cast<std::uint32_t>(plans_.size());
  plans_.push_back(plan);
  return plans_.back();
}

// ---- snapshots ----

// The plans in order, each with its bundle: the one whose variants begin last before it in the
// table.
std::vector<IssuePlans::Origin> IssuePlans::origins() const {
  std::vector<Origin> result(plans_.size());
  for (std::size_t i = 1; i < plans_.size(); ++i) {
    result[i] = {0, plans_[i].enabled, (plans_[i].uses & use_broken) != 0, plans_[i].issued};
  }
  std::map<std::uint32_t, std::uint32_t> begins;  // in variants_: whose
  for (std::uint32_t pc = 0; pc < first_.size(); ++pc) {
    if (first_[pc] != 0) begins.emplace(first_[pc], pc);
  }
  for (std::uint32_t at = 0; at < variants_.size(); ++at) {
    if (variants_[at] != 0) result[variants_[at]].pc = std::prev(begins.upper_bound(at))->second;
  }
  return result;
}

// Whether the text has such a bundle.
bool IssuePlans::can_be(const Origin& plan) const {
  if (plan.pc >= image_->text.size() || plan.enabled >> slot_count != 0) return false;
  for (std::size_t i = 0; i < slot_count && !plan.traps; ++i) {
    const auto slot = static_cast<Slot>(i);
    const bool enabled = ((plan.enabled >> i) & 1U) != 0;
    if (enabled && !decode(slot, slot_bits(image_->text[plan.pc], slot))) return false;
  }
  return true;
}

void IssuePlans::archive(ArchiveWriter& archive) {
  std::vector<Origin> plans = origins();
  archive(first_, variants_, plans);
}

void IssuePlans::archive(ArchiveReader& archive) {
  constexpr std::uint32_t most_variants = 1U << slot_count;
  std::vector<Origin> plans;
  archive(fixed(first_), variants_, plans);
  const auto outside = [](const std::vector<std::uint32_t>& places, std::size_t end) {
    return std::ranges::any_of(places, [end](std::uint32_t place) { return place >= end; });
  };
  if (plans.empty() || outside(variants_, plans.size())) {
    refuse_value(plans.size(), "the number of issue plans");
  }
  if (variants_.size() < most_variants || outside(first_, variants_.size())) {
    refuse_value(variants_.size(), "the number of variants of bundles");
  }
  plans_.assign(1, {});
  for (std::size_t i = 1; i < plans.size(); ++i) {
    if (!can_be(plans[i])) refuse_value(plans[i].pc, "the PC of an issue plan");
    plans_.push_back(make_plan(plans[i].pc, plans[i].enabled, plans[i].traps));
    plans_.back().issued = plans[i].issued;
  }
}

}  // namespace tandem
