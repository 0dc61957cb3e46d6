#include "schedule/memory/value_ranges.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace tandem::schedule {
namespace {

constexpr std::uint32_t most_visits = 24;        // of one region
constexpr std::size_t most_entries = 1'000'000;  // regions times registers
constexpr int most_rounds = 4;                   // as deep as loops are nested, about
constexpr std::int64_t large = std::int64_t{1} << 30U;

// Where control may continue from a region.
struct Way {
  std::uint32_t to = 0;
  std::optional<bool> taken;  // the outcome of the branch at the region's end
};

// What the ranges are where a way ends.
struct Arrival {
  std::uint32_t to = 0;
  EntryRanges state;
};

class Analysis {
 public:
  Analysis(const LinearBlock& block, const std::vector<Region>& regions)
      : block_(block), regions_(regions), values_(block), entries_(regions.size()) {
    for (const LinearOperation& item : block.operations) {
      effects_.push_back(effects_of(item.operation));
    }
    for (std::uint32_t r = 0; r < regions.size(); ++r) region_at_[regions[r].first] = r;
    find_registers();
    find_written();
  }

  Values::Entries run() {
    if (registers_.empty() || registers_.size() * regions_.size() > most_entries) return {};
    entries_[0].emplace();
    waiting_.insert(0);
    visits_.assign(regions_.size(), 0);
    while (!waiting_.empty()) {
      const std::uint32_t region = *waiting_.begin();
      waiting_.erase(waiting_.begin());
      // If the ranges do not converge, nothing is known.
      if (++visits_[region] > 4 * most_visits) return {};
      follow(region, [&](std::uint32_t to, EntryRanges state) { reach(to, std::move(state)); });
    }
    // A number that depends on one of a loop further out comes back a round later.
    for (int round = 0; round < most_rounds && tighten(); ++round) {
    }
    return found();
  }

 private:
  void find_registers() {
    std::vector<std::uint32_t> region_of(block_.virtuals.size(), ~0U);
    std::vector<bool> wanted(block_.virtuals.size(), false);
    for (std::uint32_t r = 0; r < regions_.size(); ++r) {
      for (std::uint32_t i = regions_[r].first; i < regions_[r].end; ++i) {
        for (const VirtualId id : block_.operations[i].registers) {
          if (id == no_virtual || block_.virtuals[id].file != File::s) continue;
          if (region_of[id] == ~0U) region_of[id] = r;
          const bool loops = effects_[i].control == Control::branch;
          if (region_of[id] != r || loops) wanted[id] = true;
          // A register carried around a loop of one region is read there before it is written.
          if (is_loop_region(r)) wanted[id] = true;
        }
      }
    }
    // A register that is constant only through renaming is not one in the block as written.
    std::vector<bool> renamed(block_.virtuals.size(), false);
    for (const VirtualRegister& entry : block_.virtuals) {
      if (entry.copy_of != no_virtual) renamed[entry.copy_of] = true;
    }
    for (VirtualId id = 0; id < wanted.size(); ++id) {
      if (wanted[id] && (renamed[id] || !values_.is_constant(id))) registers_.push_back(id);
    }
  }
  void find_written() {
    written_.resize(regions_.size());
    for (std::uint32_t r = 0; r < regions_.size(); ++r) {
      for (std::uint32_t i = regions_[r].first; i < regions_[r].end; ++i) {
        if (!effects_[i].writes || effects_[i].write.file != File::s) continue;
        const VirtualId id = block_.operations[i].registers[effects_[i].write.place];
        if (id != no_virtual) written_[r].insert(id);
      }
    }
  }
  [[nodiscard]] bool is_loop_region(std::uint32_t r) const {
    const LinearOperation& last = block_.operations[regions_[r].end - 1];
    return last.target != no_label && block_.labels[last.target] == regions_[r].first;
  }

  [[nodiscard]] std::vector<Way> ways_from(std::uint32_t region) const {
    const std::uint32_t last = regions_[region].end - 1;
    const LinearOperation& item = block_.operations[last];
    const Control control = effects_[last].control;
    const bool always = item.operation.predicate == 0 && !item.operation.negate;
    const bool branches = control == Control::branch;
    std::vector<Way> ways;
    const auto add = [&](std::uint32_t operation, std::optional<bool> taken) {
      const auto found = region_at_.find(operation);
      if (found != region_at_.end()) ways.push_back({found->second, taken});
    };
    if (branches && item.target != no_label) add(block_.labels[item.target], true);
    const bool stops = ends_block(control) && control != Control::call && always;
    if (!stops) add(last + 1, branches ? std::optional(false) : std::nullopt);
    return ways;
  }

