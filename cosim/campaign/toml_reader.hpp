// A user's TOML file: errors are reported with their line.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "host/toml.hpp"

namespace tandem {

class TomlReader {
 public:
  explicit TomlReader(std::string file) : file_(std::move(file)) {}

  // Everything here throws runtime::Error on errors. Only plain ASCII is accepted.
  [[nodiscard]] toml::table parse(const std::string& text) const;

  // `node`: where; nullptr names the file alone.
  [[noreturn]] void refuse(const toml::node* node, const std::string& message) const;
  // Rethrows errors of others (runtime::Error, UserError) with the place in this file.
  void checked(const toml::node* node, const std::function<void()>& action) const;
  // Refuses names other than these.
  void only(const toml::table& table, const std::set<std::string>& names) const;

  [[nodiscard]] std::string text(const toml::table& table, std::string_view name,
                                 const std::string& otherwise) const;
  [[nodiscard]] std::uint64_t number(const toml::table& table, std::string_view name,
                                     std::uint64_t otherwise, std::uint64_t least,
                                     std::uint64_t most) const;
  // A list of strings; empty if absent. `item` is called with each.
  void each_text(const toml::table& table, std::string_view name,
                 const std::function<void(const toml::node&, const std::string&)>& item) const;
  [[nodiscard]] std::vector<std::string> texts(const toml::table& table,
                                               std::string_view name) const;
  // [[name]]: each of its tables.
  void each_table(const toml::table& table, std::string_view name, std::string_view what,
                  const std::function<void(const toml::table&)>& item) const;

  [[nodiscard]] const std::string& file() const { return file_; }

 private:
  std::string file_;
};

}  // namespace tandem
