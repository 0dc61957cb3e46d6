// Memory accesses of one machine as TLM-2.0 transactions: DMI where it is granted, b_transport
// otherwise.
//
// Time is up to the machine (its memory timing covers bus and memory), so a target must answer
// without waiting, and a delay that it annotates is not added; the first such delay is reported as
// a warning, /tandem/tpu/delay.
#pragma once

#include <tlm.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <systemc>
#include <vector>

#include "sim/platform/tpu_core.hpp"

namespace tandem {

class BusMaster final : public MemoryPort {
 public:
  using Socket = tlm_utils::simple_initiator_socket<BusMaster>;

  // Uses the socket, which must outlive it.
  explicit BusMaster(Socket& socket);

  bool read(std::uint64_t address, std::uint8_t* bytes, std::size_t count) override;
  bool write(std::uint64_t address, const std::uint8_t* bytes, std::size_t count) override;

 private:
  // Granted memory, both ends included.
  struct Region {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    unsigned char* bytes = nullptr;
    bool readable = false;
    bool writable = false;
  };
  // The granted bytes at an address, or nullptr unless all `count` are granted for that command.
  unsigned char* granted(tlm::tlm_command command, std::uint64_t address, std::size_t count) const;
  bool transport(tlm::tlm_command command, std::uint64_t address, unsigned char* bytes,
                 std::size_t count);
  void check_time(sc_dt::uint64 deltas_before, const sc_core::sc_time& delay);
  void ask_for_region(tlm::tlm_generic_payload& payload);
  void forget(sc_dt::uint64 first, sc_dt::uint64 last);

  Socket& socket_;
  std::vector<Region> regions_;
  bool warned_ = false;
};

}  // namespace tandem
