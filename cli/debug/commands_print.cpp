// Commands that show values, bundles and source text.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/debug/command_table.hpp"
#include "cli/debug/print.hpp"
#include "cli/messages/messages.hpp"
#include "cli/messages/user_error.hpp"
#include "runtime/models/listing.hpp"

namespace tandem::debug {
namespace {

constexpr std::uint32_t lines_listed = 11;
constexpr std::uint64_t bundles_listed = 10;
constexpr std::uint64_t most_history = 10'000;

}  // namespace

Reply run_print(Shell& shell, const Arguments& arguments) {
  return shell.values(arguments.rest, arguments.type);
}

Reply run_assert(Shell& shell, const Arguments& arguments) {
  const ExpressionPointer condition = shell.expression(arguments.rest);
  if (holds(*condition, shell.session().now())) return {};
  return {fmt::format("assertion failed: {}\n{}", arguments.rest, position_text(shell.session())),
          shared_json({{"assertion", arguments.rest}}), true, false};
}

Reply run_display(Shell& shell, const Arguments& arguments) {
  Reply reply;
  if (arguments.rest.empty()) {
    for (const Shell::Display& display : shell.displays) {
      reply.text += fmt::format("{}: {}\n", display.number, display.text);
    }
    return reply;
  }
  reply = shell.values(arguments.rest, arguments.type);
  shell.displays.push_back({++shell.last_display, arguments.rest, arguments.type});
  reply.text = fmt::format("{}: {}", shell.last_display, reply.text);
  return reply;
}

Reply run_undisplay(Shell& shell, const Arguments& arguments) {
  if (arguments.rest.empty()) {
    shell.displays.clear();
    return {};
  }
  const std::uint64_t number = count_argument(arguments.rest, 0);
  const auto removed = std::erase_if(shell.displays, [number](const Shell::Display& display) {
    return static_cast<std::uint64_t>(display.number) == number;
  });
  if (removed == 0) throw UserError{fmt::format(message::no_display, number)};
  return {};
}

Reply run_list(Shell& shell, const Arguments& arguments) {
  const Session& session = shell.session();
  const SourceMap& source = session.source();
  const std::uint32_t pc = session.golden().pc();
  SourceLine line = source.line(pc);
  std::uint32_t first = 0;
  if (arguments.rest.empty() && shell.listed_to) {
    line = *shell.listed_to;
    first = line.line;
  } else {
    if (!arguments.rest.empty()) line = source.find_line(arguments.rest, pc);
    first = line.line - std::min(line.line - (line ? 1 : 0), lines_listed / 2);
  }
  if (!line) throw UserError{message::no_line_table};
  const std::uint32_t count = source.line_count(line.file);
  if (count == 0) {
    throw UserError{
        fmt::format(message::source_unreadable, source.image().source.files[line.file])};
  }
  const SourceLine here = source.line(pc);
  Reply reply;
  for (std::uint32_t number = first; number < first + lines_listed && number <= count; ++number) {
    const SourceLine shown{line.file, number};
    reply.text += fmt::format("{}{:>6}  {}\n", shown == here ? "=>" : "  ", number,
                              source.text(shown).value_or(""));
  }
  shell.listed_to = SourceLine{line.file, std::min(first + lines_listed, count + 1)};
  if (reply.text.empty()) reply.text = "the end of the file\n";
  return reply;
}

Reply run_disassemble(Shell& shell, const Arguments& arguments) {
  const Session& session = shell.session();
  const SourceMap& source = session.source();
  const std::uint32_t pc = session.golden().pc();
  const auto [location, number] = split_word(arguments.rest);
  const std::uint32_t first = location.empty() ? pc : source.find(location, pc).front();
  const std::uint64_t count = count_argument(number, bundles_listed);
  Reply reply;
  nlohmann::json data;
  const std::uint64_t end = std::min<std::uint64_t>(first + count, source.image().text.size());
  for (std::uint32_t at = first; at < end; ++at) {
    const std::string label = label_at(source.image(), at);
    if (!label.empty()) reply.text += label + ":\n";
    reply.text += fmt::format("{}{:>6}  {}    {}\n", at == pc ? "=>" : "  ", at, source.bundle(at),
                              source_location(source.image(), at));
    data.push_back({{"pc", at}, {"bundle", source.bundle(at)}});
  }
  reply.data = shared_json(std::move(data));
  return reply;
}

Reply run_history(Shell& shell, const Arguments& arguments) {
  Session& session = shell.session();
  const std::uint64_t count = count_argument(arguments.rest, bundles_listed);
  if (count > most_history) {
    throw UserError{fmt::format(message::history_limit, most_history)};
  }
  Reply reply;
  for (const RetireRecord& record : session.history(count)) {
    reply.text += listing_text(record, session.source().image());
  }
  return reply;
}

}  // namespace tandem::debug