  template <typename Arrive>
  void follow(std::uint32_t region, const Arrive& arrive) {
    const Region& where = regions_[region];
    values_.begin_region(&*entries_[region]);
    // A register that is never written here keeps its name, which comparisons may narrow.
    std::vector<std::pair<VirtualId, Symbolic>> at_end;
    for (std::uint32_t i = where.first; i < where.end; ++i) {
      values_.execute(block_.operations[i], effects_[i]);
    }
    const bool forgets = effects_[where.end - 1].control == Control::call;
    if (!forgets) {
      for (const VirtualId id : registers_) at_end.emplace_back(id, values_.scalar(key(id)));
    }
    for (const Way& way : ways_from(region)) {
      EntryRanges state;
      for (const auto& [id, value] : at_end) {
        const MaybeRange range = behind(where.end - 1, way, id, value);
        if (range) state.emplace(id, *range);
      }
      arrive(way.to, std::move(state));
    }
  }
  static RegisterKey key(VirtualId id) { return {File::s, id, 0}; }

  // The range of a register's value, as narrowed by what the branch has decided.
  MaybeRange behind(std::uint32_t branch, const Way& way, VirtualId id, const Symbolic& value) {
    MaybeRange range = values_.range_of(value);
    if (!way.taken || value.root == 0) return range;
    const LinearOperation& item = block_.operations[branch];
    const VirtualId predicate = item.registers[predicate_place];
    const Comparison* compared = values_.comparison(
        {File::p, predicate, predicate == no_virtual ? item.operation.predicate : std::uint8_t{0}});
    if (compared == nullptr) return range;
    const bool holds = *way.taken != item.operation.negate;
    range = narrow(range, id, value, compared->a, compared->op, compared->b, holds);
    return narrow(range, id, value, compared->b, mirrored(compared->op), compared->a, holds);
  }
  MaybeRange narrow(const MaybeRange& range, VirtualId id, const Symbolic& value,
                    const Symbolic& compared, Op op, const Symbolic& other, bool holds) {
    if (value.root != compared.root || value.anchor != 0 || compared.anchor != 0) return range;
    const MaybeRange bound = values_.range_of(other);
    const std::int64_t apart = value.offset - compared.offset;
    if (bound && bound->anchor == 0) {
      for (const std::int64_t at : {bound->low, bound->high}) {
        for (const std::int64_t beside : {-1, 0, 1}) steps_[id].insert(at + apart + beside);
      }
    }
    // An infeasible path is followed all the same, so that the code on it has ranges, too.
    bool possible = true;
    return shifted(narrowed(values_.range_of(compared), op, bound, holds, possible), 0, apart);
  }

  void reach(std::uint32_t to, EntryRanges state) {
    if (!entries_[to]) {
      entries_[to] = std::move(state);
      waiting_.insert(to);
      return;
    }
    bool changed = false;
    EntryRanges& known = *entries_[to];
    for (auto item = known.begin(); item != known.end();) {
      const auto found = state.find(item->first);
      MaybeRange range;
      if (found != state.end()) range = joined(item->second, found->second);
      if (range && *range == item->second) {
        ++item;
        continue;
      }
      changed = true;
      if (range) range = widened(to, item->first, item->second, *range);
      if (range) {
        item->second = *range;
        ++item;
      } else {
        item = known.erase(item);
      }
    }
    if (changed) waiting_.insert(to);
  }

  // A bound that moves goes to the next number that some comparison names, so that it converges
  // soon; in the end far away, from where comparisons with registers bring it back.
  [[nodiscard]] MaybeRange widened(std::uint32_t region, VirtualId id, const Range& before,
                                   const Range& after) const {
    if (visits_[region] < 2) return after;
    if (visits_[region] > most_visits || after.anchor != 0) return std::nullopt;
    std::int64_t low = after.low;
    std::int64_t high = after.high;
    const auto steps = steps_.find(id);
    const std::set<std::int64_t> none;
    const std::set<std::int64_t>& at = steps == steps_.end() ? none : steps->second;
    if (high > before.high) {
      const auto next = at.lower_bound(high);
      high = next != at.end() ? *next : std::max(high, large);
    }
    if (low < before.low) {
      const auto next = at.upper_bound(low);
      low = next != at.begin() ? *std::prev(next) : std::min(low, -large);
    }
    if (high > large || low < -large) return std::nullopt;
    // On the same places as before.
    const std::int64_t stride = after.stride;
    high -= (((high - after.low) % stride) + stride) % stride;
    low += (((after.low - low) % stride) + stride) % stride;
    return Range{0, low, high, stride};
  }

