// A machine whose events, times and state at the end go to a stream as well.
#pragma once

#include <memory>

#include "cosim/stream/stream_writer.hpp"
#include "runtime/models/machine.hpp"

namespace tandem {

// Of the machine: what its stream's header says.
StreamHeader stream_header(const Machine& machine, const MemoryTimingParameters& memory,
                           std::uint64_t hbm_bytes, std::uint32_t seed);

// Does what `machine` does. `writer` gets everything; when the machine stops, its state and the end
// too. A run that is broken off leaves the end to whoever owns the writer, which outlives this;
// *stopped, if it is not nullptr, says whether it came to its end.
std::unique_ptr<Machine> make_recording_machine(std::unique_ptr<Machine> machine,
                                                StreamWriter& writer, bool* stopped);

}  // namespace tandem
