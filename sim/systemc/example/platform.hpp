// Host, memory and two machines on one bus.
//
//     host            tpu0            tpu1
//      | ^ ^           | ^             | ^
//      | | +-interrupt-|-|-------------+ |
//      | +---interrupt-+ |               |
//     =+=======bus=====+=+=============+=+==   registers at 4 GiB and one page further
//                |
//              memory                          64 MiB at 0
#pragma once

#include <cstdint>
#include <functional>
#include <systemc>

#include "sim/systemc/example/bus.hpp"
#include "sim/systemc/example/driver.hpp"
#include "sim/systemc/example/host.hpp"
#include "sim/systemc/example/memory.hpp"
#include "sim/systemc/tpu.hpp"

namespace tandem::example {

inline constexpr std::uint64_t memory_bytes = std::uint64_t{64} << 20U;
inline constexpr std::uint64_t registers_base = std::uint64_t{1} << 32U;
inline constexpr std::uint64_t registers_bytes = 4096;
inline constexpr std::size_t machines = 2;

class Platform final : public sc_core::sc_module {
 public:
  using Job = std::function<void(Platform&)>;

  // The host runs `job`; the simulation ends with it.
  Platform(const sc_core::sc_module_name& name, const TpuConfig& config, Job job);

  // For the job.
  Driver driver(std::size_t machine);

  Memory memory;
  Bus bus;
  Host host;
  sc_core::sc_vector<Tpu> tpus;
  sc_core::sc_vector<sc_core::sc_signal<bool>> lines;
};

}  // namespace tandem::example
