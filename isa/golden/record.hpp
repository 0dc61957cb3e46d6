// Builds retire records from a bundle's operations and the state before and after it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "isa/golden/core.hpp"
#include "isa/golden/decode.hpp"
#include "isa/image.hpp"
#include "isa/state/retire.hpp"

namespace tandem::golden {

class Recorder {
 public:
  explicit Recorder(std::size_t text_bundles) : plans_(text_bundles) {}

  // Everything known when the checks are done and nothing has been written; `enabled` is set. The
  // store's data is saved here, because its registers may be about to change.
  void begin(RetireRecord& record, Core& core, const Bundle& bundle);
  // The writes, from the state after the bundle.
  void finish(RetireRecord& record, Core& core, const BundlePlan& bundle);

 private:
  // An operation that leaves writes in the record.
  struct Item {
    MicroOp op;
    Space space = Space::none;
  };
  struct Plan {
    std::uint32_t first = 0;
    std::uint8_t count = 0;
    bool made = false;
  };

  const Plan& plan_of(std::uint32_t pc, const Bundle& bundle);
  void add_writes(RetireRecord& record, Core& core, const Item& item) const;
  void add_store(RetireRecord& record, const Core& core, const MicroOp& op) const;

  std::vector<Plan> plans_;  // by PC, of bundles that do not trap at decode
  std::vector<Item> items_;
  alignas(64) std::array<std::uint32_t, max_vector_words> stored_{};
  std::array<std::uint32_t, max_vector_words / 32> store_mask_{};
};

}  // namespace tandem::golden
