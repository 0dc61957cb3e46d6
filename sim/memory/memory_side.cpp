#include "sim/memory/memory_side.hpp"

#include <algorithm>

namespace tandem {
namespace {

constexpr std::uint32_t line_bytes = timing::fetch_line_bundles * bundle_bytes;

bool satisfies(std::uint32_t flag, std::uint32_t n) {
  return static_cast<std::int32_t>(flag - n) >= 0;
}

}  // namespace

MemorySide::MemorySide(const Parameters& parameters, const MemoryTimingParameters& timing,
                       std::uint64_t text_address, std::uint32_t text_bundles)
    : text_address_(text_address),
      beat_bytes_(parameters.beat_bytes()),
      smem_words_(parameters.smem_words()),
      fetch_(parameters, text_bundles),
      port_(timing),
      copies_(parameters, timing) {}

// ---- start and end ------------------------------------------------------------------------------

void MemorySide::start(std::uint32_t entry_pc, const Arguments& arguments,
                       std::span<const DescriptorWords> start_copies) {
  fetch_.move(0, entry_pc);
  fetch_.find_sure_range();
  lookup_ = {fetch_.in_text(entry_pc), false, entry_pc, 0};
  if (arguments.words == 0 || arguments.words > smem_words_) {
    running_from_ = 1;
  } else {
    push_arguments(arguments);
  }
  for (const DescriptorWords& words : start_copies) {
    const CopyDescriptor fields = descriptor_of(words);
    copies_.push_at_start({words, fields.source, fields.destination});
  }
}

void MemorySide::push_arguments(const Arguments& arguments) {
  CopyIssue copy;  // one run from HBM to the beginning of SMEM
  copy.descriptor[0] = static_cast<std::uint32_t>(CopySpace::smem) << 10U;
  copy.descriptor[6] = arguments.words * 4;
  copy.descriptor[7] = copy.descriptor[10] = copy.descriptor[13] = 1;
  copy.source = arguments.address;
  copies_.push_at_start(copy);
}

std::uint64_t MemorySide::running_from(std::uint64_t limit) {
  while (running_from_ == 0 && now_ < limit) step(limit);
  return running_from_ == 0 ? limit : std::min(running_from_, limit);
}

void MemorySide::stop_fetch(std::uint64_t cycle) {
  lookup_.active = false;
  if (!fetch_.sleeps_until(cycle + 1)) advance(cycle + 1);
  fetch_.stop(cycle + 1);
}

std::uint64_t MemorySide::idle_from(std::uint64_t cycle, std::uint64_t limit) {
  advance(std::min(cycle, limit));
  while (now_ < limit && (!fetch_.idle() || port_.outstanding() + copies_.outstanding() != 0)) {
    step(limit);
  }
  return now_;
}

// ---- bundles ------------------------------------------------------------------------------------

std::uint64_t MemorySide::find_bundle(std::uint64_t issued, bool taken, std::uint32_t pc,
                                      std::uint64_t limit) {
  const std::uint64_t at = issued + (taken ? 2 : 1);
  if (at <= limit && (!taken || fetch_.glide(issued + 1, pc)) && fetch_.glide(at, pc + 1)) {
    return at;
  }
  if (taken) {
    if (!fetch_.sleeps_until(issued + 1)) advance(issued + 1);
    fetch_.forget_miss();
    move_pc(issued + 1, pc);
  }
  lookup_ = {true, false, pc, at - 1};
  return bundle_at(limit);
}

std::uint64_t MemorySide::bundle_at(std::uint64_t limit) {
  if (!lookup_.found) {
    if (!fetch_.asleep() || !fetch_.hit()) {
      advance(std::min(lookup_.from, limit));
      while (!fetch_.hit(lookup_.pc) && now_ < limit) step(limit);
      if (!fetch_.hit(lookup_.pc)) return limit;
      lookup_.from = std::max(lookup_.from, now_);
    }
    lookup_.found = true;
  }
  // The bundle goes to issue at the end of this cycle, and the PC to the next one.
  const std::uint64_t at = lookup_.from + 1;
  if (at > limit) return limit;
  lookup_.active = false;
  move_pc(at, lookup_.pc + 1);
  return at;
}

void MemorySide::move_pc(std::uint64_t cycle, std::uint32_t pc) {
  if (!fetch_.is_at(pc)) {
    if (!fetch_.sleeps_until(cycle)) advance(cycle);
    fetch_.move(cycle, pc);
  }
  fetch_.find_sure_range();
}

// ---- copies and flags ---------------------------------------------------------------------------

std::uint64_t MemorySide::queue_free(std::uint64_t cycle, std::uint64_t limit) {
  if (!copies_.queue_full()) return cycle;
  advance(std::min(cycle, limit));
  while (copies_.queue_full() && now_ < limit) step(limit);
  return std::max(now_, std::min(cycle, limit));
}

void MemorySide::copy(std::uint64_t cycle, std::uint64_t vmem_free, std::uint64_t sequence,
                      const CopyIssue& copy) {
  if (idle()) advance(cycle);
  copies_.push(cycle, vmem_free, sequence, copy);
}

void MemorySide::flag_add(std::uint64_t, std::uint32_t flag, std::uint32_t n) {
  copies_.set_flag(flag, copies_.flag(flag) + n);  // in any order with those of copies
}

void MemorySide::flag_set(std::uint64_t cycle, std::uint32_t flag, std::uint32_t n) {
  if (copies_.outstanding() != 0 || tied()) advance(cycle);
  copies_.set_flag(flag, n);
}

MemorySide::WaitEnd MemorySide::wait(std::uint64_t cycle, std::uint32_t flag, std::uint32_t n,
                                     std::uint64_t limit) {
  const auto waits = [this] { return copies_.outstanding() != 0 || tied(); };
  if (!waits()) {
    const bool met = satisfies(copies_.flag(flag), n);
    return {cycle, !met, met};
  }
  advance(std::min(cycle, limit));
  while (!satisfies(copies_.flag(flag), n) && waits() && now_ < limit) step(limit);
  const bool met = satisfies(copies_.flag(flag), n);
  return {now_, !met && !waits() && now_ < limit, met};
}

// ---- queries ------------------------------------------------------------------------------------

MemoryCounts MemorySide::counts(std::uint64_t cycle) {
  advance(cycle);
  return {read_beats_ * beat_bytes_, write_beats_ * beat_bytes_, fetch_beats_ * beat_bytes_,
          fetch_.misses(), completed_};
}

std::uint32_t MemorySide::flag(std::uint64_t cycle, std::uint32_t flag) {
  advance(cycle);
  return copies_.flag(flag);
}

bool MemorySide::still(std::uint64_t cycle) {
  advance(cycle);
  return copies_.outstanding() == 0 && copies_.links_idle();
}

std::uint32_t MemorySide::copies_outstanding(std::uint64_t cycle) {
  advance(cycle);
  return copies_.outstanding();
}

std::uint64_t MemorySide::give_events(std::uint64_t cycle) {
  advance(cycle);
  return beats_.give(*sink_, cycle);
}

void MemorySide::give_all_events(std::uint64_t cycle) {
  advance(cycle);
  beats_.give_all(*sink_);
}

// ---- time ---------------------------------------------------------------------------------------

void MemorySide::advance(std::uint64_t cycle) {
  while (now_ < cycle) step(cycle);
}

// One cycle, and all that follow in which nothing happens, up to `limit`.
void MemorySide::step(std::uint64_t limit) {
  if (fetch_.asleep()) {
    if (fetch_.wakes_at() <= now_) {
      fetch_.wake();
    } else {
      limit = std::min(limit, fetch_.wakes_at());
      if (copies_.outstanding() == 0 && copies_.links_idle()) {
        now_ = std::max(now_, std::min(limit, copies_.link_event()));
        if (now_ == limit) return;
      }
    }
  }
  const std::uint64_t undisturbed = std::min(limit, copies_.link_event());
  if (fetch_.asleep() && port_.responds(now_) && copies_.links_idle() && undisturbed > now_ &&
      stretch(undisturbed)) {
    return;
  }
  if (!(fetch_.asleep() ? tick<false>() : tick<true>())) return;
  std::uint64_t next = std::min({limit, copies_.next_event(now_), copies_.link_event()});
  if (port_.waiting()) next = std::min(next, port_.due());
  if (next <= now_) return;
  if (!fetch_.asleep()) fetch_.walk(next - now_);
  now_ = next;
}

// Regular cycles of a copy that reads, many in one step; returns whether there were any. Fetch
// sleeps.
bool MemorySide::stretch(std::uint64_t limit) {
  const std::uint64_t first = now_;
  if (!port_.has_request()) {
    const std::uint64_t most = std::min<std::uint64_t>(port_.beats_in_a_row(), limit - now_);
    const auto n = static_cast<std::uint32_t>(std::min(most, copies_.stretch(now_)));
    if (n == 0) return false;
    port_.respond(n);
    copies_.pass_stretch(n);
    now_ += n;
  } else {
    if (port_.is_free()) stretch_rows(std::min(limit, now_ + copies_.stretch_rows()));
    if (now_ == first) return false;
  }
  read_beats_ += now_ - first;
  if (sink_ != nullptr) beats_.add(*sink_, MemoryPath::copy_read, first, now_ - first);
  return true;
}

// Each cycle delivers the only beat of a burst, grants the next one and accepts another.
void MemorySide::stretch_rows(std::uint64_t end) {
  if (now_ >= end || port_.beats_left() != 1) return;
  for (; now_ < end && port_.responds(now_) && port_.beats_left() == 1; ++now_) {
    port_.respond();
    port_.grant(now_);
    port_.accept(ReadPort::Client::copies, copies_.address(), 1);
    copies_.pass_row();
  }
  copies_.end_rows();
}

// Returns whether nothing happened except a step of the prefetch candidate.
template <bool fetching>
bool MemorySide::tick() {
  const std::uint64_t cycle = now_++;
  FetchTiming::Wants wants;
  if constexpr (fetching) wants = fetch_.wants();
  const bool wants_burst = copies_.wants_burst();
  const bool free = port_.is_free();
  const bool granted = port_.granted();
  const bool turn = wants.prefetch && (!wants_burst || port_.prefetch_turn());
  const bool burst = free && wants_burst && !wants.demand && !turn;

  const bool beat = port_.responds(cycle);
  const bool copy_beat = beat && port_.client() != ReadPort::Client::fetch;
  const auto reader = static_cast<std::uint32_t>(beat ? port_.client() : ReadPort::Client::fetch);
  if (beat) port_.respond();
  if (granted) port_.grant(cycle);
  if (burst) {
    port_.accept(ReadPort::reader(copies_.asking()), copies_.address(), copies_.beats());
  }

  CopyEngine::Cycle copies;
  if (tied()) {
    copies = copies_.tick_tied(cycle, burst, copy_beat, reader - 1);
  } else if (copies_.outstanding() != 0) {
    copies = copies_.tick(cycle, burst, copy_beat);
  }
  bool quiet = copies.quiet && !granted && !burst && !beat;
  if constexpr (fetching) {
    const bool demand = free && wants.demand;
    const bool prefetch = free && turn && !wants.demand;
    if (burst && wants.prefetch) port_.pass_prefetch();
    if (prefetch) port_.take_prefetch();
    if (demand) accept_line(fetch_.line());
    if (prefetch) accept_line(wants.candidate);
    quiet = fetch_.tick(cycle, wants, demand, prefetch, beat && !copy_beat) && quiet;
  }
  if (counts_) {
    read_beats_ += copy_beat ? 1 : 0;
    fetch_beats_ += beat && !copy_beat ? 1 : 0;
    write_beats_ += copies.sent ? 1 : 0;
    completed_ += copies.done ? 1 : 0;
  }
  // One cycle notices that the argument block is there, and issue begins in the next.
  if (running_from_ == 0 && copies.loaded) running_from_ = cycle + 2;
  if (sink_ != nullptr) give(cycle, copies, beat, copy_beat);
  return quiet;
}

void MemorySide::accept_line(std::uint32_t line) {
  port_.accept(ReadPort::Client::fetch, text_address_ + std::uint64_t{line} * line_bytes,
               fetch_.line_beats());
}

void MemorySide::give(std::uint64_t cycle, const CopyEngine::Cycle& copies, bool beat,
                      bool copy_beat) {
  if (beat) beats_.add(*sink_, copy_beat ? MemoryPath::copy_read : MemoryPath::fetch, cycle, 1);
  if (copies.sent) beats_.add(*sink_, MemoryPath::copy_write, cycle, 1);
  if (copies.done) sink_->copy_done({cycle, copies_.completed()});
}

}  // namespace tandem
