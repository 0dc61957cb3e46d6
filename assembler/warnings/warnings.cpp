#include "assembler/warnings/warnings.hpp"

#include "host/nearest_name.hpp"

namespace tandem {
namespace {

std::optional<Warning> find_warning(std::string_view name) {
  const std::vector<WarningRow>& rows = warning_rows();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].name == name) return static_cast<Warning>(i);
  }
  return std::nullopt;
}

}  // namespace

const std::vector<WarningRow>& warning_rows() {
  static const std::vector<WarningRow> rows{
#define WARNING(name, text, wording, about) {text, wording, about},
#include "assembler/warnings/warnings.def"
#undef WARNING
  };
  return rows;
}

const WarningRow& warning_row(Warning warning) {
  return warning_rows()[static_cast<std::size_t>(warning)];
}

std::string WarningSwitches::take(std::string_view text) {
  if (text == "all" || text == "none") {
    on = text == "all" ? WarningSet::all() : WarningSet();
    return {};
  }
  if (text == "error" || text == "no-error") {
    are_errors = text == "error";
    return {};
  }
  const bool off = text.starts_with("no-");
  const std::string_view name = off ? text.substr(3) : text;
  if (const std::optional<Warning> warning = find_warning(name)) {
    on.set(*warning, !off);
    return {};
  }
  NearestName nearest(name);
  std::string names = "all, none, error";
  for (const WarningRow& row : warning_rows()) {
    nearest.consider(row.name);
    names += ", " + std::string(row.name);
  }
  const std::string hint = nearest.hint();
  return "-W" + std::string(text) + ": there is no such warning" +
         (hint.empty() ? "; there are " + names : ": " + hint);
}

}  // namespace tandem
