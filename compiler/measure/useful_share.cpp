#include "compiler/measure/useful_share.hpp"

#include <cmath>
#include <map>
#include <vector>

namespace tandem::compiler {
namespace {

namespace json = llvm::json;

using Busy = std::map<std::string, double>;  // cycles by unit

std::vector<std::string> sources_of(const json::Object& row) {
  std::vector<std::string> sources;
  for (const json::Value& source : *row.getArray("sources")) {
    sources.push_back(source.getAsString().value_or("").str());
  }
  return sources;
}

// One more than it took: who took no time at all has a part where nobody did.
double weight(const json::Object& row) {
  return static_cast<double>(row.getInteger("measured").value_or(0)) + 1;
}

void set_roof(json::Object& row, const Busy& busy) {
  double most = 0;
  for (const auto& [unit, cycles] : busy) {
    if (cycles <= most) continue;
    most = cycles;
    row["useful"] = unit;
  }
  row["roof"] = std::llround(std::ceil(most));
  row.erase("sources");
}

}  // namespace

void add_useful_work(json::Array& regions, const json::Object& work) {
  std::map<std::string, double> weights;  // by source, of all regions that it is in
  for (const json::Value& entry : regions) {
    const json::Object& row = *entry.getAsObject();
    for (const std::string& source : sources_of(row)) weights[source] += weight(row);
  }
  std::map<std::string, const json::Object*> busy_of;
  for (const json::Value& entry : *work.getArray("sources")) {
    const json::Object& row = *entry.getAsObject();
    busy_of[row.getString("place").value_or("").str()] = row.getObject("busy");
  }
  for (json::Value& entry : regions) {
    json::Object& row = *entry.getAsObject();
    Busy busy;
    for (const std::string& source : sources_of(row)) {
      const auto found = busy_of.find(source);
      if (found == busy_of.end()) continue;
      for (const auto& [unit, cycles] : *found->second) {
        busy[unit.str()] += cycles.getAsNumber().value_or(0) * weight(row) / weights[source];
      }
    }
    set_roof(row, busy);
  }
}

}  // namespace tandem::compiler
