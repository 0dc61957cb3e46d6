#include "cosim/lockstep/recent_states.hpp"

#include <utility>

#include "isa/archive/archive.hpp"

namespace tandem {

void RecentStates::note(Machine& machine) {
  if (count_ != 0 && machine.cycles() < entries_[count_ - 1].cycle + spacing) return;
  if (count_ == entries_.size()) {
    std::swap(entries_[0], entries_[1]);
  } else {
    ++count_;
  }
  Entry& entry = entries_[count_ - 1];
  entry.cycle = machine.cycles();
  entry.hbm = machine.host_memory();
  entry.state.clear();
  ArchiveWriter archive(entry.state);
  machine.save_to(archive);
}

const RecentStates::Entry& RecentStates::before(std::uint64_t cycle) const {
  return count_ == 2 && entries_[1].cycle <= cycle ? entries_[1] : entries_[0];
}

}  // namespace tandem
