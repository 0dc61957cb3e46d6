#include "cli/debug/info.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "isa/encoding.hpp"
#include "isa/golden/copy.hpp"
#include "isa/registers/registers.hpp"
#include "isa/text/text.hpp"

namespace tandem::debug {
namespace {

std::string_view cause_name(StallCause cause) {
  return stall_causes()[static_cast<std::size_t>(cause)].name;
}

std::string lost_text(const std::vector<LostCycles>& lost) {
  std::uint64_t cycles = 0;
  std::string causes;
  for (const LostCycles& run : lost) {
    cycles += run.count;
    causes += fmt::format("{}{} {}", causes.empty() ? "" : ", ", cause_name(run.cause), run.count);
  }
  return cycles == 0 ? "" : fmt::format("  {} lost: {}", cycles, causes);
}

}  // namespace

std::string stalls_text(const Session& session, std::uint64_t count) {
  if (!session.target().cycle()) {
    return "the golden model knows no time, so nothing stalls; use --on cycle\n";
  }
  const std::vector<IssueTime> issues = session.target().last_issues();
  std::string text;
  for (std::size_t i = issues.size() - std::min<std::size_t>(issues.size(), count);
       i < issues.size(); ++i) {
    const IssueTiming& issue = issues[i].issue;
    text += fmt::format("cycle {:>8}  bundle {:>8}  {}{}\n", issue.cycle, issue.sequence,
                        session.source().place(issue.pc), lost_text(issues[i].lost));
  }
  return text.empty() ? "no bundle has issued yet\n" : text;
}

std::string copies_text(const Session& session) {
  const bool timed = session.target().cycle().has_value();
  std::string text;
  for (const OpenCopy& copy : session.target().open_copies()) {
    text += fmt::format("{} -> {}, adds {} to f{}, started at {}{}\n", copy.source,
                        copy.destination, copy.amount, copy.flag, session.source().place(copy.pc),
                        copy.cycle ? fmt::format(" in cycle {}", *copy.cycle) : "");
  }
  if (!text.empty()) {
    return (timed ? "in flight:\n" : "not yet proved complete by a wait:\n") + text;
  }
  return timed ? "no copy is in flight\n" : "a wait has proved every copy complete\n";
}

std::string all_copies_text(const Session& session, std::span<const RetireRecord> records) {
  const auto side = [](const golden::Copy& copy, const golden::CopySide& which) -> std::string {
    if (copy.moves_nothing()) return "nothing";
    const golden::BoundingBox box = golden::bounding_box(copy, which);
    return memory_range_text(which.space, static_cast<std::uint64_t>(box.begin),
                             static_cast<std::uint64_t>(box.end));
  };
  std::string text;
  for (const RetireRecord& record : records) {
    if (!record.has_copy) continue;
    const golden::Copy copy = golden::issued_copy(record.copy);
    text += fmt::format("bundle {:>6}  {} -> {}, {} bytes in {} run{}, adds {} to f{}  {}\n",
                        record.sequence, side(copy, copy.source), side(copy, copy.destination),
                        copy.moves_nothing() ? 0 : copy.runs() * copy.length, copy.runs(),
                        copy.runs() == 1 ? "" : "s", copy.amount, copy.flag,
                        session.source().place(record.pc));
  }
  return text.empty() ? "no copy has been started\n" : text;
}

std::string flags_text(const Session& session) {
  const auto& flags = session.golden().state().flags;
  const std::vector<OpenCopy> open = session.target().open_copies();
  const auto& bundles = session.source().image().text;
  std::string text;
  for (std::uint32_t flag = 0; flag < sync_flags; ++flag) {
    std::string users;
    for (const OpenCopy& copy : open) {
      if (copy.flag != flag) continue;
      users +=
          fmt::format("  {} will add or has added {}: {} -> {}\n", session.source().place(copy.pc),
                      copy.amount, copy.source, copy.destination);
    }
    for (std::uint32_t pc = 0; pc < bundles.size(); ++pc) {
      const auto operation = decode(Slot::dma, slot_bits(bundles[pc], Slot::dma));
      const bool names = operation && operation->op != Op::copy &&
                         operation->operands[0].extra == 0 &&
                         operation->operands[0].value == static_cast<std::int32_t>(flag) &&
                         !is_empty(slot_bits(bundles[pc], Slot::dma));
      if (!names) continue;
      users += fmt::format("  {} {}\n", session.source().place(pc), operation_text(*operation));
    }
    if (flags[flag] == 0 && users.empty()) continue;
    text += fmt::format("f{} {}\n{}", flag, static_cast<std::int32_t>(flags[flag]), users);
  }
  return text + "every other flag is 0 and named by no bundle\n";
}

std::string caller_text(const Session& session) {
  const std::uint32_t back = session.golden().state().scalars[1];
  if (back == 0 || back >= session.source().image().text.size()) return "";
  return fmt::format("s1, by convention the return address, leads to {}\n",
                     session.source().place(back));
}

}  // namespace tandem::debug
