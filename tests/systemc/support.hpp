// Platforms for tests: one simulation each, in a SystemC context of its own.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sim/systemc/example/platform.hpp"

namespace tandem::test {

using example::Driver;
using example::Ending;
using example::Platform;
using example::Program;
namespace bit = example::bit;
namespace reg = example::reg;

inline constexpr std::uint64_t text_address = 0x10000;

// The possible insides, by name (rtl, cycle), on a small machine with fast memory.
TpuConfig machine(const std::string& inside, TpuTiming timing);
// Every kind of machine and timing.
std::vector<TpuConfig> all_machines();
// "cycle", and "rtl" where the build has it.
std::vector<std::string> insides();
// Whether the build has the RTL; if not, the test reports it.
bool needs_rtl();

// A nano program.
Program program(const std::string& text);
// The descriptor of a copy in SMEM words 0..15, then code that fills it and starts it: `bytes` from
// HBM `source` to SMEM word `word`, waited for as the `count`th of flag 0; or back.
std::string copy_in(std::uint64_t source, unsigned word, unsigned bytes, unsigned count);
std::string copy_out(unsigned word, std::uint64_t target, unsigned bytes, unsigned count);

// Runs `job` as the host's thread; exceptions of the job come out.
void simulate(const TpuConfig& config, const Platform::Job& job);
// The same with a quantum in periods of the machine.
void simulate(const TpuConfig& config, unsigned quantum, const Platform::Job& job);

}  // namespace tandem::test
