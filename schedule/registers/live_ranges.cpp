#include "schedule/registers/live_ranges.hpp"

#include <algorithm>
#include <bit>

#include "isa/analysis/unit_time.hpp"
#include "schedule/program/flow.hpp"

namespace tandem::schedule {
namespace {

using Bits = std::vector<std::uint64_t>;

bool get(const Bits& bits, std::uint32_t i) { return ((bits[i / 64] >> (i % 64)) & 1U) != 0; }
void set(Bits& bits, std::uint32_t i) { bits[i / 64] |= std::uint64_t{1} << (i % 64); }

// The effect of a bundled operation on virtual registers.
struct Touch {
  VirtualId written = no_virtual;
  bool partial = false;  // the old value may stay
  std::array<VirtualId, max_operands + 2> read{};
  std::uint8_t reads = 0;
};

Touch touch_of(const LinearOperation& item, const std::vector<VirtualRegister>& virtuals) {
  Touch touch;
  bool any = false;
  for (const VirtualId id : item.registers) any = any || id != no_virtual;
  if (!any) return touch;
  const Effects effects = effects_of(item.operation);
  for (const RegisterUse& use : effects.reads()) {
    const VirtualId id = item.registers[use.place];
    if (id != no_virtual) touch.read[touch.reads++] = id;
  }
  if (effects.writes) touch.written = item.registers[effects.write.place];
  const bool always = item.operation.predicate == 0 && !item.operation.negate;
  touch.partial = !always && (touch.written == no_virtual || !virtuals[touch.written].guarded);
  return touch;
}

// By block and register live across blocks: for long code by far the most memory, so each is kept
// only while it is needed.
struct BlockSets {
  Bits live_in;  // at first the registers read before they are written
  Bits killed;   // wholly written
  Bits written;  // at all
  Bits reached;  // some write may have happened before the block
};

class Analysis {
 public:
  explicit Analysis(const Bundled& code)
      : code_(code), blocks_(flow_blocks(code)), slot_(code.virtuals.size(), none) {}

  std::vector<LiveSegment> run() {
    solve();
    solve_reach();
    last_.assign(code_.virtuals.size(), none);
    low_.assign(code_.virtuals.size(), none);
    for (std::size_t i = 0; i < blocks_.size(); ++i) scan(i);
    std::sort(segments_.begin(), segments_.end(), [](const LiveSegment& a, const LiveSegment& b) {
      return a.id != b.id ? a.id < b.id : a.first < b.first;
    });
    merge();
    return std::move(segments_);
  }

  void entries(std::vector<std::uint32_t>& first, std::vector<std::uint32_t>& slots,
               std::vector<Bits>& live) {
    solve();
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      first.push_back(blocks_[b].first);
      live.push_back(std::move(sets_[b].live_in));
    }
    slots = std::move(slot_);
  }

 private:
  static constexpr std::uint32_t none = ~0U;

  void solve() {
    touches_.reserve(code_.operations.size());
    for (const BundledOperation& placed : code_.operations) {
      touches_.push_back(touch_of(placed.item, code_.virtuals));
    }
    find_globals();
    local_sets();
    solve_liveness();
  }

  // Registers that are read in some block before that block has written them: only they can be live
  // across blocks, so only they take part in the data flow.
  void find_globals() {
    std::vector<std::uint32_t> written_in(code_.virtuals.size(), none);
    for (std::uint32_t b = 0; b < blocks_.size(); ++b) {
      for_each_bundle(b, [&](std::uint32_t first, std::uint32_t end) {
        for (std::uint32_t i = first; i < end; ++i) {
          const Touch& touch = touches_[i];
          for (std::uint8_t r = 0; r < touch.reads; ++r) {
            if (written_in[touch.read[r]] != b) add_global(touch.read[r]);
          }
          if (touch.partial && touch.written != no_virtual && written_in[touch.written] != b) {
            add_global(touch.written);
          }
        }
        for (std::uint32_t i = first; i < end; ++i) {
          const Touch& touch = touches_[i];
          if (touch.written != no_virtual && !touch.partial) written_in[touch.written] = b;
        }
      });
    }
  }
  void add_global(VirtualId id) {
    if (slot_[id] != none) return;
    slot_[id] = static_cast<std::uint32_t>(globals_.size());
    globals_.push_back(id);
  }

