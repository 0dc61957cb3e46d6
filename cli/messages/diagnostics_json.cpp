#include "cli/messages/diagnostics_json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>

#include "assembler/warnings/warnings.hpp"
#include "isa/object/diagnostic_codes.hpp"
#include "isa/version.hpp"

namespace tandem {
namespace {

bool is_error(const Diagnostic& diagnostic) { return diagnostic.warning.empty(); }
const char* severity(const Diagnostic& diagnostic) {
  return is_error(diagnostic) ? "error" : "warning";
}
const std::string& code(const Diagnostic& diagnostic) {
  return is_error(diagnostic) ? diagnostic.code : diagnostic.warning;
}

void set_place(nlohmann::json& json, const SourceSpan& where) {
  json["file"] = where.file;
  if (where.line == 0) return;
  json["line"] = where.line;
  json["column"] = where.column;
  json["length"] = where.length;
}

// In UTF-8: bytes that are not continuation bytes.
std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0U) != 0x80;
  }));
}

nlohmann::json sarif_place(const SourceSpan& where) {
  nlohmann::json place{{"artifactLocation", {{"uri", where.file}}}};
  if (where.line != 0) {
    const std::string_view text = where.text;
    const std::size_t before = std::min<std::size_t>(where.column - 1, text.size());
    const std::size_t begin = 1 + characters(text.substr(0, before));
    const std::size_t length = characters(text.substr(before, where.length));
    place["region"] = {{"startLine", where.line},
                       {"startColumn", begin},
                       {"endColumn", begin + std::max<std::size_t>(length, 1)},
                       {"snippet", {{"text", where.text}}}};
  }
  return {{"physicalLocation", std::move(place)}};
}

nlohmann::json sarif_result(const Diagnostic& diagnostic) {
  std::string text = diagnostic.message;
  if (!diagnostic.hint.empty()) text += " (" + diagnostic.hint + ")";
  nlohmann::json result{{"ruleId", code(diagnostic)},
                        {"level", severity(diagnostic)},
                        {"message", {{"text", text}}},
                        {"locations", {sarif_place(diagnostic.where)}}};
  for (const DiagnosticNote& note : diagnostic.notes) {
    nlohmann::json place = sarif_place(note.where);
    place["message"] = {{"text", note.message}};
    result["relatedLocations"].push_back(std::move(place));
  }
  return result;
}

// The general text of a code: its wording, with placeholders.
nlohmann::json sarif_rule(const Diagnostic& diagnostic) {
  std::string text;
  for (const CodeRow& row : code_rows()) {
    if (code_text(static_cast<DiagnosticCode>(&row - code_rows().data())) == diagnostic.code) {
      text = row.wording;
    }
  }
  for (const WarningRow& row : warning_rows()) {
    if (row.name == diagnostic.warning) text = row.about;
  }
  return {{"id", code(diagnostic)}, {"shortDescription", {{"text", text}}}};
}

}  // namespace

nlohmann::json diagnostics_json(const std::vector<Diagnostic>& diagnostics) {
  nlohmann::json list = nlohmann::json::array();
  for (const Diagnostic& diagnostic : diagnostics) {
    nlohmann::json item{{"severity", severity(diagnostic)},
                        {"code", code(diagnostic)},
                        {"message", diagnostic.message}};
    set_place(item, diagnostic.where);
    if (!diagnostic.hint.empty()) item["hint"] = diagnostic.hint;
    for (const DiagnosticNote& note : diagnostic.notes) {
      nlohmann::json place{{"message", note.message}};
      set_place(place, note.where);
      item["notes"].push_back(std::move(place));
    }
    list.push_back(std::move(item));
  }
  return {{"diagnostics", std::move(list)}};
}

nlohmann::json diagnostics_sarif(const std::vector<Diagnostic>& diagnostics) {
  nlohmann::json results = nlohmann::json::array();
  nlohmann::json rules = nlohmann::json::array();
  std::set<std::string> known;
  for (const Diagnostic& diagnostic : diagnostics) {
    results.push_back(sarif_result(diagnostic));
    if (known.insert(code(diagnostic)).second) rules.push_back(sarif_rule(diagnostic));
  }
  const nlohmann::json driver{
      {"name", "tandem asm"}, {"version", version}, {"rules", std::move(rules)}};
  return {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
          {"version", "2.1.0"},
          {"runs",
           {{{"tool", {{"driver", driver}}},
             {"columnKind", "unicodeCodePoints"},
             {"results", std::move(results)}}}}};
}

}  // namespace tandem
