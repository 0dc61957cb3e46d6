// A machine whose events, times and final state also go to a stream.
#pragma once

#include <memory>

#include "cosim/stream/stream_writer.hpp"
#include "runtime/models/machine.hpp"

namespace tandem {

// The data of the machine in its stream's header.
StreamHeader stream_header(const Machine& machine, const MemoryTimingParameters& memory,
                           std::uint64_t hbm_bytes, std::uint32_t seed);

// Forwards to `machine`. `writer` gets everything; when the machine stops, also its state and the
// end. For an aborted run the end is left to the owner of the writer, which must outlive this;
// *stopped, if it is not nullptr, is set when the run has ended.
std::unique_ptr<Machine> make_recording_machine(std::unique_ptr<Machine> machine,
                                                StreamWriter& writer, bool* stopped);

}  // namespace tandem
