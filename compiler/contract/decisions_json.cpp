#include "compiler/contract/decisions_json.hpp"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace tandem::compiler {

namespace json = llvm::json;

std::string decisions_json(const std::vector<Decision>& decisions) {
  json::Array all;
  for (const Decision& decision : decisions) {
    json::Object row;
    row["name"] = decision.name;
    row["chosen"] = decision.chosen;
    row["by_model"] = decision.by_model;
    row["candidates"] = json::Array(decision.candidates);
    all.push_back(std::move(row));
  }
  std::string text;
  llvm::raw_string_ostream(text) << json::Value(std::move(all));
  return text;
}

std::optional<std::vector<Decision>> read_decisions(llvm::StringRef text) {
  llvm::Expected<json::Value> value = json::parse(text);
  if (!value) {
    llvm::consumeError(value.takeError());
    return std::nullopt;
  }
  const json::Array* rows = value->getAsArray();
  if (rows == nullptr) return std::nullopt;
  std::vector<Decision> decisions;
  for (const json::Value& entry : *rows) {
    const json::Object* row = entry.getAsObject();
    if (row == nullptr || row->getArray("candidates") == nullptr) return std::nullopt;
    Decision decision;
    decision.name = row->getString("name").value_or("").str();
    decision.chosen = row->getInteger("chosen").value_or(0);
    decision.by_model = row->getInteger("by_model").value_or(0);
    for (const json::Value& candidate : *row->getArray("candidates")) {
      decision.candidates.push_back(candidate.getAsInteger().value_or(0));
    }
    decisions.push_back(std::move(decision));
  }
  return decisions;
}

}  // namespace tandem::compiler
