#include "sim/trace/trace_diff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string_view>

namespace tandem::trace {
namespace {

constexpr std::string_view issued_name = "issued";

// A timeline with its places in words.
struct Told {
  explicit Told(const Timeline& timeline) : timeline(timeline) {
    for (const Place& place : timeline.places) {
      places.push_back(place.file.empty()
                           ? place.label
                           : fmt::format("{} ({}:{})", place.label, place.file, place.line));
    }
  }

  [[nodiscard]] std::string_view cause(const Span& span) const {
    return span.issued ? issued_name : std::string_view(timeline.names[span.name]);
  }
  [[nodiscard]] std::string what(std::size_t index) const {
    if (index == timeline.spans.size()) return "has ended";
    const Span& span = timeline.spans[index];
    return fmt::format("{} {}", span.issued ? "issues" : fmt::format("{} before", cause(span)),
                       places[span.place]);
  }

  const Timeline& timeline;
  std::vector<std::string> places;
};

std::optional<Parting> find_parting(const Told& a, const Told& b) {
  const std::vector<Span>& first = a.timeline.spans;
  const std::vector<Span>& second = b.timeline.spans;
  const std::size_t common = std::min(first.size(), second.size());
  for (std::size_t i = 0; i < common; ++i) {
    const Span& x = first[i];
    const Span& y = second[i];
    const bool same = x.first == y.first && x.issued == y.issued && a.cause(x) == b.cause(y) &&
                      a.places[x.place] == b.places[y.place];
    if (!same) return Parting{std::min(x.first, y.first), a.what(i), b.what(i)};
    if (x.count == y.count) continue;
    // One of the two is to continue from the state of the other.
    const bool a_goes_on = x.count > y.count;
    return Parting{x.first + std::min(x.count, y.count), a.what(a_goes_on ? i : i + 1),
                   b.what(a_goes_on ? i + 1 : i)};
  }
  if (first.size() == second.size()) return std::nullopt;
  const Span& longer = (first.size() > common ? first : second)[common];
  return Parting{longer.first, a.what(common), b.what(common)};
}

std::string key_of(const Place& place, GroupBy group) {
  if (group == GroupBy::line && !place.file.empty()) {
    return fmt::format("{}:{}", place.file, place.line);
  }
  return place.label.substr(0, place.label.find_first_of("+ "));
}

struct Totals {
  std::map<std::string, Share> causes;
  std::map<std::string, std::map<std::string, Share>> places;  // by cause
};

void add(Totals& totals, const Told& told, GroupBy group, std::uint64_t Share::*side) {
  // Strings only once for each pair of place and cause.
  std::map<std::pair<std::uint32_t, std::string_view>, std::uint64_t> cycles;
  for (const Span& span : told.timeline.spans) {
    cycles[{span.place, told.cause(span)}] += span.count;
  }
  for (const auto& [key, count] : cycles) {
    const std::string cause(key.second);
    totals.causes[cause].*side += count;
    totals.places[key_of(told.timeline.places[key.first], group)][cause].*side += count;
  }
}

std::vector<Share> sorted(const std::map<std::string, Share>& shares) {
  std::vector<Share> list;
  for (const auto& [name, share] : shares) {
    list.push_back(share);
    list.back().name = name;
  }
  std::stable_sort(list.begin(), list.end(), [](const Share& a, const Share& b) {
    return std::llabs(a.lost()) > std::llabs(b.lost());
  });
  return list;
}

std::map<std::string, Share> sums(
    const std::map<std::string, std::map<std::string, Share>>& places) {
  std::map<std::string, Share> result;
  for (const auto& [name, causes] : places) {
    Share& share = result[name];
    share.causes = sorted(causes);
    for (const Share& cause : share.causes) {
      share.before += cause.before;
      share.after += cause.after;
    }
  }
  return result;
}

std::string row_text(const Share& share) {
  return fmt::format("{:>+10} {:>10} {:>10}  {}", share.lost(), share.before, share.after,
                     share.name);
}

// The largest changes in a place: "sync_wait +120, issued -3".
std::string reasons(const Share& place) {
  constexpr std::size_t shown = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(shown, place.causes.size()); ++i) {
    const Share& cause = place.causes[i];
    if (cause.lost() == 0) break;
    text += fmt::format("{}{} {:+}", text.empty() ? "" : ", ", cause.name, cause.lost());
  }
  return text;
}

}  // namespace

Difference compare(const Timeline& before, const Timeline& after, GroupBy group) {
  const Told first(before);
  const Told second(after);
  Totals totals;
  add(totals, first, group, &Share::before);
  add(totals, second, group, &Share::after);
  return {before.cycles, after.cycles, find_parting(first, second), sorted(totals.causes),
          sorted(sums(totals.places))};
}

std::string difference_text(const Difference& difference, std::size_t places) {
  const auto lost =
      static_cast<std::int64_t>(difference.after) - static_cast<std::int64_t>(difference.before);
  std::string text =
      fmt::format("cycles: {} then {} ({:+})\n", difference.before, difference.after, lost);
  if (!difference.parting) return text + "no difference: both runs do the same in every cycle\n";
  text +=
      fmt::format("the runs part in cycle {}:\n  the first {}\n  the second {}\n",
                  difference.parting->cycle, difference.parting->before, difference.parting->after);
  text += "\n    change      first     second  by cause\n";
  for (const Share& cause : difference.causes) text += row_text(cause) + "\n";
  text += "\n    change      first     second  by place\n";
  std::size_t rows = 0;
  std::size_t left = 0;
  for (const Share& place : difference.places) {
    const std::string why = reasons(place);
    if (why.empty()) continue;
    if (rows++ < places) {
      text += fmt::format("{}: {}\n", row_text(place), why);
    } else {
      ++left;
    }
  }
  if (rows == 0) text += "  (every place takes as long as before)\n";
  if (left != 0) text += fmt::format("  ... {} more places changed (--top)\n", left);
  return text;
}

}  // namespace tandem::trace
