// The machine as a TLM-2.0 module. How to embed it, and what each timing promises:
// docs/systemc.md.
#pragma once

#include <tlm.h>
#include <tlm_utils/simple_target_socket.h>
#include <tlm_utils/tlm_quantumkeeper.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <systemc>

#include "sim/platform/tpu_core.hpp"
#include "sim/systemc/bus_master.hpp"

namespace tandem {

enum class TpuTiming : std::uint8_t {
  loosely_timed,  // runs ahead of SystemC's time by up to the global quantum
  cycle_exact,    // cycle by cycle, whatever the quantum
};

struct TpuConfig {
  TpuCoreFactory core = nullptr;  // what is inside: make_cycle_core, or make_rtl_core
  TpuCoreOptions options;
  sc_core::sc_time period{1, sc_core::SC_NS};  // of a cycle
  TpuTiming timing = TpuTiming::loosely_timed;
};

// The next synchronisation point, one period away for a cycle-exact machine.
class TpuQuantum final : public tlm_utils::tlm_quantumkeeper {
 public:
  explicit TpuQuantum(const TpuConfig& config);
  // Whole cycles up to the synchronisation point, at least one.
  [[nodiscard]] std::uint64_t cycles_left() const;

 private:
  sc_core::sc_time compute_local_quantum() override;

  sc_core::sc_time period_;
  bool exact_;
};

class Tpu final : public sc_core::sc_module {
 public:
  // Register n at byte address 4 n, as docs/registers.md lists them: accesses of one aligned word,
  // anything else is refused. An access takes a period, which is annotated. A machine that has run
  // ahead answers for its own time and annotates the difference too, so that the initiator's time
  // is never earlier than the state that it was given.
  tlm_utils::simple_target_socket<Tpu> registers;
  // Text, data and copies.
  BusMaster::Socket memory;
  // Level: a halt or trap that is enabled and pending.
  sc_core::sc_out<bool> interrupt;

  // Reports errors (SC_REPORT_ERROR) of its core under /tandem/tpu/core.
  Tpu(const sc_core::sc_module_name& name, const TpuConfig& config);

 private:
  SC_HAS_PROCESS(Tpu);

  void run();              // thread: gives the core its cycles
  void drive_interrupt();  // method: the one that writes the port
  void access(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void write(std::uint32_t number, std::uint32_t value);
  unsigned look(tlm::tlm_generic_payload& payload);
  // After every call that may have changed the level; the core is at own_time_.
  void note_interrupt();
  // How far the core is ahead of SystemC.
  [[nodiscard]] sc_core::sc_time ahead() const;

  BusMaster bus_;
  std::unique_ptr<TpuCore> core_;
  sc_core::sc_time period_;
  TpuQuantum quantum_;
  sc_core::sc_time own_time_;  // up to which the core has run; in the past when it is idle
  bool inside_core_ = false;   // a bus that waits would let others run
  sc_core::sc_event active_;
  // Levels on their way to the port, each with a notification at its time.
  std::deque<bool> levels_;
  sc_core::sc_event_queue level_due_;
  bool last_level_ = false;
};

}  // namespace tandem
