// The number of registers that a region's values take while it is being scheduled.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "schedule/memory/regions.hpp"
#include "schedule/program/linear.hpp"

namespace tandem::schedule {

// What is known of the regions of a block before any of them is scheduled.
class PressureMap {
 public:
  PressureMap(const LinearBlock& block, const std::vector<Region>& regions);

  // Registers of each file that a region's own values may take.
  [[nodiscard]] std::array<std::int32_t, file_count> room(std::uint32_t region) const;
  // Whether a virtual register is used in one region only.
  [[nodiscard]] bool is_local(VirtualId id) const { return first_[id] == last_[id]; }

 private:
  void count_across(const LinearBlock& block, const std::vector<std::uint32_t>& region_at);
  void count_available(const LinearBlock& block);

  std::vector<std::uint32_t> first_;  // region in which a register is used first, and last
  std::vector<std::uint32_t> last_;
  std::vector<std::array<std::int32_t, file_count>> across_;  // by region: values not its own
  std::array<std::int32_t, file_count> available_{};
};

// The values of one region, as its operations are placed.
class Pressure {
 public:
  Pressure(const LinearBlock& block, const Region& region, std::uint32_t number,
           const PressureMap& map, const std::vector<Effects>& effects);

  // Whether there is room for the values that an operation (by its position in the region) adds.
  [[nodiscard]] bool allows(std::uint32_t node) const;
  void place(std::uint32_t node);
  // Whether there are more live values than registers.
  [[nodiscard]] bool is_over() const;

 private:
  struct Touch {
    VirtualId written = no_virtual;
    std::array<VirtualId, max_operands + 1> read{};
    std::uint8_t reads = 0;
  };

  [[nodiscard]] std::size_t file_of(VirtualId id) const {
    return static_cast<std::size_t>(*block_->virtuals[id].file);
  }

  const LinearBlock* block_;
  std::vector<Touch> touches_;
  std::unordered_map<VirtualId, std::int32_t> left_;  // reads still to come, of local registers
  std::unordered_map<VirtualId, bool> alive_;
  std::array<std::int32_t, file_count> room_{};
};

}  // namespace tandem::schedule
