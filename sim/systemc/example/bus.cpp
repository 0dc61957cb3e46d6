#include "sim/systemc/example/bus.hpp"

#include <algorithm>

namespace tandem::example {

Bus::Upstream& Bus::attach_initiator() {
  const int number = static_cast<int>(initiators_.size());
  Upstream& socket = initiators_.emplace_back(sc_core::sc_gen_unique_name("initiator"));
  socket.register_b_transport(this, &Bus::transport, number);
  socket.register_transport_dbg(this, &Bus::debug, number);
  socket.register_get_direct_mem_ptr(this, &Bus::grant, number);
  return socket;
}

Bus::Downstream& Bus::attach_target(std::uint64_t base, std::uint64_t bytes) {
  const int number = static_cast<int>(windows_.size());
  Window& window = windows_.emplace_back(base, bytes);
  window.socket.register_invalidate_direct_mem_ptr(this, &Bus::invalidate, number);
  return window.socket;
}

Bus::Window* Bus::window_of(const tlm::tlm_generic_payload& payload) {
  const std::uint64_t address = payload.get_address();
  const std::uint64_t length = payload.get_data_length();
  const auto holds = [=](const Window& window) {
    return address >= window.base && length <= window.bytes &&
           address - window.base <= window.bytes - length;
  };
  const auto found = std::find_if(windows_.begin(), windows_.end(), holds);
  return found == windows_.end() ? nullptr : &*found;
}

void Bus::transport(int, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  Window* window = window_of(payload);
  if (window == nullptr) return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  const std::uint64_t address = payload.get_address();
  payload.set_address(address - window->base);
  window->socket->b_transport(payload, delay);
  payload.set_address(address);
}

unsigned Bus::debug(int, tlm::tlm_generic_payload& payload) {
  Window* window = window_of(payload);
  if (window == nullptr) return 0;
  const std::uint64_t address = payload.get_address();
  payload.set_address(address - window->base);
  const unsigned count = window->socket->transport_dbg(payload);
  payload.set_address(address);
  return count;
}

bool Bus::grant(int, tlm::tlm_generic_payload& payload, tlm::tlm_dmi& grant) {
  Window* window = window_of(payload);
  if (window == nullptr) return false;
  const std::uint64_t address = payload.get_address();
  payload.set_address(address - window->base);
  const bool granted = window->socket->get_direct_mem_ptr(payload, grant);
  payload.set_address(address);
  // A target may grant more than its window shows.
  const std::uint64_t last = std::min<std::uint64_t>(grant.get_end_address(), window->bytes - 1);
  grant.set_start_address(grant.get_start_address() + window->base);
  grant.set_end_address(last + window->base);
  return granted;
}

void Bus::invalidate(int target, sc_dt::uint64 first, sc_dt::uint64 last) {
  const Window& window = windows_[static_cast<std::size_t>(target)];
  const std::uint64_t end = std::min<std::uint64_t>(last, window.bytes - 1);
  for (Upstream& initiator : initiators_) {
    initiator->invalidate_direct_mem_ptr(first + window.base, end + window.base);
  }
}

}  // namespace tandem::example
