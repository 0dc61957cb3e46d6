#include "assembler/macro.hpp"

#include <algorithm>

#include "assembler/text/quoted.hpp"
#include "assembler/words.hpp"

namespace tandem::assembly {
namespace {

bool is_name_part(char c) { return is_identifier_part(c) && c != '.' && c != '$'; }

// The texts of a list; `at` moves to its end.
std::vector<std::string_view> read_items(const char*& at, const char* end, bool in_braces) {
  const ItemScanner scanner(end, in_braces);
  std::vector<std::string_view> items;
  for (;;) {
    const char* stop = scanner.item_end(at);
    items.push_back(trimmed(at, stop));
    at = stop;
    if (stop == end || *stop != ',') break;
    ++at;
  }
  if (items.size() == 1 && items.front().empty()) items.clear();
  return items;
}

// `name=text` where name is a parameter of the macro.
const Macro::Parameter* named_parameter(const Macro& macro, std::string_view argument,
                                        std::string_view& text) {
  const std::size_t equals = argument.find('=');
  if (equals == std::string_view::npos || argument.substr(equals).starts_with("==")) return nullptr;
  const std::string_view name = trimmed(argument.data(), argument.data() + equals);
  for (const Macro::Parameter& parameter : macro.parameters) {
    if (parameter.name != name) continue;
    text = trimmed(argument.data() + equals + 1, argument.data() + argument.size());
    return &parameter;
  }
  return nullptr;
}

std::string macro_form(const Macro& macro) {
  std::string form = fmt::format("the form is `{}", macro.name);
  for (const Macro::Parameter& parameter : macro.parameters) {
    form += &parameter == macro.parameters.data() ? " " : ", ";
    form += parameter.name;
    if (parameter.has_fallback) form += fmt::format("={}", parameter.fallback);
  }
  return form + "`";
}

bool bind(Context& context, const Macro& macro, const Span& call,
          const std::vector<std::string_view>& arguments, std::vector<Substitution>& bound) {
  std::vector<bool> given(macro.parameters.size(), false);
  for (const Macro::Parameter& parameter : macro.parameters) {
    bound.push_back({parameter.name, parameter.fallback});
  }
  std::size_t next = 0;
  for (const std::string_view argument : arguments) {
    std::string_view text = argument;
    const Macro::Parameter* named = named_parameter(macro, argument, text);
    const std::size_t index =
        named != nullptr ? static_cast<std::size_t>(named - macro.parameters.data()) : next++;
    if (index >= bound.size()) {
      return context.reporter.error(Code::macro_arguments, call, macro_form(macro), macro.name,
                                    macro.parameters.size(), arguments.size());
    }
    if (text.empty() && macro.parameters[index].has_fallback) continue;
    bound[index].text = text;
    given[index] = true;
  }
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (given[i] || macro.parameters[i].has_fallback) continue;
    return context.reporter.error(Code::missing_argument, call, macro_form(macro), macro.name,
                                  macro.parameters[i].name);
  }
  return true;
}

}  // namespace

bool charge_expansion(Context& context, const Span& where, std::uint32_t depth, std::size_t bytes) {
  if (depth > max_depth) {
    return context.reporter.error(Code::nested_too_deep, where, "does it call itself?", max_depth);
  }
  context.expanded_bytes += bytes;
  if (context.expanded_bytes <= max_expanded_bytes) return true;
  return context.reporter.error(Code::too_large, where, "", "expansion", max_expanded_bytes,
                                "bytes");
}

bool charge_within(Context& context, const Span& where, std::size_t bytes) {
  const std::uint32_t depth = where.buffer == nullptr ? 0 : where.buffer->depth;
  return depth == 0 || charge_expansion(context, where, depth, bytes);
}

std::string substitute(std::string_view body, const std::vector<Substitution>& substitutions,
                       std::uint32_t number) {
  constexpr std::size_t longest = max_expanded_bytes / ExpansionCost::character;
  std::string text;
  text.reserve(body.size() + 64);
  std::size_t at = 0;
  for (;;) {
    const std::size_t slash = body.find('\\', at);
    text.append(body.substr(at, slash == std::string_view::npos ? slash : slash - at));
    if (slash == std::string_view::npos || text.size() > longest) return text;
    std::size_t end = slash + 1;
    while (end < body.size() && is_name_part(body[end])) ++end;
    const std::string_view name = body.substr(slash + 1, end - slash - 1);
    const auto found = std::find_if(substitutions.begin(), substitutions.end(),
                                    [name](const Substitution& item) { return item.name == name; });
    at = end;
    if (name.empty() && body.substr(end, 1) == "@") {
      text += std::to_string(number);
      at = end + 1;
    } else if (name.empty() && body.substr(end, 2) == "()") {
      at = end + 2;
    } else if (!name.empty() && found != substitutions.end()) {
      text += found->text;
    } else {
      text += '\\';
      at = slash + 1;
    }
  }
}

const Buffer* expand_macro(Context& context, Lexer& lexer, const Macro& macro) {
  const Span call = lexer.span();
  const std::uint32_t line = lexer.line();
  const char* at = call.end;
  const std::vector<std::string_view> arguments =
      read_items(at, lexer.buffer().end(), lexer.in_braces());
  lexer.resume_at(at);
  std::vector<Substitution> bound;
  if (!bind(context, macro, call, arguments, bound)) return nullptr;
  const std::uint32_t depth = lexer.buffer().depth + 1;
  std::string text = substitute(macro.body, bound, ++context.expansion_number);
  const std::size_t cost = text.size() * ExpansionCost::character + ExpansionCost::kept;
  if (!charge_expansion(context, call, depth, cost)) return nullptr;
  Buffer expansion = child_of(lexer.buffer(), call.begin);
  expansion.caller = &lexer.buffer();
  expansion.call_line = line;
  expansion.name = macro.buffer->name;
  expansion.storage = std::move(text);
  expansion.first_line = macro.first_line;
  expansion.origin = fmt::format("macro `{}`", macro.name);
  return &context.sources.add(std::move(expansion));
}

}  // namespace tandem::assembly
