#include "cli/debug/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "cli/messages/messages.hpp"
#include "cli/messages/user_error.hpp"

namespace tandem::debug {
namespace {

constexpr std::uint64_t everything = std::numeric_limits<std::uint64_t>::max();

}  // namespace

std::string_view stop_reason_name(StopReason reason) {
  switch (reason) {
    case StopReason::done: return "done";
    case StopReason::breakpoint: return "breakpoint";
    case StopReason::beginning: return "beginning";
    case StopReason::end: return "end";
    case StopReason::interrupted: return "interrupted";
  }
  return "";
}

Session::Session(std::unique_ptr<Target> target, std::vector<std::string> folders,
                 TimelineOptions options)
    : launch_(target->launch()),
      source_(*launch_.image, std::move(folders)),
      breakpoints_(*launch_.image),
      timeline_(std::move(target), launch_.image->text.size(), options),
      monitor_(timeline_, breakpoints_, interrupt_) {}

Stop Session::end_or_done() const {
  Stop stop;
  if (timeline_.at_end()) stop.reason = StopReason::end;
  return stop;
}

Stop Session::stop_at(const Hit& hit) {
  Stop stop;
  if (hit.interrupted) {
    stop.reason = StopReason::interrupted;
    return stop;
  }
  if (hit.breakpoint == 0) return end_or_done();
  stop.reason = StopReason::breakpoint;
  stop.breakpoint = *breakpoints_.find(hit.breakpoint);
  ++stop.breakpoint->hits;
  stop.problem = hit.problem;
  if (stop.breakpoint->kind == Breakpoint::Kind::watch) add_changes(stop);
  breakpoints_.count_hit(hit.breakpoint);
  return stop;
}

// Executes the last bundle again, to see its writes and the old values.
void Session::add_changes(Stop& stop) {
  const Selection& selection = stop.breakpoint->selection;
  const std::uint64_t behind = timeline_.position() - 1;
  timeline_.move_to(behind);
  RetireRecord record;
  timeline_.step(&record);
  const std::vector<std::uint64_t> written = written_elements(record, *stop.breakpoint);
  const auto values = [&] {
    std::vector<std::string> texts;
    for (const std::uint64_t element : written) {
      if (is_unwritten(golden(), selection, element)) {
        texts.emplace_back("?");
        continue;
      }
      const std::uint32_t bits = element_bits(golden(), selection, element);
      texts.push_back(
          fmt::format("{}", fmt::join(texts_of(bits, selection.width, selection.type), " ")));
    }
    return texts;
  };
  const std::vector<std::string> after = values();
  timeline_.move_to(behind);
  const std::vector<std::string> before = values();
  timeline_.step(nullptr);
  for (std::size_t i = 0; i < std::min(written.size(), most_changes); ++i) {
    const std::string place = selection.element_text(selection.place_of(written[i]));
    stop.changes.push_back({place, before[i], after[i]});
  }
  stop.more_changes = written.size() > most_changes;
}

// Watched changes, at most one more than is shown.
std::vector<std::uint64_t> Session::written_elements(const RetireRecord& record,
                                                     const Breakpoint& watch) const {
  std::vector<std::uint64_t> written;
  const std::uint64_t unit = watch.selection.unit();
  const std::uint64_t base = watch.selection.base;
  for_each_write(record, golden().parameters(), [&](Area area, const Span& span) {
    if (area != watch.selection.area) return;
    for (const Span& piece : watch.places->common(span)) {
      // Elements of a tensor may be narrower than the units of a copy, never wider.
      for (std::uint64_t at = piece.begin - (piece.begin - base) % unit; at < piece.end;
           at += unit) {
        if (written.size() > most_changes) return;
        written.push_back(at);
      }
    }
  });
  return written;
}

Stop Session::step(std::uint64_t count) {
  const std::uint64_t here = timeline_.position();
  const std::uint64_t limit = count > everything - here ? everything : here + count;
  const auto hit = monitor_.advance(limit);
  return hit ? stop_at(*hit) : end_or_done();
}

Stop Session::run(const Until* until) {
  const auto hit = monitor_.advance(everything, until);
  return hit ? stop_at(*hit) : end_or_done();
}

Stop Session::reverse_step(std::uint64_t count) {
  const std::uint64_t here = timeline_.position();
  const std::uint64_t limit = here - std::min(here, count);
  if (count > 1) return backwards(limit, nullptr);
  timeline_.move_to(limit);
  Stop stop;
  if (limit == here) stop.reason = StopReason::beginning;
  return stop;
}

Stop Session::reverse_run(const Until* until) { return backwards(0, until); }

// The last place to stop at positions in (after, last], the snapshot at or before `after` being
// where the search starts.
std::optional<Session::Found> Session::last_hit(std::uint64_t after, std::uint64_t last,
                                                const Until* until, bool& interrupted) {
  std::optional<Found> found;
  timeline_.move_to(after);
  while (timeline_.position() < last) {
    const auto hit = monitor_.advance(last, until);
    if (!hit) break;
    interrupted = hit->interrupted;
    if (interrupted) return std::nullopt;
    found = Found{timeline_.position(), *hit};
  }
  return found;
}

// From the newest stretch between two snapshots to the oldest.
Stop Session::backwards(std::uint64_t limit, const Until* until) {
  const std::uint64_t here = timeline_.position();
  std::uint64_t last = here;  // candidates are before this
  while (last > limit + 1) {
    const std::uint64_t start = std::max(timeline_.snapshot_before(last - 2), limit);
    bool interrupted = false;
    const auto found = last_hit(start, last - 1, until, interrupted);
    if (interrupted) {
      timeline_.move_to(here);
      return stop_at({0, true, {}});
    }
    if (found) {
      timeline_.move_to(found->position);
      return stop_at(found->hit);
    }
    last = start + 1;
  }
  timeline_.move_to(limit);
  Stop stop;
  if (limit == 0) stop.reason = StopReason::beginning;
  return stop;
}

Stop Session::move_to(std::uint64_t bundle) {
  // In pieces, so that Ctrl-C is noticed.
  constexpr std::uint64_t piece = 100'000;
  if (bundle < timeline_.position()) timeline_.move_to(bundle);
  while (timeline_.position() < bundle && !timeline_.at_end()) {
    if (interrupt_.load(std::memory_order_relaxed)) return stop_at({0, true, {}});
    const std::uint64_t known = timeline_.snapshot_before(bundle);
    const std::uint64_t next = std::max(known, timeline_.position() + piece);
    timeline_.move_to(std::min(next, bundle));
  }
  return end_or_done();
}

Stop Session::move_to_cycle(std::uint64_t cycle) {
  if (!target().cycle()) throw UserError{message::golden_has_no_cycles};
  while (*target().cycle() > cycle && timeline_.position() != 0) {
    timeline_.move_to(timeline_.snapshot_before(timeline_.position() - 1));
  }
  constexpr std::uint64_t piece = 8192;
  std::uint64_t behind = timeline_.position();
  while (*target().cycle() < cycle && !timeline_.at_end()) {
    if (interrupt_.load(std::memory_order_relaxed)) return stop_at({0, true, {}});
    behind = timeline_.position();
    timeline_.move_to(behind + piece);
  }
  timeline_.move_to(behind);
  while (*target().cycle() < cycle && !timeline_.at_end()) timeline_.step(nullptr);
  return end_or_done();
}

std::vector<RetireRecord> Session::history(std::uint64_t count) {
  const std::uint64_t here = timeline_.position();
  timeline_.move_to(here - std::min(here, count));
  std::vector<RetireRecord> records;
  while (timeline_.position() < here) timeline_.step(&records.emplace_back());
  return records;
}

}  // namespace tandem::debug
