// A machine as a platform embeds it: host registers, an interrupt, memory that belongs to the
// platform, and time in cycles. The one header of this project that the SystemC platform sees, so
// it is C++17, as are the two that it includes. Two machines can be inside:
//   make_cycle_core   the cycle-exact model (sim/)
//   make_rtl_core     the Verilated RTL (cosim/verilated/rtl_core.hpp)
//
// A core does nothing by itself. While active() the platform gives it cycles with advance(); its
// memory accesses, at the port, happen within that call. Calls must not be nested: the port must
// not call back into the core.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

#include "isa/state/memory_port.hpp"
#include "sim/memory/memory_timing.hpp"

namespace tandem {

struct TpuCoreOptions {
  std::string preset = "small";   // nano, small, edge or full
  MemoryTimingParameters memory;  // how long the platform's memory takes, in cycles
  std::uint32_t seed = 1;         // of the contents of vector registers and scratchpads at a start
};

// An error, for the user: an unknown preset; a program whose result is not defined.
struct TpuCoreError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class TpuCore {
 public:
  virtual ~TpuCore() = default;

  // Register `number` (docs/registers.md; byte address 4 * number). Numbers that are not listed
  // read as zero and ignore writes. The launch registers must be set before a start; while the
  // machine runs only control, status and the interrupt registers may be written.
  [[nodiscard]] virtual std::uint32_t read_register(std::uint32_t number) = 0;
  virtual void write_register(std::uint32_t number, std::uint32_t value) = 0;

  // Whether cycles change anything: the machine runs, or its interrupt is still to be set after its
  // end.
  [[nodiscard]] virtual bool active() const = 0;
  // Lets at most `limit` cycles pass and returns how many did. Ends early after a cycle in which
  // the machine stopped or the interrupt changed, so that both have their exact time. Returns 0
  // when not active. Throws TpuCoreError.
  virtual std::uint64_t advance(std::uint64_t limit) = 0;
  // The level of the interrupt.
  [[nodiscard]] virtual bool interrupt() const = 0;
};

// The port must outlive the core. Throws TpuCoreError.
using TpuCoreFactory = std::unique_ptr<TpuCore> (*)(const TpuCoreOptions& options,
                                                    MemoryPort& memory);
std::unique_ptr<TpuCore> make_cycle_core(const TpuCoreOptions& options, MemoryPort& memory);

}  // namespace tandem
