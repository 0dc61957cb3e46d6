#include "runtime/models/golden_machine.hpp"

namespace tandem {

IssueEvent issue_event(const RetireRecord& record) {
  return {static_cast<std::uint32_t>(record.sequence),
          record.pc,
          record.next_pc,
          record.bundle,
          record.enabled,
          record.halted,
          record.trap};
}

CopyIssueEvent copy_issue_event(const RetireRecord& record) {
  return {static_cast<std::uint32_t>(record.sequence), record.copy};
}

WriteEvent write_event(const RetireRecord& record, const Write& write, const Parameters& parameters,
                       bool reads_volatile) {
  WriteEvent event;
  event.sequence = static_cast<std::uint32_t>(record.sequence);
  event.slot = write.slot;
  event.space = write.space;
  event.row = write.row;
  event.index = write.index;
  event.lanes = write.lanes;
  event.data = record.data_of(write, parameters).data();
  event.volatile_csr = write.slot == Slot::sb && reads_volatile;
  return event;
}

MachineState machine_state(const State& golden, std::vector<std::uint32_t>& masks) {
  MachineState state;
  state.scalars = golden.scalars.data();
  state.flags = golden.flags.data();
  for (std::uint32_t number = 0; number < predicate_registers; ++number) {
    state.predicates =
        static_cast<std::uint8_t>(state.predicates | golden.predicates[number] << number);
  }
  masks.clear();
  for (std::uint32_t number = 0; number < mask_registers; ++number) {
    const auto mask = golden.mask(number);
    masks.insert(masks.end(), mask.begin(), mask.end());
  }
  state.masks = masks.data();
  state.vectors = golden.vectors.data();
  state.accumulators = golden.accumulators.data();
  state.weights_active = golden.weights[golden.active].data();
  state.weights_filling = golden.weights[1 - golden.active].data();
  state.vmem = golden.vmem.data();
  state.smem = golden.smem.data();
  return state;
}

MachineStatus machine_status(const GoldenModel& golden, RunStatus status) {
  MachineStatus result;
  result.halted = status == RunStatus::halted;
  result.trapped = status == RunStatus::trapped;
  const Trap& trap = golden.trap();
  result.trap_cause = static_cast<std::uint32_t>(trap.cause) | static_cast<std::uint32_t>(trap.slot)
                                                                   << 8U;
  result.trap_pc = golden.pc();
  result.trap_detail = trap.detail;
  return result;
}

}  // namespace tandem
