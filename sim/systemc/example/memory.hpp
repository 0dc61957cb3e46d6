// Memory of the platform: answers immediately; grants DMI to its whole range unless that is turned
// off.
#pragma once

#include <tlm.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstddef>
#include <cstdint>
#include <systemc>
#include <vector>

namespace tandem::example {

class Memory final : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<Memory> socket;

  Memory(const sc_core::sc_module_name& name, std::size_t bytes);

  // Revokes granted ranges when turned off.
  void allow_dmi(bool allowed);
  // Annotated to every transaction.
  void set_delay(const sc_core::sc_time& delay) { delay_ = delay; }
  // A delay that is waited for, which the machines do not allow.
  void set_wait(const sc_core::sc_time& time) { wait_ = time; }
  // Accesses that touch [first, first + count) are refused.
  void break_at(std::uint64_t first, std::uint64_t count);
  // Transactions so far, without DMI.
  [[nodiscard]] std::uint64_t transactions() const { return transactions_; }

 private:
  void transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned debug(tlm::tlm_generic_payload& payload);
  bool grant(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& grant);

  std::vector<unsigned char> bytes_;
  bool dmi_ = true;
  sc_core::sc_time delay_;
  sc_core::sc_time wait_;
  std::uint64_t broken_from_ = 0;
  std::uint64_t broken_count_ = 0;
  std::uint64_t transactions_ = 0;
};

}  // namespace tandem::example
