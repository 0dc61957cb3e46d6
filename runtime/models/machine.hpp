// A machine that knows time and reports its events: the Verilated RTL, or a stand-in. Lockstep,
// runs and benchmarks see RTL only through this.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isa/launch/launch.hpp"
#include "isa/registers/registers.hpp"
#include "isa/state/memory.hpp"
#include "runtime/models/machine_events.hpp"
#include "sim/events/cycle_window.hpp"
#include "sim/events/timing_events.hpp"
#include "sim/memory/memory_timing.hpp"

namespace tandem {

class ArchiveReader;
class ArchiveWriter;
class CycleModel;
struct GroupLinks;

// A waveform of every signal of the RTL, while it runs in the window.
struct WaveOptions {
  std::string path;  // of the FST file; "": none
  CycleWindow window;
};

struct MachineOptions {
  MemoryTimingParameters memory;
  std::uint32_t reset_seed = 1;  // of hidden RTL state, and of the length of the reset
  WaveOptions wave{};
};

// Architectural state by pointer, word order as in docs/reference.md. Valid until the next cycle.
struct MachineState {
  const std::uint32_t* scalars = nullptr;          // 32
  const std::uint32_t* flags = nullptr;            // 32
  std::uint8_t predicates = 0;                     // bit per register
  const std::uint32_t* masks = nullptr;            // 64 L bits, register m from bit 8 L m
  const std::uint32_t* vectors = nullptr;          // 64 * 8 L
  const std::uint32_t* accumulators = nullptr;     // 64 * 8 L
  const std::uint16_t* weights_active = nullptr;   // L * L
  const std::uint16_t* weights_filling = nullptr;  // L * L
  const std::uint32_t* vmem = nullptr;             // vmem_words
  const std::uint32_t* smem = nullptr;             // smem_words
};

// The register values that the host reads once the machine has stopped.
struct MachineStatus {
  bool halted = false;
  bool trapped = false;
  bool machine_check = false;
  std::uint32_t trap_cause = 0;  // register trap_cause: cause | slot << 8
  std::uint32_t trap_pc = 0;
  std::uint32_t trap_detail = 0;
};

class Machine {
 public:
  virtual ~Machine() = default;
  // Its name in `tandem lockstep --models`.
  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual const Parameters& parameters() const = 0;
  // Timing of the memory from the next power-up on, in place of the one that the machine was
  // created with.
  virtual void set_memory(const MemoryTimingParameters& memory) = 0;
  // The seed of hidden state at the next power-up, likewise; most machines have none.
  virtual void set_reset_seed(std::uint32_t) {}
  // Powers up: an empty HBM of this size, seeded patterns. Then it waits for a start.
  virtual void power_up(std::uint64_t hbm_bytes, std::uint32_t seed) = 0;
  // Loads the launch, writes the host registers and starts the machine (again), which must have
  // stopped or just been powered up. The launch must have been made for these parameters and
  // outlive the run.
  virtual void start(const Launch& launch) = 0;
  // From the next start on `sink` gets the timing events; nullptr, the default, disables them at no
  // cost. The sink must outlive the run.
  virtual void set_timing(TimingSink* sink) = 0;

  // Right after a start, for the launch of one chip of several: until the next start these are its
  // links. It then does not stop before their traffic has ended. It must not run further than
  // others can be seen: for a link's latency at a time. False: this kind of machine has no links.
  virtual bool tie(GroupLinks&) { return false; }
  // In a group: the program has not ended; and no copy or link transfer is in flight here.
  [[nodiscard]] virtual bool program_runs() const { return false; }
  [[nodiscard]] virtual bool still() const { return true; }
  // The cycle-exact model inside, if it is one.
  [[nodiscard]] virtual CycleModel* cycle_model() { return nullptr; }
  // One clock cycle, or all up to and including the next in which a bundle issues; its events go to
  // `sink` unless that is nullptr. Returns false once the machine has stopped and all events have
  // been given.
  virtual bool cycle(EventSink* sink) = 0;
  // Calls cycle() until this cycle is done or the machine has stopped, and returns its result. A
  // machine that can run on without a break need not finish the bundle that waits in the last
  // cycle.
  virtual bool run_through(std::uint64_t cycle, EventSink* sink) {
    while (cycles() <= cycle) {
      if (!this->cycle(sink)) return false;
    }
    return true;
  }

  [[nodiscard]] virtual std::uint64_t cycles() const = 0;   // since start
  [[nodiscard]] virtual std::uint64_t bundles() const = 0;  // issued, including the trapping one
  // Incremented whenever memory takes or gives a beat: distinguishes a slow copy from a dead
  // machine.
  [[nodiscard]] virtual std::uint64_t memory_beats() const = 0;
  [[nodiscard]] virtual StallCause cause() const = 0;  // of the last cycle
  [[nodiscard]] virtual MachineState state() const = 0;
  // The words of VMEM alone, as in state(), without the cost of the rest.
  [[nodiscard]] virtual const std::uint32_t* vmem() const { return state().vmem; }
  // `count` words of SMEM from `first` on, likewise; valid until the next such call.
  [[nodiscard]] virtual const std::uint32_t* smem(std::uint32_t first, std::uint32_t count) const {
    static_cast<void>(count);
    return state().smem + first;
  }
  [[nodiscard]] virtual const SparseMemory& hbm() const = 0;
  // For the host, while the machine does not run.
  [[nodiscard]] virtual SparseMemory& host_memory() = 0;
  // Once stopped.
  [[nodiscard]] virtual MachineStatus status() = 0;
  // A host register by number (isa/registers/registers.def, counters.def), at any time.
  [[nodiscard]] virtual std::uint32_t read_register(std::uint32_t number) = 0;
  // The performance counters as the registers read now: sums over the cycles so far.
  [[nodiscard]] virtual CounterValues counters();

  // Everything that future cycles depend on (isa/archive/archive.hpp) except HBM, which is
  // host_memory(), and sinks. Restoring requires a machine that was powered up in the same way; it
  // need not have been started. If it fails, it throws SnapshotError, and the machine must be
  // powered up again. A kind of machine that supports neither throws immediately.
  virtual void save_to(ArchiveWriter& archive);
  virtual void restore_from(ArchiveReader& archive);
  // A digest of its sources, for RTL only: snapshots can be moved between machines of the same
  // digest.
  [[nodiscard]] virtual std::string_view sources() const { return {}; }
  // The registers of RTL by name (cosim/verilated/verilated_members.hpp), else nothing: to check
  // whether two machines of the same sources are in the same state.
  virtual void save_registers(ArchiveWriter&) {}
};

// For most runs: power up, then start.
inline void power_up_and_start(Machine& machine, const Launch& launch) {
  machine.power_up(launch.hbm_bytes, launch.seed);
  machine.start(launch);
}

// Cycles as the machine itself counted them, from start to end, once it has stopped; a machine
// without that counter gives its own cycles().
std::uint64_t counted_cycles(Machine& machine);

}  // namespace tandem
