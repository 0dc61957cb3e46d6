// Shared by machines with a golden model inside: the stand-in and the cycle-exact model.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/golden/golden_model.hpp"
#include "runtime/models/machine.hpp"
#include "runtime/models/machine_events.hpp"

namespace tandem {

IssueEvent issue_event(const RetireRecord& record);
CopyIssueEvent copy_issue_event(const RetireRecord& record);
// One of the record's writes; `data` points into the record. `reads_volatile`: the bundle reads a
// CSR that depends on time.
WriteEvent write_event(const RetireRecord& record, const Write& write, const Parameters& parameters,
                       bool reads_volatile);

// `masks` keeps the bits of all mask registers while the result is in use.
MachineState machine_state(const State& golden, std::vector<std::uint32_t>& masks);
MachineStatus machine_status(const GoldenModel& golden, RunStatus status);

}  // namespace tandem
