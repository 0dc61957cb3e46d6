#include "cli/debug/shell.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "cli/debug/language/evaluate.hpp"
#include "cli/debug/print.hpp"
#include "cli/messages/messages.hpp"
#include "cli/messages/user_error.hpp"

namespace tandem::debug {
namespace {

constexpr std::string_view blanks = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

Reply number_reply(const std::string& text, const Number& number) {
  Reply reply{fmt::format("{} = {}", text, number_text(number)), {}, false, false};
  if (!number.real) reply.text += fmt::format(" ({:#x})", static_cast<std::uint64_t>(number.whole));
  reply.text += '\n';
  nlohmann::json data{{"name", text}};
  if (number.real) {
    data["values"] = {number.fraction};
  } else {
    data["values"] = {number.whole};
  }
  reply.data = shared_json(std::move(data));
  return reply;
}

}  // namespace

std::uint64_t count_argument(const std::string& text, std::uint64_t absent) {
  if (text.empty()) return absent;
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  if (result.ec == std::errc() && result.ptr == end) return value;
  throw UserError{fmt::format(message::no_integer, text)};
}

std::pair<std::string, std::string> split_word(const std::string& text) {
  const std::size_t blank = text.find(' ');
  return {text.substr(0, blank), blank == std::string::npos ? "" : text.substr(blank + 1)};
}

Reply Shell::execute(std::string_view line) {
  line = trimmed(line);
  if (line.empty() || line.front() == '#') return {};
  const std::size_t end = std::min(line.find_first_of(" \t/"), line.size());
  const Command& command = find_command(line.substr(0, end));
  Arguments arguments;
  std::string_view rest = line.substr(end);
  if (rest.starts_with('/')) {
    const std::size_t type_end = std::min(rest.find_first_of(blanks), rest.size());
    arguments.type = rest.substr(1, type_end - 1);
    rest = rest.substr(type_end);
  }
  arguments.rest = trimmed(rest);
  return command.run(*this, arguments);
}

Reply Shell::stopped(const Stop& stop) {
  listed_to.reset();
  Reply reply{stop_text(*session_, stop), {}, false, false};
  nlohmann::json data = stop_json(*session_, stop);
  for (const Display& display : displays) {
    reply.text += fmt::format("{}: ", display.number);
    try {
      const Reply shown = values(display.text, display.type);
      reply.text += shown.text;
      data["displays"].push_back(*shown.data);
    } catch (const UserError& error) {
      reply.text += fmt::format("{} has no value: {}\n", display.text, error.message);
    }
  }
  reply.data = shared_json(std::move(data));
  return reply;
}

ExpressionPointer Shell::expression(const std::string& text) const {
  if (text.empty()) throw UserError{message::expression_missing};
  return parse_expression(text, session_->launch(), session_->golden().pc());
}

Reply Shell::values(const std::string& text, const std::string& type) const {
  const ExpressionPointer parsed = expression(text);
  const auto wanted = type.empty() ? std::nullopt : number_type(type);
  if (!type.empty() && !wanted) {
    throw UserError{fmt::format(message::no_type, type, number_type_names())};
  }
  if (parsed->kind != Expression::Kind::part) {
    if (wanted) throw UserError{message::type_not_here};
    return number_reply(text, evaluate(*parsed, session_->now()));
  }
  Selection selection = select(*parsed, session_->now());
  if (wanted) selection.type = *wanted;
  return {selection_text(session_->golden(), selection),
          shared_json(selection_json(session_->golden(), selection)), false, false};
}

const Command& find_command(std::string_view word) {
  const Command* found = nullptr;
  std::string candidates;
  for (const Command& command : commands()) {
    if (command.name == word || command.alias == word) return command;
    if (!command.name.starts_with(word)) continue;
    candidates += fmt::format("{}{}", candidates.empty() ? "" : ", ", command.name);
    found = found == nullptr ? &command : found;
  }
  if (found == nullptr) throw UserError{fmt::format(message::no_command, word)};
  if (candidates.find(',') == std::string::npos) return *found;
  throw UserError{fmt::format(message::may_be, word, candidates)};
}

}  // namespace tandem::debug
