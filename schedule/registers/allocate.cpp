#include "schedule/registers/allocate.hpp"

#include <algorithm>
#include <map>
#include <span>

#include "schedule/registers/live_ranges.hpp"

namespace tandem::schedule {
namespace {

constexpr std::uint32_t first_free_scalar = 4;  // s1 return address, s2 stack, s3 frame

// The gaps in which a physical register is taken.
class Occupancy {
 public:
  [[nodiscard]] bool is_free(const LiveSegment& segment) const {
    if (taken_.empty() || segment.first > last_) return true;
    const auto after = taken_.upper_bound(segment.last);
    return after == taken_.begin() || std::prev(after)->second < segment.first;
  }
  void take(const LiveSegment& segment) {
    taken_[segment.first] = segment.last;
    last_ = std::max(last_, segment.last);
  }

 private:
  std::map<std::uint32_t, std::uint32_t> taken_;  // first: last
  std::uint32_t last_ = 0;
};

// The segments of one virtual register.
struct Range {
  VirtualId id = no_virtual;
  std::span<const LiveSegment> segments;

  [[nodiscard]] std::uint32_t start() const { return segments.front().first; }
  [[nodiscard]] std::uint64_t length() const {
    std::uint64_t sum = 0;
    for (const LiveSegment& segment : segments) sum += segment.last - segment.first + 1;
    return sum;
  }
};

using Numbers = std::vector<std::int32_t>;  // by virtual register; -1: none

// The registers of each file that virtual ones may get.
struct Pools {
  std::array<std::vector<std::uint8_t>, file_count> numbers;
  bool indexed_accumulators = false;
};

Pools pools_of(const Bundled& code) {
  std::array<std::array<bool, 64>, file_count> named{};
  Pools pools;
  const auto name = [&](const BundledOperation& placed, const RegisterUse& use) {
    if (placed.item.registers[use.place] != no_virtual) return;
    named[static_cast<std::size_t>(use.file)][use.index] = true;
  };
  for (const BundledOperation& placed : code.operations) {
    const Effects effects = effects_of(placed.item.operation);
    for (const RegisterUse& use : effects.reads()) name(placed, use);
    if (effects.writes) name(placed, effects.write);
    if (effects.any_accumulator_read || effects.any_accumulator_write) {
      pools.indexed_accumulators = true;
    }
  }
  for (std::size_t f = 0; f < file_count; ++f) {
    const auto file = static_cast<File>(f);
    const std::uint32_t from = file == File::s ? first_free_scalar : 0;
    for (std::uint32_t i = from; i < register_count(file); ++i) {
      if (is_constant_register(file, i) || named[f][i]) continue;
      pools.numbers[f].push_back(static_cast<std::uint8_t>(i));
    }
  }
  return pools;
}

std::vector<Range> ranges_of(const std::vector<LiveSegment>& segments) {
  std::vector<Range> ranges;
  for (std::size_t i = 0; i < segments.size();) {
    std::size_t end = i;
    while (end < segments.size() && segments[end].id == segments[i].id) ++end;
    ranges.push_back({segments[i].id, {segments.data() + i, end - i}});
    i = end;
  }
  return ranges;
}

class Allocator {
 public:
  // `held`: the same, longer where that is better and there are enough registers.
  Allocator(Bundled& code, const std::vector<LiveSegment>& segments,
            const std::vector<LiveSegment>& held)
      : code_(code), segments_(segments), pools_(pools_of(code)) {
    for (const Range& range : ranges_of(segments)) {
      by_file_[static_cast<std::size_t>(*code.virtuals[range.id].file)].push_back(range);
    }
    for (const Range& range : ranges_of(held)) {
      held_by_file_[static_cast<std::size_t>(*code.virtuals[range.id].file)].push_back(range);
    }
  }

  std::vector<Trouble> run() {
    Numbers numbers(code_.virtuals.size(), -1);
    check_calls();
    for (std::size_t f = 0; f < file_count; ++f) {
      const auto file = static_cast<File>(f);
      if (by_file_[f].empty()) continue;
      if (file == File::a && pools_.indexed_accumulators) {
        report(TroubleKind::indexed_accumulators, by_file_[f].front());
      } else if (!fill_file(file, held_by_file_[f], numbers)) {
        code_.cycles = 0;  // writes may wait for results that nothing reads
        if (!fill_file(file, by_file_[f], numbers)) explain(file);
      }
    }
    if (troubles_.empty()) store(numbers);
    return std::move(troubles_);
  }

 private:
  // In order of their beginning, first-fit is exact for ranges of one segment; long ones with many
  // segments are better served first. Usually one of the two succeeds.
  bool fill_file(File file, std::vector<Range>& ranges, Numbers& numbers) {
    const auto by_start = [](const Range& a, const Range& b) { return a.start() < b.start(); };
    std::sort(ranges.begin(), ranges.end(), by_start);
    if (fill(file, ranges, numbers)) return true;
    std::vector<Range> split_first = ranges;
    const auto behind =
        std::stable_partition(split_first.begin(), split_first.end(),
                              [](const Range& range) { return range.segments.size() > 1; });
    std::stable_sort(split_first.begin(), behind,
                     [](const Range& a, const Range& b) { return a.length() > b.length(); });
    return fill(file, split_first, numbers);
  }