  template <typename Visit>
  void for_each_bundle(std::uint32_t block, const Visit& visit) const {
    for (std::uint32_t t = blocks_[block].first; t < blocks_[block].end; ++t) {
      visit(code_.first[t], code_.first[t + 1]);
    }
  }

  void local_sets() {
    const std::size_t words = globals_.size() / 64 + 1;
    sets_.assign(blocks_.size(), {});
    for (std::uint32_t b = 0; b < blocks_.size(); ++b) {
      BlockSets& sets = sets_[b];
      for (Bits* bits : {&sets.live_in, &sets.killed, &sets.written}) bits->assign(words, 0);
      for_each_bundle(b, [&](std::uint32_t first, std::uint32_t end) {
        for (std::uint32_t i = first; i < end; ++i) expose(touches_[i], sets);
        for (std::uint32_t i = first; i < end; ++i) define(touches_[i], sets);
      });
    }
  }
  void expose(const Touch& touch, BlockSets& sets) const {
    for (std::uint8_t r = 0; r < touch.reads; ++r) expose(touch.read[r], sets);
    if (touch.partial && touch.written != no_virtual) expose(touch.written, sets);
  }
  void expose(VirtualId id, BlockSets& sets) const {
    const std::uint32_t slot = slot_[id];
    if (slot != none && !get(sets.killed, slot)) set(sets.live_in, slot);
  }
  void define(const Touch& touch, BlockSets& sets) const {
    if (touch.written == no_virtual || slot_[touch.written] == none) return;
    set(sets.written, slot_[touch.written]);
    if (!touch.partial) set(sets.killed, slot_[touch.written]);
  }

  void solve_liveness() {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t b = blocks_.size(); b-- > 0;) {
        BlockSets& sets = sets_[b];
        for (std::size_t w = 0; w < sets.live_in.size(); ++w) {
          const std::uint64_t out = live_out(blocks_[b], w);
          const std::uint64_t in = sets.live_in[w] | (out & ~sets.killed[w]);
          changed = changed || in != sets.live_in[w];
          sets.live_in[w] = in;
        }
      }
    }
    for (BlockSets& sets : sets_) Bits().swap(sets.killed);
  }
  // Some of the registers that are live after the block: those of one word of its sets.
  [[nodiscard]] std::uint64_t live_out(const FlowBlock& flow, std::size_t word) const {
    std::uint64_t out = 0;
    for (const std::uint32_t next : flow.next) out |= sets_[next].live_in[word];
    return out;
  }

  void solve_reach() {
    for (BlockSets& sets : sets_) sets.reached.assign(sets.written.size(), 0);
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t b = 0; b < blocks_.size(); ++b) {
        BlockSets& sets = sets_[b];
        for (const std::uint32_t from : blocks_[b].previous) {
          for (std::size_t w = 0; w < sets.reached.size(); ++w) {
            const std::uint64_t more = sets_[from].reached[w] | sets_[from].written[w];
            changed = changed || (more & ~sets.reached[w]) != 0;
            sets.reached[w] |= more;
          }
        }
      }
    }
  }

  void scan(std::size_t block) {
    const FlowBlock& flow = blocks_[block];
    const BlockSets& sets = sets_[block];
    std::vector<VirtualId> open;
    for (std::size_t w = 0; w < sets.live_in.size(); ++w) {
      std::uint64_t live = live_out(flow, w) & (sets.reached[w] | sets.written[w]);
      for (; live != 0; live &= live - 1) {
        const auto global = 64 * w + static_cast<std::size_t>(std::countr_zero(live));
        begin(globals_[global], flow.end, flow.end, open);
      }
    }
    for (std::uint32_t t = flow.end; t-- > flow.first;) {
      for (std::uint32_t i = code_.first[t]; i < code_.first[t + 1]; ++i)
        write(touches_[i], t, open);
      for (std::uint32_t i = code_.first[t]; i < code_.first[t + 1]; ++i)
        read(touches_[i], t, open);
    }
    for (const VirtualId id : open) {
      if (last_[id] == none) continue;
      const std::uint32_t slot = slot_[id];
      const bool lives_in = slot != none && get(sets.live_in, slot) && get(sets.reached, slot);
      segments_.push_back({id, lives_in ? flow.first : low_[id], last_[id]});
      last_[id] = none;
    }
  }
  void begin(VirtualId id, std::uint32_t last, std::uint32_t low, std::vector<VirtualId>& open) {
    last_[id] = last;
    low_[id] = low;
    open.push_back(id);
  }
  void write(const Touch& touch, std::uint32_t bundle, std::vector<VirtualId>& open) {
    if (touch.written == no_virtual) return;
    const VirtualId id = touch.written;
    if (last_[id] == none) {
      segments_.push_back({id, bundle + 1, bundle + 1, true});
    } else if (touch.partial) {
      low_[id] = bundle + 1;
    } else {
      segments_.push_back({id, bundle + 1, last_[id]});
      last_[id] = none;
    }
    (void)open;
  }
  void read(const Touch& touch, std::uint32_t bundle, std::vector<VirtualId>& open) {
    for (std::uint8_t r = 0; r < touch.reads; ++r) {
      const VirtualId id = touch.read[r];
      if (last_[id] == none) {
        begin(id, bundle, bundle, open);
      } else {
        low_[id] = bundle;
      }
    }
  }

  // Segments that touch or overlap, as unread partial writes do, become one.
  void merge() {
    std::size_t kept = 0;
    for (const LiveSegment& segment : segments_) {
      if (kept != 0 && segments_[kept - 1].id == segment.id &&
          segments_[kept - 1].last + 1 >= segment.first) {
        segments_[kept - 1].last = std::max(segments_[kept - 1].last, segment.last);
        segments_[kept - 1].unread = false;
      } else {
        segments_[kept++] = segment;
      }
    }
    segments_.resize(kept);
  }

  const Bundled& code_;
  std::vector<FlowBlock> blocks_;
  std::vector<Touch> touches_;  // by operation
  std::vector<VirtualId> globals_;
  std::vector<std::uint32_t> slot_;  // of a virtual register among the globals, or none
  std::vector<BlockSets> sets_;
  std::vector<std::uint32_t> last_;  // during a scan: last live gap, or none
  std::vector<std::uint32_t> low_;   // the earliest gap in which it was seen live
  std::vector<LiveSegment> segments_;
};

}  // namespace

