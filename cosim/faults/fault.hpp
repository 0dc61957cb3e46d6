// Planted faults: a machine whose events or final state are wrong in one place on purpose. Every
// check of lockstep is shown to work by planting a fault for it (trust.md: "every check is first
// shown to fail"); `tandem lockstep --plant FIELD` does the same from the command line.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "cosim/checker/mismatch.hpp"
#include "runtime/models/machine.hpp"

namespace tandem {

struct Fault {
  CompareField field{};
  // The first fitting event of this bundle or a later one. Of the state at the end: which register,
  // word or status bit (0: one in the middle).
  std::uint64_t sequence = 0;
  std::optional<Slot> slot;    // writes: only of this slot
  std::optional<Space> space;  // writes and copied bytes: only to this space
  std::optional<Op> op{};      // only where this is executed; of a write: it writes
  std::optional<Op> with{};    // and this in the same bundle or the three before
};

// FIELD[:OPERATION[+OPERATION]][@NUMBER]: "write.data", "write.data@100" (from that bundle on),
// "write.data:vadd.f32" (only writes of that operation), "write.data:vadd.f32+vst" (only with a vst
// in the same bundle or one of three before). Throws runtime::Error, which lists the fields.
Fault parse_fault(const std::string& text);

// `machine` with the fault. `planted` (may be nullptr) receives the sequence number of the bundle
// whose event was changed.
std::unique_ptr<Machine> make_faulty_machine(std::unique_ptr<Machine> machine, const Fault& fault,
                                             std::optional<std::uint64_t>* planted);

}  // namespace tandem