  bool fill(File file, const std::vector<Range>& ranges, Numbers& numbers) {
    const std::vector<std::uint8_t>& pool = pools_.numbers[static_cast<std::size_t>(file)];
    std::vector<Occupancy> registers(pool.size());
    for (const Range& range : ranges) {
      const auto found = std::find_if(registers.begin(), registers.end(), [&](const Occupancy& o) {
        return std::all_of(range.segments.begin(), range.segments.end(),
                           [&](const LiveSegment& segment) { return o.is_free(segment); });
      });
      if (found == registers.end()) {
        unplaced_ = range;
        return false;
      }
      for (const LiveSegment& segment : range.segments) found->take(segment);
      numbers[range.id] = pool[static_cast<std::size_t>(found - registers.begin())];
    }
    return true;
  }

  // Where most values of the file are live, compared with the available registers.
  void explain(File file) {
    const std::vector<Range>& ranges = by_file_[static_cast<std::size_t>(file)];
    std::map<std::uint32_t, std::int32_t> change;
    for (const Range& range : ranges) {
      for (const LiveSegment& segment : range.segments) {
        ++change[segment.first];
        --change[segment.last + 1];
      }
    }
    std::uint32_t live = 0, most = 0, gap = 0;
    for (const auto& [at, step] : change) {
      live += static_cast<std::uint32_t>(step);
      if (live > most) gap = at;
      most = std::max(most, live);
    }
    const auto available =
        static_cast<std::uint32_t>(pools_.numbers[static_cast<std::size_t>(file)].size());
    const Range* worst = &unplaced_;
    TroubleKind kind = TroubleKind::file_fragmented;
    if (most > available) {
      kind = TroubleKind::file_full;
      for (const Range& range : ranges) {
        for (const LiveSegment& segment : range.segments) {
          if (segment.first == gap) worst = &range;
        }
      }
    } else {
      gap = unplaced_.start();
    }
    troubles_.push_back({kind, worst->id, tag_at(gap), file, most, available});
  }

  // The operation that produces the value that becomes live in a gap, else the one after it.
  [[nodiscard]] std::uint32_t tag_at(std::uint32_t gap) const {
    const std::uint32_t bundle = gap == 0 ? 0 : std::min(gap, code_.bundles()) - 1;
    return code_.operations[std::min<std::size_t>(code_.first[bundle], code_.operations.size() - 1)]
        .item.tag;
  }

  void report(TroubleKind kind, const Range& range) {
    const File file = *code_.virtuals[range.id].file;
    troubles_.push_back({kind, range.id, tag_at(range.start()), file, 0, 0});
  }

  void check_calls() {
    std::vector<std::uint32_t> calls;  // bundles
    for (std::uint32_t t = 0; t < code_.bundles(); ++t) {
      for (const BundledOperation& placed : code_.bundle(t)) {
        if (effects_of(placed.item.operation).control == Control::call) calls.push_back(t);
      }
    }
    if (calls.empty()) return;
    VirtualId last = no_virtual;
    for (const LiveSegment& segment : segments_) {
      const auto call = std::lower_bound(calls.begin(), calls.end(), segment.first);
      if (call == calls.end() || *call >= segment.last || segment.id == last) continue;
      last = segment.id;
      troubles_.push_back({TroubleKind::lives_across_call, segment.id,
                           code_.bundle(*call).front().item.tag, *code_.virtuals[segment.id].file,
                           0, 0});
    }
  }

  void store(const Numbers& numbers) {
    for (BundledOperation& placed : code_.operations) {
      Operation& operation = placed.item.operation;
      for (std::size_t place = 0; place < placed.item.registers.size(); ++place) {
        VirtualId& id = placed.item.registers[place];
        if (id == no_virtual) continue;
        put_register(operation, place, *code_.virtuals[id].file, numbers[id]);
        id = no_virtual;
      }
    }
  }

  static void put_register(Operation& operation, std::uint8_t place, File file,
                           std::int32_t number) {
    if (place == predicate_place) {
      operation.predicate = static_cast<std::uint8_t>(number);
    } else if (file == File::a) {
      operation.operands[place].imm = number;
    } else if (instruction(operation.op).operands.items[place]->kind == OperandKind::flag) {
      operation.operands[place].extra = static_cast<std::uint32_t>(number);
    } else {
      operation.operands[place].value = number;
    }
  }

  Bundled& code_;
  const std::vector<LiveSegment>& segments_;
  Pools pools_;
  std::array<std::vector<Range>, file_count> by_file_, held_by_file_;
  Range unplaced_;
  std::vector<Trouble> troubles_;
};

}  // namespace

std::vector<Trouble> allocate_registers(Bundled& code, const Faults* faults) {
  std::vector<LiveSegment> segments = live_segments(code);
  err(faults, &Faults::lives, code, segments);
  const std::vector<LiveSegment> held = held_segments(code, segments);
  return Allocator(code, segments, held).run();
}

std::array<std::uint32_t, file_count> pressure_of(const Bundled& code) {
  std::array<std::map<std::uint32_t, std::int32_t>, file_count> change;
  for (const LiveSegment& segment : live_segments(code)) {
    auto& file = change[static_cast<std::size_t>(*code.virtuals[segment.id].file)];
    ++file[segment.first];
    --file[segment.last + 1];
  }
  std::array<std::uint32_t, file_count> most{};
  for (std::size_t f = 0; f < file_count; ++f) {
    std::uint32_t live = 0;
    for (const auto& [gap, step] : change[f]) {
      live += static_cast<std::uint32_t>(step);
      most[f] = std::max(most[f], live);
    }
  }
  return most;
}

}  // namespace tandem::schedule
