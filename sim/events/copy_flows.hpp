// Which bundle waited for a copy and which one used it first, as far as timing events show.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "isa/golden/copy.hpp"
#include "isa/parameters.hpp"
#include "sim/events/timing_events.hpp"

namespace tandem {

// Copies by the sequence number of their bundle. Calls come in order of cycle, done() before issues
// in later cycles.
class CopyFlows {
 public:
  void started(std::uint64_t sequence, const golden::Copy& copy);
  void done(std::uint64_t sequence);

  // False when waited() and used() have nothing to give, ...
  [[nodiscard]] bool any() const { return to_wait_for_ != 0 || to_use_ != 0; }
  // ...when used() has nothing.
  [[nodiscard]] bool any_to_use() const { return to_use_ != 0; }
  // A wait for this flag issues: copies that add to it, are done, and were not waited for before.
  std::vector<std::uint64_t> waited(std::uint32_t flag);
  // Something reads this memory: copies into it that were waited for and not used before.
  std::vector<std::uint64_t> used(golden::MemorySpace space);

 private:
  struct Copy {
    std::uint32_t flag = 0;
    golden::MemorySpace destination{};
  };
  struct Done {
    std::uint64_t sequence = 0;
    golden::MemorySpace destination{};
  };

  std::map<std::uint64_t, Copy> in_flight_;
  std::array<std::vector<Done>, sync_flags> done_;      // by flag
  std::array<std::vector<std::uint64_t>, 3> waited_{};  // by memory
  std::size_t to_wait_for_ = 0;                         // copies in done_
  std::size_t to_use_ = 0;                              // and in waited_
};

}  // namespace tandem
