#include "sim/systemc/example/memory.hpp"

#include <algorithm>
#include <cstring>

namespace tandem::example {

Memory::Memory(const sc_core::sc_module_name& name, std::size_t bytes)
    : sc_module(name), socket("socket"), bytes_(bytes) {
  socket.register_b_transport(this, &Memory::transport);
  socket.register_transport_dbg(this, &Memory::debug);
  socket.register_get_direct_mem_ptr(this, &Memory::grant);
}

void Memory::allow_dmi(bool allowed) {
  if (dmi_ && !allowed) socket->invalidate_direct_mem_ptr(0, bytes_.size() - 1);
  dmi_ = allowed;
}

void Memory::break_at(std::uint64_t first, std::uint64_t count) {
  broken_from_ = first;
  broken_count_ = count;
  allow_dmi(false);
}

void Memory::transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  ++transactions_;
  delay += delay_;
  if (wait_ != sc_core::SC_ZERO_TIME) wait(wait_);
  if (payload.get_byte_enable_ptr() != nullptr) {
    return payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  }
  const std::uint64_t address = payload.get_address();
  const bool broken =
      address < broken_from_ + broken_count_ && address + payload.get_data_length() > broken_from_;
  const bool done = !broken && debug(payload) == payload.get_data_length();
  payload.set_response_status(done ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
  payload.set_dmi_allowed(done && dmi_);
}

unsigned Memory::debug(tlm::tlm_generic_payload& payload) {
  const std::uint64_t address = payload.get_address();
  const unsigned length = payload.get_data_length();
  if (length > bytes_.size() || address > bytes_.size() - length) return 0;
  unsigned char* here = bytes_.data() + address;
  if (payload.is_read()) {
    std::memcpy(payload.get_data_ptr(), here, length);
  } else {
    std::memcpy(here, payload.get_data_ptr(), length);
  }
  return length;
}

bool Memory::grant(tlm::tlm_generic_payload&, tlm::tlm_dmi& grant) {
  grant.set_start_address(0);
  grant.set_end_address(bytes_.size() - 1);
  grant.set_dmi_ptr(bytes_.data());
  grant.allow_read_write();
  return dmi_;
}

}  // namespace tandem::example
