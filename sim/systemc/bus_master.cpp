#include "sim/systemc/bus_master.hpp"

#include <algorithm>
#include <cstring>

namespace tandem {

BusMaster::BusMaster(Socket& socket) : socket_(socket) {
  socket_.register_invalidate_direct_mem_ptr(this, &BusMaster::forget);
}

bool BusMaster::read(std::uint64_t address, std::uint8_t* bytes, std::size_t count) {
  if (const unsigned char* from = granted(tlm::TLM_READ_COMMAND, address, count)) {
    std::memcpy(bytes, from, count);
    return true;
  }
  return transport(tlm::TLM_READ_COMMAND, address, bytes, count);
}

bool BusMaster::write(std::uint64_t address, const std::uint8_t* bytes, std::size_t count) {
  if (unsigned char* to = granted(tlm::TLM_WRITE_COMMAND, address, count)) {
    std::memcpy(to, bytes, count);
    return true;
  }
  // A payload has one pointer for both directions; a target does not write to it here.
  return transport(tlm::TLM_WRITE_COMMAND, address, const_cast<unsigned char*>(bytes), count);
}

unsigned char* BusMaster::granted(tlm::tlm_command command, std::uint64_t address,
                                  std::size_t count) const {
  const auto covers = [=](const Region& region) {
    const bool allowed = command == tlm::TLM_READ_COMMAND ? region.readable : region.writable;
    return allowed && address >= region.first && address <= region.last &&
           count - 1 <= region.last - address;
  };
  const auto found = std::find_if(regions_.begin(), regions_.end(), covers);
  return found == regions_.end() ? nullptr : found->bytes + (address - found->first);
}

bool BusMaster::transport(tlm::tlm_command command, std::uint64_t address, unsigned char* bytes,
                          std::size_t count) {
  tlm::tlm_generic_payload payload;
  payload.set_command(command);
  payload.set_address(address);
  payload.set_data_ptr(bytes);
  payload.set_data_length(static_cast<unsigned>(count));
  payload.set_streaming_width(static_cast<unsigned>(count));
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  const sc_dt::uint64 deltas = sc_core::sc_delta_count();
  socket_->b_transport(payload, delay);
  check_time(deltas, delay);
  if (!payload.is_response_ok()) return false;
  if (payload.is_dmi_allowed()) ask_for_region(payload);
  return true;
}

void BusMaster::check_time(sc_dt::uint64 deltas_before, const sc_core::sc_time& delay) {
  if (sc_core::sc_delta_count() != deltas_before) {
    SC_REPORT_ERROR("/tandem/tpu/wait", "the memory side waited inside b_transport");
  }
  if (delay == sc_core::SC_ZERO_TIME || warned_) return;
  warned_ = true;
  SC_REPORT_WARNING("/tandem/tpu/delay",
                    "delays that bus and memory annotate are not added; the machine's own memory "
                    "timing (TpuCoreOptions::memory) stands for them");
}

void BusMaster::ask_for_region(tlm::tlm_generic_payload& payload) {
  tlm::tlm_dmi grant;
  if (!socket_->get_direct_mem_ptr(payload, grant)) return;
  regions_.push_back({grant.get_start_address(), grant.get_end_address(), grant.get_dmi_ptr(),
                      grant.is_read_allowed(), grant.is_write_allowed()});
}

void BusMaster::forget(sc_dt::uint64 first, sc_dt::uint64 last) {
  const auto overlaps = [=](const Region& region) {
    return region.first <= last && first <= region.last;
  };
  regions_.erase(std::remove_if(regions_.begin(), regions_.end(), overlaps), regions_.end());
}

}  // namespace tandem
