#include "cli/debug/info.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "isa/registers.hpp"

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

std::string caller_text(const Session& session) {
  const std::uint32_t back = session.golden().state().scalars[1];
  if (back == 0 || back >= session.source().image().text.size()) return "";
  return fmt::format("s1, by convention the return address, leads to {}\n",
                     session.source().place(back));
}

}  // namespace tandem::debug
