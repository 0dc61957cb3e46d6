#include "sim/issue_plan.hpp"

#include "isa/encoding.hpp"
#include "isa/golden/decode.hpp"
#include "isa/timing.hpp"

namespace tandem {
namespace {

// Fills a plan slot by slot.
class Planner {
 public:
  explicit Planner(IssuePlan& plan) : plan_(plan) {}

  void slot(Slot slot, const Operation& operation) {
    const Instruction& row = instruction(operation.op);
    for (std::size_t i = 0; i < row.operands.count; ++i) {
      read(*row.operands.items[i], operation.operands[i]);
    }
    keep_fields(slot, operation);
    plan_.uses |= uses_of(slot, operation);
    const auto written = destination(operation);
    if (written) write(slot, row.latency, *written);
  }

 private:
  void read(const Operand& operand, const OperandValue& value) {
    const auto name = source(operand, value);
    if (!name) return;
    switch (name->file) {
      case RegisterFile::s: plan_.s_touched |= 1U << name->index; break;
      case RegisterFile::m: plan_.m_reads |= static_cast<std::uint8_t>(1U << name->index); break;
      case RegisterFile::v: plan_.v_reads |= std::uint64_t{1} << name->index; break;
      case RegisterFile::p: break;  // always there
    }
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

  // What an instruction asks of its unit follows from its latency class; for the rest see op_uses.
  static std::uint32_t uses_of(Slot slot, const Operation& operation) {
    switch (instruction(operation.op).latency) {
      case Latency::load: return use_load | (operation.op == Op::vldc ? use_column : 0U);
      case Latency::store: return use_store;
      case Latency::push: return use_push | (operation.op == Op::mxpusht ? use_transposed : 0U);
      case Latency::multiply: return use_multiply;
      case Latency::acc_read: return use_acc_read;
      case Latency::eup: return use_eup;
      case Latency::xlu: return use_xlu;
      case Latency::copy: return use_copy;
      case Latency::wait: return use_wait;
      case Latency::scalar:
      case Latency::scalar_load: return slot == Slot::sb ? sb_uses(operation) : 0U;
      case Latency::control: return control_uses(operation.op);
      case Latency::valu: return 0;
    }
    return 0;
  }

  static std::uint32_t sb_uses(const Operation& operation) {
    const bool retires = operation.op == Op::sst || destination(operation).has_value();
    std::uint32_t uses = retires ? use_scalar_event : 0U;
    if (operation.op == Op::csr) {
      const auto number = static_cast<std::uint32_t>(operation.operands[1].value);
      if (find_register(number)->is_volatile) uses |= use_volatile_csr;
    }
    return uses;
  }

  static std::uint32_t control_uses(Op op) {
    if (op == Op::br || op == Op::call || op == Op::jump || op == Op::ret) return use_taken;
    if (op == Op::halt) return use_halt;
    if (op == Op::idle) return use_idle;
    if (op == Op::marker) return use_marker;
    if (op == Op::fadd) return use_flag_add;
    if (op == Op::fset) return use_flag_set;
    return 0;  // trap
  }

  // Predicates and results of the scalar ALU land in the issue cycle: nobody waits for them, but
  // they wait for an older result of the same register.
  void write(Slot slot, Latency latency, RegisterName name) {
    if (name.file == RegisterFile::s) plan_.s_touched |= 1U << name.index;
    if (name.file == RegisterFile::v) plan_.v_writes |= std::uint64_t{1} << name.index;
    switch (latency) {
      case Latency::scalar_load: return land(name, Pending::scalar, timing::scalar_load);
      case Latency::valu:
        return land(name, name.file == RegisterFile::v ? Pending::vector : Pending::scalar,
                    timing::valu);
      case Latency::load: return land(name, Pending::vector, timing::load, slot == Slot::ld);
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
  void land(RegisterName name, Pending by, std::uint32_t latency, bool load = false) {
    plan_.landings[plan_.landing_count++] = {name.file, name.index, by,
                                             static_cast<std::uint8_t>(latency), load};
  }

  IssuePlan& plan_;
};

}  // namespace

IssuePlans::IssuePlans(const Image& image) : image_(&image), first_(image.text.size()), plans_(1) {}

std::uint16_t IssuePlans::enabled(std::uint32_t pc, const std::uint8_t* predicates) const {
  return golden::enabled_slots(image_->text[pc], predicates);
}

IssuePlan& IssuePlans::add(std::uint32_t pc, std::uint16_t enabled, bool broken) {
  IssuePlan plan;
  plan.pc = pc;
  plan.enabled = enabled;
  plan.next = first_[pc];
  if (broken) plan.uses = use_broken;
  Planner planner(plan);
  for (std::size_t i = 0; i < slot_count && !broken; ++i) {
    const auto slot = static_cast<Slot>(i);
    if (((enabled >> i) & 1U) == 0) continue;
    planner.slot(slot, *decode(slot, slot_bits(image_->text[pc], slot)));
  }
  first_[pc] = static_cast<std::uint32_t>(plans_.size());
  plans_.push_back(plan);
  return plans_.back();
}

}  // namespace tandem
