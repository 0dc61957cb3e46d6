// The program's position and the reason for the stop.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/debug/print.hpp"
#include "runtime/models/listing.hpp"
#include "runtime/models/trap_note.hpp"

namespace tandem::debug {
namespace {

std::string_view kind_name(Breakpoint::Kind kind) {
  switch (kind) {
    case Breakpoint::Kind::location: return "breakpoint";
    case Breakpoint::Kind::condition: return "condition";
    case Breakpoint::Kind::watch: return "watchpoint";
  }
  return "";
}

std::string breakpoint_stop_text(const Stop& stop) {
  const Breakpoint& breakpoint = *stop.breakpoint;
  std::string text =
      fmt::format("{} {}: {}", kind_name(breakpoint.kind), breakpoint.number, breakpoint.text);
  if (!breakpoint.condition_text.empty()) {
    text += fmt::format("{}if {}", breakpoint.text.empty() ? "" : " ", breakpoint.condition_text);
  }
  text += '\n';
  if (!stop.problem.empty()) text += fmt::format("its condition has no value: {}\n", stop.problem);
  for (const Change& change : stop.changes) {
    text += fmt::format("  {}: {} -> {}{}\n", change.place, change.before, change.after,
                        change.before == change.after ? " (unchanged)" : "");
  }
  if (stop.more_changes) text += "  ... and more\n";
  return text;
}

std::string finding_text(const Session& session, const Finding& finding) {
  std::string text = fmt::format("{}: {}\n  found at {}\n", finding_name(finding.kind),
                                 finding.message, session.source().place(finding.pc));
  if (finding.origin_pc) {
    text += fmt::format("  it comes from {}\n    {}\n", session.source().place(*finding.origin_pc),
                        session.source().bundle(*finding.origin_pc));
  }
  return text;
}

std::string_view status_name(RunStatus status) {
  switch (status) {
    case RunStatus::running: return "running";
    case RunStatus::halted: return "halted";
    case RunStatus::trapped: return "trapped";
    case RunStatus::reported: return "reported";
    case RunStatus::waiting: return "waiting";
  }
  return "";
}

}  // namespace

std::string end_text(const Session& session) {
  const GoldenModel& model = session.golden();
  switch (session.target().status()) {
    case RunStatus::running:
    case RunStatus::waiting: return "";
    case RunStatus::halted:
      return fmt::format("the program halted after {} bundles\n", model.bundles());
    case RunStatus::trapped:
      return fmt::format("trap: {}\n{}", trap_text(model.trap()),
                         trap_note(model, session.source().image()));
    case RunStatus::reported: return finding_text(session, *model.finding());
  }
  return "";
}

std::string position_text(const Session& session) {
  const std::uint32_t pc = session.golden().pc();
  const SourceMap& source = session.source();
  std::string text = fmt::format("bundle {}", session.timeline().position());
  if (const auto cycle = session.target().cycle()) text += fmt::format("  cycle {}", *cycle);
  text += "  " + source.place(pc) + "\n";
  const SourceLine line = source.line(pc);
  if (const auto written = source.text(line))
    text += fmt::format("{:>6}  {}\n", line.line, *written);
  if (session.target().status() == RunStatus::halted) return text;
  return text + fmt::format("    =>  {}\n", source.bundle(pc));
}

std::string stop_text(const Session& session, const Stop& stop) {
  std::string text;
  switch (stop.reason) {
    case StopReason::done: break;
    case StopReason::breakpoint: text = breakpoint_stop_text(stop); break;
    case StopReason::beginning: text = "the beginning of the run\n"; break;
    case StopReason::end: break;
    case StopReason::interrupted: text = "interrupted\n"; break;
  }
  return text + end_text(session) + position_text(session);
}

nlohmann::json stop_json(const Session& session, const Stop& stop) {
  const GoldenModel& model = session.golden();
  nlohmann::json json{{"reason", stop_reason_name(stop.reason)},
                      {"bundle", session.timeline().position()},
                      {"pc", model.pc()},
                      {"label", session.source().label_offset(model.pc())},
                      {"status", status_name(session.target().status())}};
  if (const auto cycle = session.target().cycle()) json["cycle"] = *cycle;
  if (const SourceLine line = session.source().line(model.pc())) {
    json["file"] = session.source().image().source.files[line.file];
    json["line"] = line.line;
  }
  if (stop.breakpoint) json["breakpoint"] = stop.breakpoint->number;
  for (const Change& change : stop.changes) {
    json["changes"].push_back(
        {{"place", change.place}, {"before", change.before}, {"after", change.after}});
  }
  if (model.trap()) {
    json["trap"] = {{"cause", trap_name(model.trap().cause)}, {"detail", model.trap().detail}};
  }
  if (model.finding()) json["finding"] = model.finding()->message;
  return json;
}

}  // namespace tandem::debug