LiveEntries::LiveEntries(const Bundled& code) { Analysis(code).entries(first_, slot_, live_); }

bool LiveEntries::wanted(VirtualId id, std::uint32_t bundle) const {
  const auto block = std::lower_bound(first_.begin(), first_.end(), bundle);
  if (block == first_.end() || *block != bundle) return false;  // after the code
  const std::uint32_t slot = slot_[id];
  return slot != ~0U && get(live_[static_cast<std::size_t>(block - first_.begin())], slot);
}

std::vector<LiveSegment> live_segments(const Bundled& code) { return Analysis(code).run(); }

std::vector<LiveSegment> held_segments(const Bundled& code, std::vector<LiveSegment> segments) {
  const auto segment_of = [&](VirtualId id, std::uint32_t gap) {
    return std::upper_bound(segments.begin(), segments.end(), std::pair(id, gap),
                            [](const auto& key, const LiveSegment& segment) {
                              return key < std::pair(segment.id, segment.first);
                            }) -
           1;
  };
  for (std::uint32_t bundle = 0; bundle < code.bundles(); ++bundle) {
    for (const BundledOperation& placed : code.bundle(bundle)) {
      const Effects effects = effects_of(placed.item.operation);
      if (!effects.writes || effects.latency == Latency::multiply) continue;
      const VirtualId id = placed.item.registers[effects.write.place];
      if (id == no_virtual) continue;
      const auto segment = segment_of(id, bundle + 1);
      if (segment->first != bundle + 1 || !segment->unread) continue;
      const auto next = segment + 1;
      const std::uint32_t room =
          next != segments.end() && next->id == id ? next->first - 1 : code.bundles();
      constexpr std::uint32_t no_lanes = 0;  // of multiplies only
      segment->last = std::max(
          segment->last,
          std::min(bundle + result_cycles(effects, placed.item.operation, no_lanes), room));
    }
  }
  return segments;
}

}  // namespace tandem::schedule
