#include "sim/events/copy_flows.hpp"

#include <utility>

namespace tandem {

void CopyFlows::started(std::uint64_t sequence, const golden::Copy& copy) {
  in_flight_[sequence] = {copy.flag, copy.destination.space};
}

void CopyFlows::done(std::uint64_t sequence) {
  const auto found = in_flight_.find(sequence);
  if (found == in_flight_.end()) return;  // it began before the events did
  done_.at(found->second.flag).push_back({sequence, found->second.destination});
  in_flight_.erase(found);
  ++to_wait_for_;
}

std::vector<std::uint64_t> CopyFlows::waited(std::uint32_t flag) {
  std::vector<std::uint64_t> sequences;
  for (const Done& copy : done_.at(flag)) {
    sequences.push_back(copy.sequence);
    if (copy.destination == golden::MemorySpace::hbm) continue;  // no bundle reads it
    waited_.at(static_cast<std::size_t>(copy.destination)).push_back(copy.sequence);
    ++to_use_;
  }
  to_wait_for_ -= sequences.size();
  done_.at(flag).clear();
  return sequences;
}

std::vector<std::uint64_t> CopyFlows::used(golden::MemorySpace space) {
  std::vector<std::uint64_t> sequences =
      std::exchange(waited_.at(static_cast<std::size_t>(space)), {});
  to_use_ -= sequences.size();
  return sequences;
}

}  // namespace tandem
