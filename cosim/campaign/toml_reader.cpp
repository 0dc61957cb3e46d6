#include "cosim/campaign/toml_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "host/user_error.hpp"
#include "runtime/error.hpp"

namespace tandem {
namespace {

[[noreturn]] void fail(const std::string& message) {
  throw runtime::Error{runtime::ErrorCode::invalid_argument, message};
}

// toml++ 3.3 has undefined behaviour on letters from U+00A1 to U+0499 after a value.
void refuse_beyond_ascii(std::string_view text, const std::string& file) {
  const auto* const found =
      std::find_if(text.begin(), text.end(), [](char c) { return (c & 0x80) != 0; });
  if (found == text.end()) return;
  fail(fmt::format("{}:{}: not ASCII, which these files are to be", file,
                   1 + std::count(text.begin(), found, '\n')));
}

}  // namespace

toml::table TomlReader::parse(const std::string& text) const {
  refuse_beyond_ascii(text, file_);
  try {
    return toml::parse(text, file_);
  } catch (const toml::parse_error& error) {
    fail(fmt::format("{}:{}: {}", file_, error.source().begin.line, error.description()));
  } catch (const std::logic_error&) {
    fail(file_ + ": this is no TOML");
  }
}

void TomlReader::refuse(const toml::node* node, const std::string& message) const {
  const std::size_t line = node == nullptr ? 0 : node->source().begin.line;
  fail((line == 0 ? file_ : fmt::format("{}:{}", file_, line)) + ": " + message);
}

void TomlReader::checked(const toml::node* node, const std::function<void()>& action) const {
  try {
    action();
  } catch (const runtime::Error& error) {
    refuse(node, error.message);
  } catch (const UserError& error) {
    refuse(node, error.message);
  }
}

void TomlReader::only(const toml::table& table, const std::set<std::string>& names) const {
  for (const auto& [key, node] : table) {
    if (names.count(std::string(key.str())) != 0) continue;
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
    refuse(&node, fmt::format("there is no '{}' here; there are {}", key.str(), list));
  }
}

std::string TomlReader::text(const toml::table& table, std::string_view name,
                             const std::string& otherwise) const {
  const toml::node* const node = table.get(name);
  if (node == nullptr) return otherwise;
  if (!node->is_string()) refuse(node, fmt::format("{} is a string", name));
  return *node->value<std::string>();
}

std::uint64_t TomlReader::number(const toml::table& table, std::string_view name,
                                 std::uint64_t otherwise, std::uint64_t least,
                                 std::uint64_t most) const {
  const toml::node* const node = table.get(name);
  if (node == nullptr) return otherwise;
  const std::optional<std::int64_t> value = node->value_exact<std::int64_t>();
  if (!value || *value < 0 || static_cast<std::uint64_t>(*value) < least ||
      static_cast<std::uint64_t>(*value) > most) {
    refuse(node, fmt::format("{} is a whole number from {} to {}", name, least, most));
  }
  return static_cast<std::uint64_t>(*value);
}

void TomlReader::each_text(
    const toml::table& table, std::string_view name,
    const std::function<void(const toml::node&, const std::string&)>& item) const {
  const toml::node* const node = table.get(name);
  if (node == nullptr) return;
  const toml::array* const list = node->as_array();
  if (list == nullptr) refuse(node, fmt::format("{} is a list of strings", name));
  for (const toml::node& entry : *list) {
    const std::optional<std::string> value = entry.value_exact<std::string>();
    if (!value) refuse(&entry, fmt::format("{} is a list of strings", name));
    item(entry, *value);
  }
}

std::vector<std::string> TomlReader::texts(const toml::table& table, std::string_view name) const {
  std::vector<std::string> list;
  each_text(table, name,
            [&list](const toml::node&, const std::string& text) { list.push_back(text); });
  return list;
}

void TomlReader::each_table(const toml::table& table, std::string_view name, std::string_view what,
                            const std::function<void(const toml::table&)>& item) const {
  const toml::node* const node = table.get(name);
  if (node == nullptr) return;
  const std::string form = fmt::format("{} are written as [[{}]]", what, name);
  const toml::array* const list = node->as_array();
  if (list == nullptr) refuse(node, form);
  for (const toml::node& entry : *list) {
    const toml::table* const values = entry.as_table();
    if (values == nullptr) refuse(&entry, form);
    item(*values);
  }
}

}  // namespace tandem
