#include "sim/platform/host_registers.hpp"

#include "isa/registers/registers.hpp"
#include "isa/start_copy.hpp"

namespace tandem {
namespace {

enum : std::uint32_t {
#define REGISTER(name, number, host, readable, kind, meaning) number_##name = (number),
#include "isa/registers/registers.def"
#undef REGISTER
};

enum : std::uint32_t {
#define REGISTER_BIT(register_name, name, bit, meaning) register_name##_##name = 1U << (bit),
#include "isa/registers/register_bits.def"
#undef REGISTER_BIT
};

}  // namespace

std::optional<std::uint32_t> HostRegisters::read(std::uint32_t number) const {
  switch (number) {
    case number_id: return 0x444e4154;
    case number_version: return 1;
    case number_status: return status();
    case number_interrupt_enable: return enabled();
    case number_interrupt_pending: return pending_;
    case number_trap_cause: return trap_cause();
    case number_trap_pc: return end_.trap ? end_.trap_pc : 0;
    case number_trap_detail: return end_.trap ? end_.trap.detail : 0;
    case number_control:
    case number_start_copy:
    case number_core_id:
    case number_chip: return 0;
    case number_chips: return 1;
    case number_lanes: return parameters_->lanes;
    case number_sublane_count: return sublanes;
    case number_vmem_rows: return parameters_->vmem_rows();
    case number_smem_words: return parameters_->smem_words();
    case number_icache_bundles: return parameters_->icache_bundles;
    default: break;
  }
  const Register* row = find_register(number);
  if (row == nullptr || row->host != HostAccess::rw) return std::nullopt;
  return words_.at(number);
}

void HostRegisters::write(std::uint32_t number, std::uint32_t value) {
  const Register* row = find_register(number);
  if (row == nullptr) return;
  switch (row->host) {
    case HostAccess::rw: words_.at(number) = value; return;
    case HostAccess::w1c:
      if (number == number_status && (value & status_start_error) != 0) error_ = false;
      if (number == number_interrupt_pending) pending_ &= ~value;
      return;
    case HostAccess::wo:
      if (number == number_start_copy) take_word_of_start_copy(value);
      return;
    case HostAccess::ro: return;
  }
}

// The last word queues the copy, or has it refused.
void HostRegisters::take_word_of_start_copy(std::uint32_t value) {
  if (running_) {
    error_ = true;
    return;
  }
  start_copy_[start_copy_words_++] = value;
  if (start_copy_words_ != descriptor_words) return;
  start_copy_words_ = 0;
  if (start_copies_.size() < most_start_copies && start_copy_trouble(start_copy_).empty() &&
      start_copy_fits(start_copy_, hbm_bytes(), parameters_->vmem_bytes)) {
    start_copies_.push_back(start_copy_);
  } else {
    error_ = true;
  }
}

std::uint64_t HostRegisters::text_address() const { return pair(number_text_lo); }
std::uint32_t HostRegisters::text_bundles() const { return words_[number_text_bundles]; }
std::uint32_t HostRegisters::entry_pc() const { return words_[number_entry_pc]; }
std::uint64_t HostRegisters::argument_pointer() const { return pair(number_arg_lo); }
std::uint32_t HostRegisters::argument_words() const { return words_[number_arg_words]; }
std::uint64_t HostRegisters::hbm_bytes() const { return pair(number_hbm_lo); }

bool HostRegisters::start() {
  if (running_) {
    error_ = true;
    return false;
  }
  running_ = true;
  start_copy_words_ = 0;
  end_ = {};
  return true;
}

void HostRegisters::taken() { start_copies_.clear(); }

void HostRegisters::end(const End& end) {
  running_ = false;
  end_ = end;
}

void HostRegisters::set_pending() {
  if (end_.halted) pending_ |= interrupt_pending_halt;
  if (end_.trap || end_.machine_check) pending_ |= interrupt_pending_trap;
}

std::uint32_t HostRegisters::enabled() const {
  return words_[number_interrupt_enable] & (interrupt_enable_halt | interrupt_enable_trap);
}

std::uint64_t HostRegisters::pair(std::uint32_t low) const {
  return words_[low] | std::uint64_t{words_[low + 1]} << 32U;
}

std::uint32_t HostRegisters::status() const {
  return (running_ ? status_running : 0U) | (end_.halted ? status_halted : 0U) |
         (end_.trap ? status_trapped : 0U) | (end_.machine_check ? status_machine_check : 0U) |
         (error_ ? status_start_error : 0U);
}

std::uint32_t HostRegisters::trap_cause() const {
  return static_cast<std::uint32_t>(end_.trap.cause) | static_cast<std::uint32_t>(end_.trap.slot)
                                                           << 8U;
}

}  // namespace tandem
