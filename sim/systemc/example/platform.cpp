#include "sim/systemc/example/platform.hpp"

#include <utility>

namespace tandem::example {

Platform::Platform(const sc_core::sc_module_name& name, const TpuConfig& config, Job job)
    : sc_module(name),
      memory("memory", memory_bytes),
      bus("bus"),
      host("host", machines, [this, job = std::move(job)](Host&) { job(*this); }),
      tpus("tpu", machines,
           [&config](const char* tpu, std::size_t) { return new Tpu(tpu, config); }),
      lines("line", machines) {
  bus.attach_target(0, memory_bytes).bind(memory.socket);
  host.bus.bind(bus.attach_initiator());
  for (std::size_t i = 0; i < machines; ++i) {
    bus.attach_target(registers_base + i * registers_bytes, registers_bytes)
        .bind(tpus[i].registers);
    tpus[i].memory.bind(bus.attach_initiator());
    tpus[i].interrupt(lines[i]);
    host.interrupts[i](lines[i]);
  }
}

Driver Platform::driver(std::size_t machine) {
  return {host, machine, registers_base + machine * registers_bytes, memory_bytes};
}

}  // namespace tandem::example
