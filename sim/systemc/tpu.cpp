#include "sim/systemc/tpu.hpp"

#include <algorithm>
#include <cstring>

namespace tandem {
namespace {

constexpr std::uint64_t word_bytes = 4;
constexpr std::uint64_t window_bytes = 4096;  // register numbers have 10 bits
// Stack space for a Verilated machine, whose locals are as wide as its registers.
constexpr std::size_t stack_bytes = std::size_t{4} << 20U;

// Why an access is refused, or OK.
tlm::tlm_response_status check_access(const tlm::tlm_generic_payload& payload) {
  const auto command = payload.get_command();
  if (command != tlm::TLM_READ_COMMAND && command != tlm::TLM_WRITE_COMMAND) {
    return tlm::TLM_COMMAND_ERROR_RESPONSE;
  }
  if (payload.get_address() >= window_bytes) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  if (payload.get_byte_enable_ptr() != nullptr) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  if (payload.get_data_length() != word_bytes || payload.get_streaming_width() < word_bytes ||
      payload.get_address() % word_bytes != 0) {
    return tlm::TLM_BURST_ERROR_RESPONSE;
  }
  return tlm::TLM_OK_RESPONSE;
}

std::uint32_t register_of(const tlm::tlm_generic_payload& payload) {
  return static_cast<std::uint32_t>(payload.get_address() / word_bytes);
}

}  // namespace

TpuQuantum::TpuQuantum(const TpuConfig& config)
    : period_(config.period), exact_(config.timing == TpuTiming::cycle_exact) {}

sc_core::sc_time TpuQuantum::compute_local_quantum() {
  return exact_ ? period_ : tlm_quantumkeeper::compute_local_quantum();
}

std::uint64_t TpuQuantum::cycles_left() const {
  const sc_core::sc_time now = get_current_time();
  if (m_next_sync_point <= now) return 1;
  return std::max<std::uint64_t>(1, (m_next_sync_point - now).value() / period_.value());
}

Tpu::Tpu(const sc_core::sc_module_name& name, const TpuConfig& config)
    : sc_module(name),
      registers("registers"),
      memory("memory"),
      interrupt("interrupt"),
      bus_(memory),
      core_(config.core(config.options, bus_)),
      period_(config.period),
      quantum_(config),
      level_due_("level_due") {
  registers.register_b_transport(this, &Tpu::access);
  registers.register_transport_dbg(this, &Tpu::look);
  SC_THREAD(run);
  set_stack_size(stack_bytes);
  SC_METHOD(drive_interrupt);
  sensitive << level_due_;
  dont_initialize();
}

void Tpu::run() {
  for (;;) {
    while (!core_->active()) wait(active_);
    quantum_.reset();
    inside_core_ = true;
    std::uint64_t cycles = 0;
    try {
      cycles = core_->advance(quantum_.cycles_left());
    } catch (const TpuCoreError& error) {
      SC_REPORT_ERROR("/tandem/tpu/core", error.what());
      return;  // if errors are only recorded, the machine does nothing from now on
    }
    inside_core_ = false;
    quantum_.inc(static_cast<double>(cycles) * period_);
    own_time_ = quantum_.get_current_time();
    note_interrupt();
    quantum_.sync();
  }
}

void Tpu::note_interrupt() {
  const bool level = core_->interrupt();
  if (level == last_level_) return;
  last_level_ = level;
  levels_.push_back(level);
  level_due_.notify(ahead());
}

sc_core::sc_time Tpu::ahead() const {
  const sc_core::sc_time& now = sc_core::sc_time_stamp();
  return own_time_ > now ? own_time_ - now : sc_core::SC_ZERO_TIME;
}

void Tpu::drive_interrupt() {
  interrupt.write(levels_.front());
  levels_.pop_front();
}

void Tpu::access(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const tlm::tlm_response_status status = check_access(payload);
  payload.set_response_status(status);
  if (status != tlm::TLM_OK_RESPONSE) return;
  if (delay != sc_core::SC_ZERO_TIME) wait(delay);
  delay = ahead() + period_;
  if (inside_core_) {
    SC_REPORT_ERROR("/tandem/tpu/wait", "a register is accessed while the memory side waits");
  }
  if (payload.is_read()) {
    const std::uint32_t value = core_->read_register(register_of(payload));
    std::memcpy(payload.get_data_ptr(), &value, word_bytes);
  } else {
    std::uint32_t value = 0;
    std::memcpy(&value, payload.get_data_ptr(), word_bytes);
    write(register_of(payload), value);
  }
}

void Tpu::write(std::uint32_t number, std::uint32_t value) {
  const bool was_active = core_->active();
  core_->write_register(number, value);
  note_interrupt();
  if (was_active || !core_->active()) return;
  // It starts after the cycle of the write.
  own_time_ = sc_core::sc_time_stamp() + period_;
  active_.notify(period_);
}

// Registers have no side effects when read; writes by a debugger are refused.
unsigned Tpu::look(tlm::tlm_generic_payload& payload) {
  if (inside_core_ || !payload.is_read()) return 0;
  if (check_access(payload) != tlm::TLM_OK_RESPONSE) return 0;
  const std::uint32_t value = core_->read_register(register_of(payload));
  std::memcpy(payload.get_data_ptr(), &value, word_bytes);
  return word_bytes;
}

}  // namespace tandem
