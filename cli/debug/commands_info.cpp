// `info`: tables of the available information.
#include <fmt/format.h>

#include <array>
#include <bit>
#include <nlohmann/json.hpp>
#include <utility>

#include "cli/debug/command_table.hpp"
#include "cli/debug/info.hpp"
#include "cli/debug/print.hpp"
#include "cli/messages/messages.hpp"
#include "cli/messages/user_error.hpp"

namespace tandem::debug {
namespace {

constexpr std::uint64_t most_copies_searched = 100'000;

struct Topic {
  std::string_view name;
  std::string_view meaning;
  Reply (*run)(Shell& shell, const std::string& argument);
};

Reply text_reply(std::string text) { return {std::move(text), {}, false, false}; }

Reply info_breakpoints(Shell& shell, const std::string&) {
  std::string text;
  for (const Breakpoint& breakpoint : shell.session().breakpoints().all()) {
    text += breakpoint_text(shell.session(), breakpoint);
  }
  return text_reply(text.empty() ? "no breakpoints\n" : text);
}

Reply info_scalars(Shell& shell, const std::string&) {
  const auto& scalars = shell.session().golden().state().scalars;
  Reply reply;
  nlohmann::json data;
  for (std::uint32_t i = 0; i < scalar_registers; ++i) {
    data.push_back(scalars[i]);
    if (scalars[i] == 0) continue;
    reply.text += fmt::format("{:<4} {:08x} {:>11} {:>14}\n", fmt::format("s{}", i), scalars[i],
                              static_cast<std::int32_t>(scalars[i]),
                              fmt::format("{}", std::bit_cast<float>(scalars[i])));
  }
  reply.text += "every other scalar is 0\n";
  reply.data = shared_json(std::move(data));
  return reply;
}

Reply info_predicates(Shell& shell, const std::string&) {
  Reply reply;
  nlohmann::json data;
  const auto& predicates = shell.session().golden().state().predicates;
  for (std::uint32_t i = 0; i < predicate_registers; ++i) {
    reply.text += fmt::format("{}p{} {}", i == 0 ? "" : "  ", i, predicates[i]);
    data.push_back(predicates[i]);
  }
  reply.text += '\n';
  reply.data = shared_json(std::move(data));
  return reply;
}

Reply info_flags(Shell& shell, const std::string&) {
  const auto& flags = shell.session().golden().state().flags;
  nlohmann::json data;
  for (std::uint32_t i = 0; i < sync_flags; ++i) data.push_back(flags[i]);
  return {flags_text(shell.session()), shared_json(std::move(data)), false, false};
}

Reply info_tensors(Shell& shell, const std::string&) {
  Reply reply;
  nlohmann::json data;
  for (const PlacedTensor& placed : shell.session().launch().tensors) {
    const Tensor& tensor = placed.tensor;
    const std::string_view role = tensor.input && tensor.output ? "inout"
                                  : tensor.input                ? "in"
                                  : tensor.output               ? "out"
                                                                : "";
    reply.text += fmt::format("{:<16} {:<5} [{}] {:<5} HBM {:#x}, {} bytes\n", tensor.name,
                              element_name(tensor.type), fmt::join(tensor.dimensions, ", "), role,
                              placed.address, placed.bytes);
    data.push_back({{"name", tensor.name},
                    {"type", element_name(tensor.type)},
                    {"shape", tensor.dimensions},
                    {"address", placed.address}});
  }
  reply.data = shared_json(std::move(data));
  if (reply.text.empty()) reply.text = "the program declares no tensors\n";
  return reply;
}

Reply info_labels(Shell& shell, const std::string&) {
  std::string text;
  for (const Label& label : shell.session().source().image().labels) {
    text += fmt::format("{:>8}  {}\n", label.pc, label.name);
  }
  return text_reply(text.empty() ? "the program has no labels\n" : text);
}

Reply info_snapshots(Shell& shell, const std::string&) {
  const Timeline& timeline = shell.session().timeline();
  return {fmt::format("{} snapshots, {:.1f} MiB, at most {:.1f} ms of execution apart\n",
                      timeline.snapshots(),
                      static_cast<double>(timeline.snapshot_bytes()) / (1024.0 * 1024.0),
                      timeline.widest_gap() * 1e3),
          shared_json({{"snapshots", timeline.snapshots()}, {"bytes", timeline.snapshot_bytes()}}),
          false, false};
}

Reply info_end(Shell& shell, const std::string&) {
  const std::string text = end_text(shell.session());
  return text_reply(text.empty() ? "the program runs: no trap, no finding\n" : text);
}

Reply info_stalls(Shell& shell, const std::string& argument) {
  return text_reply(stalls_text(shell.session(), count_argument(argument, 10)));
}

Reply info_copies(Shell& shell, const std::string& argument) {
  Session& session = shell.session();
  if (argument.empty()) return text_reply(copies_text(session));
  if (argument != "all") throw UserError{message::info_copies_usage};
  const std::vector<RetireRecord> records = session.history(most_copies_searched);
  std::string text = all_copies_text(session, records);
  if (session.timeline().position() > most_copies_searched) {
    text = fmt::format("of the last {} bundles:\n{}", most_copies_searched, text);
  }
  return text_reply(std::move(text));
}

Reply info_position(Shell& shell, const std::string&) {
  Reply reply = shell.stopped({});
  reply.text += caller_text(shell.session());
  return reply;
}

constexpr std::array<Topic, 11> topics{{
    {"breakpoints", "breakpoints and watchpoints", info_breakpoints},
    {"copies", "copies that are under way; `all`: every one so far", info_copies},
    {"end", "halt, trap, race or use of never-written data", info_end},
    {"flags", "sync flags, what they hold, who adds to them and who waits", info_flags},
    {"labels", "labels and their bundles", info_labels},
    {"position", "bundle, cycle, source line and caller", info_position},
    {"predicates", "p0 to p7", info_predicates},
    {"scalars", "scalar registers that are not 0, as hex, s32 and f32", info_scalars},
    {"snapshots", "what going backwards costs in memory", info_snapshots},
    {"stalls", "the cycles lost before each of the last bundles; a number says how many",
     info_stalls},
    {"tensors", "tensors, their shapes and places", info_tensors},
}};

}  // namespace

Reply run_info(Shell& shell, const Arguments& arguments) {
  const auto [word, argument] = split_word(arguments.rest);
  const Topic* found = nullptr;
  for (const Topic& topic : topics) {
    if (word.empty() || !topic.name.starts_with(word)) continue;
    if (found != nullptr)
      throw UserError{fmt::format(message::may_be_two, word, found->name, topic.name)};
    found = &topic;
  }
  if (found != nullptr) return found->run(shell, argument);
  std::string text = word.empty() ? "" : fmt::format("nothing is called '{}'. ", word);
  text += "There are:\n";
  for (const Topic& topic : topics)
    text += fmt::format("  info {:<12} {}\n", topic.name, topic.meaning);
  if (!word.empty()) {
    text.pop_back();
    throw UserError{text};
  }
  return text_reply(text);
}

Reply run_where(Shell& shell, const Arguments&) { return info_position(shell, ""); }

std::vector<std::string> info_topics() {
  std::vector<std::string> names;
  names.reserve(topics.size());
  for (const Topic& topic : topics) names.emplace_back(topic.name);
  return names;
}

}  // namespace tandem::debug
