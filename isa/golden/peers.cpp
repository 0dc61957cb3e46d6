#include "isa/golden/peers.hpp"

#include "isa/golden/copy.hpp"
#include "isa/golden/core.hpp"

namespace tandem::golden {

void send_copy(Core& core) {
  const Copy& copy = core.copy;
  Core& there = *core.peers->cores[copy.chip];
  there.state.flags[copy.flag] += copy.amount;
  core.state.flags[copy.flag_here] += copy.amount_here;
  core.peers->received[copy.chip][copy.flag][core.chip] += copy.amount;
  const std::uint64_t room = copy.destination.space == MemorySpace::hbm
                                 ? there.hbm.size()
                                 : there.state.parameters->vmem_bytes;
  if (RaceDetector::covers_itself(copy, room)) {
    return core.report(RaceDetector::self_overlap(core.pc));
  }
  if (auto race = core.races.send(copy, core.pc, there.races)) core.report(std::move(*race));
  perform_copy(core, there);
}

}  // namespace tandem::golden
