#include "sim/systemc/example/host.hpp"

#include <stdexcept>
#include <string>
#include <utility>

namespace tandem::example {

// Register accesses reach into a machine: docs/systemc.md, "Stacks".
constexpr std::size_t stack_bytes = std::size_t{4} << 20U;

Host::Host(const sc_core::sc_module_name& name, std::size_t machines, Job job)
    : sc_module(name), bus("bus"), interrupts("interrupts", machines), job_(std::move(job)) {
  SC_THREAD(run);
  set_stack_size(stack_bytes);
}

void Host::run() {
  job_(*this);
  sc_core::sc_stop();
}

std::uint32_t Host::read_word(std::uint64_t address) {
  std::uint32_t value = 0;
  read(address, &value, sizeof value);
  return value;
}

void Host::write_word(std::uint64_t address, std::uint32_t value) {
  write(address, &value, sizeof value);
}

void Host::read(std::uint64_t address, void* bytes, std::size_t count) {
  transport(tlm::TLM_READ_COMMAND, address, static_cast<unsigned char*>(bytes), count);
}

void Host::write(std::uint64_t address, const void* bytes, std::size_t count) {
  // A target does not write to the bytes of a write, though the payload would let it.
  auto* data = const_cast<unsigned char*>(static_cast<const unsigned char*>(bytes));
  transport(tlm::TLM_WRITE_COMMAND, address, data, count);
}

void Host::transport(tlm::tlm_command command, std::uint64_t address, unsigned char* bytes,
                     std::size_t count) {
  tlm::tlm_generic_payload payload;
  payload.set_command(command);
  payload.set_address(address);
  payload.set_data_ptr(bytes);
  payload.set_data_length(static_cast<unsigned>(count));
  payload.set_streaming_width(static_cast<unsigned>(count));
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  bus->b_transport(payload, delay);
  if (delay != sc_core::SC_ZERO_TIME) wait(delay);
  if (!payload.is_response_ok()) {
    throw std::runtime_error("host: " + payload.get_response_string() + " at address " +
                             std::to_string(address));
  }
}

void Host::wait_for_interrupt(std::size_t machine) {
  while (!interrupts[machine].read()) wait(interrupts[machine].value_changed_event());
}

}  // namespace tandem::example