  // Ranges that hold are put through once more: what was widened too far comes back. What a region
  // does not write leaves it as it came, so that a loop does not keep alive what is too wide of a
  // register that it only reads. Whether anything has come back.
  bool tighten() {
    std::vector<std::vector<Arrival>> arrivals(regions_.size());
    for (std::uint32_t r = 0; r < regions_.size(); ++r) {
      if (!entries_[r]) continue;
      follow(r, [&](std::uint32_t to, EntryRanges state) {
        arrivals[r].push_back({to, std::move(state)});
      });
    }
    std::vector<std::optional<EntryRanges>> next(entries_.size());
    next[0].emplace();
    waiting_.insert(0);
    visits_.assign(regions_.size(), 0);
    while (!waiting_.empty()) {
      const std::uint32_t r = *waiting_.begin();
      waiting_.erase(waiting_.begin());
      if (++visits_[r] > 4 * most_visits) {
        waiting_.clear();
        return false;
      }
      for (const Arrival& arrival : arrivals[r]) {
        if (meet(next[arrival.to], leaving(r, arrival.state, *next[r]))) {
          waiting_.insert(arrival.to);
        }
      }
    }
    bool changed = false;
    for (std::uint32_t r = 0; r < regions_.size(); ++r) {
      if (!entries_[r]) continue;
      EntryRanges tighter = next[r] ? std::move(*next[r]) : EntryRanges{};
      changed = changed || tighter != *entries_[r];
      entries_[r] = std::move(tighter);
    }
    return changed;
  }

  // What leaves a region that these ranges come to, given what leaves it by those that hold.
  [[nodiscard]] EntryRanges leaving(std::uint32_t region, const EntryRanges& holds,
                                    const EntryRanges& comes) const {
    EntryRanges state;
    const bool forgets = effects_[regions_[region].end - 1].control == Control::call;
    if (forgets) return state;
    for (const VirtualId id : registers_) {
      const auto known = holds.find(id);
      const auto before = written_[region].count(id) == 0 ? comes.find(id) : comes.end();
      if (before == comes.end()) {
        if (known != holds.end()) state.emplace(id, known->second);
      } else {
        state.emplace(id,
                      known == holds.end() ? before->second : both(known->second, before->second));
      }
    }
    return state;
  }
  // A range that holds all of what is in both.
  static Range both(const Range& a, const Range& b) {
    return a.anchor == b.anchor && a.low <= b.low && b.high <= a.high ? b : a;
  }

  // Whether the ranges at a place have changed by what arrives there.
  static bool meet(std::optional<EntryRanges>& at, EntryRanges state) {
    if (!at) {
      at = std::move(state);
      return true;
    }
    bool changed = false;
    for (auto item = at->begin(); item != at->end();) {
      const auto found = state.find(item->first);
      const MaybeRange range =
          found == state.end() ? std::nullopt : joined(item->second, found->second);
      changed = changed || !range || *range != item->second;
      if (range) item->second = *range;
      item = range ? std::next(item) : at->erase(item);
    }
    return changed;
  }

  Values::Entries found() {
    Values::Entries result;
    for (std::uint32_t r = 0; r < regions_.size(); ++r) {
      if (entries_[r] && !entries_[r]->empty()) result[regions_[r].first] = *entries_[r];
    }
    return result;
  }

  const LinearBlock& block_;
  const std::vector<Region>& regions_;
  Values values_;
  std::vector<Effects> effects_;
  std::map<std::uint32_t, std::uint32_t> region_at_;  // by its first operation
  std::vector<VirtualId> registers_;
  std::vector<std::set<VirtualId>> written_;         // scalars, by region
  std::vector<std::optional<EntryRanges>> entries_;  // of regions that control may reach
  std::set<std::uint32_t> waiting_;
  std::vector<std::uint32_t> visits_;
  std::map<VirtualId, std::set<std::int64_t>> steps_;  // where widening stops
};

}  // namespace

Values::Entries value_ranges(const LinearBlock& block, const std::vector<Region>& regions) {
  if (regions.empty()) return {};
  return Analysis(block, regions).run();
}

}  // namespace tandem::schedule
