// The host: a thread with a bus port and an interrupt line from each machine.
#pragma once

#include <tlm.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <systemc>

namespace tandem::example {

class Host final : public sc_core::sc_module {
 public:
  using Job = std::function<void(Host&)>;

  tlm_utils::simple_initiator_socket<Host> bus;
  sc_core::sc_vector<sc_core::sc_in<bool>> interrupts;

  // Runs `job` in a thread, then ends the simulation. Its exceptions come out of sc_start().
  Host(const sc_core::sc_module_name& name, std::size_t machines, Job job);

  // For the job. Each access waits until it is done in simulated time; a bus error throws
  // std::runtime_error.
  std::uint32_t read_word(std::uint64_t address);
  void write_word(std::uint64_t address, std::uint32_t value);
  void read(std::uint64_t address, void* bytes, std::size_t count);
  void write(std::uint64_t address, const void* bytes, std::size_t count);
  // Waits for SystemC's processes: an interrupt line, or time to pass.
  void wait_for_interrupt(std::size_t machine);
  void pass(const sc_core::sc_time& time) { wait(time); }

 private:
  SC_HAS_PROCESS(Host);
  void run();
  void transport(tlm::tlm_command command, std::uint64_t address, unsigned char* bytes,
                 std::size_t count);

  Job job_;
};

}  // namespace tandem::example
