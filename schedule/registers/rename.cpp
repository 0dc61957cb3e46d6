#include "schedule/registers/rename.hpp"

#include <unordered_map>

#include "schedule/memory/regions.hpp"

namespace tandem::schedule {
namespace {

class Renamer {
 public:
  explicit Renamer(const LinearBlock& block) : result_(block) {}

  LinearBlock run() {
    for (const Region& region : regions_of(result_)) {
      count_writes(region);
      current_.clear();
      for (std::uint32_t i = region.first; i < region.end; ++i) rename(result_.operations[i]);
    }
    return std::move(result_);
  }

 private:
  [[nodiscard]] bool whole_write(const LinearOperation& item, const Effects& effects) const {
    return writes_whole(result_.virtuals, item, effects) &&
           item.registers[effects.write.place] != no_virtual;
  }

  void count_writes(const Region& region) {
    left_.clear();
    for (std::uint32_t i = region.first; i < region.end; ++i) {
      const LinearOperation& item = result_.operations[i];
      const Effects effects = effects_of(item.operation);
      if (whole_write(item, effects)) ++left_[item.registers[effects.write.place]];
    }
  }

  void rename(LinearOperation& item) {
    const Effects effects = effects_of(item.operation);
    const bool whole = whole_write(item, effects);
    const std::uint8_t written = effects.writes ? effects.write.place : max_operands + 1;
    for (std::size_t place = 0; place < item.registers.size(); ++place) {
      VirtualId& id = item.registers[place];
      if (id == no_virtual || (whole && place == written)) continue;
      const auto found = current_.find(id);
      if (found != current_.end()) id = found->second;
    }
    if (!whole) return;
    VirtualId& id = item.registers[written];
    const VirtualId original = id;
    if (--left_[original] != 0) {
      VirtualRegister copy = result_.virtuals[original];
      copy.copy_of = original;
      id = static_cast<VirtualId>(result_.virtuals.size());
      result_.virtuals.push_back(copy);
    }
    current_[original] = id;
  }

  LinearBlock result_;
  std::unordered_map<VirtualId, VirtualId> current_;   // name of the value now
  std::unordered_map<VirtualId, std::uint32_t> left_;  // whole writes still to come
};

}  // namespace

LinearBlock renamed(const LinearBlock& block) { return Renamer(block).run(); }

}  // namespace tandem::schedule
