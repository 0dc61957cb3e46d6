#include "schedule/registers/pressure.hpp"

#include <algorithm>
#include <set>

#include "schedule/registers/live_ranges.hpp"

namespace tandem::schedule {

PressureMap::PressureMap(const LinearBlock& block, const std::vector<Region>& regions)
    : first_(block.virtuals.size(), ~0U), last_(block.virtuals.size(), 0), across_(regions.size()) {
  std::vector<std::uint32_t> region_at(block.operations.size() + 1, 0);
  for (std::uint32_t r = 0; r < regions.size(); ++r) {
    for (std::uint32_t i = regions[r].first; i < regions[r].end; ++i) {
      region_at[i] = r;
      for (const VirtualId id : block.operations[i].registers) {
        if (id == no_virtual) continue;
        first_[id] = std::min(first_[id], r);
        last_[id] = std::max(last_[id], r);
      }
    }
  }
  count_across(block, region_at);
  count_available(block);
}

// A value that is live somewhere in a region, and in others, is taken to be live throughout it.
void PressureMap::count_across(const LinearBlock& block,
                               const std::vector<std::uint32_t>& region_at) {
  const auto last = static_cast<std::uint32_t>(block.operations.size() - 1);
  std::vector<std::array<std::int32_t, file_count>> change(across_.size() + 1);
  VirtualId id = no_virtual;
  std::uint32_t counted_to = 0;  // regions, of this register
  for (const LiveSegment& segment : live_segments(in_sequence(block))) {
    if (is_local(segment.id)) continue;
    if (segment.id != id) counted_to = 0;
    id = segment.id;
    const std::uint32_t writer = segment.first == 0 ? 0 : segment.first - 1;
    const std::uint32_t from = std::max(counted_to, region_at[std::min(writer, last)]);
    const std::uint32_t to = region_at[std::min(segment.last, last)];
    if (from > to) continue;
    const auto file = static_cast<std::size_t>(*block.virtuals[id].file);
    ++change[from][file];
    --change[to + 1][file];
    counted_to = to + 1;
  }
  std::array<std::int32_t, file_count> live{};
  for (std::size_t r = 0; r < across_.size(); ++r) {
    for (std::size_t f = 0; f < file_count; ++f) across_[r][f] = live[f] += change[r][f];
  }
}

// Registers that the author names are occupied throughout.
void PressureMap::count_available(const LinearBlock& block) {
  std::array<std::set<std::uint32_t>, file_count> named;
  const auto name = [&](const LinearOperation& item, const RegisterUse& use) {
    if (item.registers[use.place] != no_virtual) return;
    named[static_cast<std::size_t>(use.file)].insert(use.index);
  };
  for (const LinearOperation& item : block.operations) {
    const Effects effects = effects_of(item.operation);
    for (const RegisterUse& use : effects.reads()) name(item, use);
    if (effects.writes) name(item, effects.write);
  }
  for (std::size_t f = 0; f < file_count; ++f) {
    const auto file = static_cast<File>(f);
    available_[f] = static_cast<std::int32_t>(register_count(file));
    if (is_constant_register(file, 0)) named[f].insert(0);
    if (file == File::s) named[f].insert({1, 2, 3});
    available_[f] -= static_cast<std::int32_t>(named[f].size());
  }
}

std::array<std::int32_t, file_count> PressureMap::room(std::uint32_t region) const {
  std::array<std::int32_t, file_count> room{};
  for (std::size_t f = 0; f < file_count; ++f) room[f] = available_[f] - across_[region][f];
  return room;
}

Pressure::Pressure(const LinearBlock& block, const Region& region, std::uint32_t number,
                   const PressureMap& map, const std::vector<Effects>& effects)
    : block_(&block), room_(map.room(number)) {
  touches_.reserve(effects.size());
  for (std::uint32_t i = region.first; i < region.end; ++i) {
    const LinearOperation& item = block.operations[i];
    const Effects& effect = effects[i - region.first];
    Touch touch;
    for (const RegisterUse& use : effect.reads()) {
      const VirtualId id = item.registers[use.place];
      if (id == no_virtual || !map.is_local(id)) continue;
      const auto end = touch.read.begin() + touch.reads;
      if (std::find(touch.read.begin(), end, id) != end) continue;
      touch.read[touch.reads++] = id;
      ++left_[id];
    }
    if (effect.writes) {
      const VirtualId id = item.registers[effect.write.place];
      if (id != no_virtual && map.is_local(id)) touch.written = id;
    }
    touches_.push_back(touch);
  }
}

bool Pressure::allows(std::uint32_t node) const {
  const Touch& touch = touches_[node];
  if (touch.written == no_virtual || alive_.count(touch.written) != 0) return true;
  const std::size_t file = file_of(touch.written);
  std::int32_t room = room_[file];
  for (std::uint8_t r = 0; r < touch.reads; ++r) {
    if (file_of(touch.read[r]) == file && left_.at(touch.read[r]) == 1) ++room;
  }
  return room > 0;
}

bool Pressure::is_over() const {
  return std::any_of(room_.begin(), room_.end(), [](std::int32_t room) { return room < 0; });
}

void Pressure::place(std::uint32_t node) {
  const Touch& touch = touches_[node];
  for (std::uint8_t r = 0; r < touch.reads; ++r) {
    const VirtualId id = touch.read[r];
    if (--left_[id] != 0 || alive_.erase(id) == 0) continue;
    ++room_[file_of(id)];
  }
  if (touch.written == no_virtual) return;
  const auto left = left_.find(touch.written);
  if (left == left_.end() || left->second == 0) return;  // nothing reads it
  if (alive_.emplace(touch.written, true).second) --room_[file_of(touch.written)];
}

}  // namespace tandem::schedule
