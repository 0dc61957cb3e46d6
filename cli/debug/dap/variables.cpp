#include "cli/debug/dap/variables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "cli/messages/user_error.hpp"
#include "isa/parameters.hpp"

namespace tandem::debug::dap {
namespace {

constexpr std::size_t most_values = 64;       // of one variable, on its line
constexpr std::int64_t most_children = 1000;  // where the editor does not say how many

// Registers of a file are at reference `root`, what is below number k at `below` + k.
struct Root {
  std::string_view title;
  std::string_view file;  // "s3"
  std::int64_t root;
  std::int64_t below;  // 0: nothing is
  std::uint32_t registers;
};
constexpr std::array roots{Root{"Scalars", "s", 1, 0, scalar_registers},
                           Root{"Predicates", "p", 2, 0, predicate_registers},
                           Root{"Flags", "f", 3, 0, sync_flags},
                           Root{"Vectors", "v", 4, 1000, vector_registers}};
constexpr std::int64_t tensors_root = 5;
constexpr std::int64_t below_tensors = 100'000;

// A variable that is told by an expression; without a value where it has none.
nlohmann::json variable(const Shell& shell, const std::string& name, const std::string& expression,
                        std::int64_t reference, std::uint64_t indexed) {
  nlohmann::json result{
      {"name", name}, {"evaluateName", expression}, {"variablesReference", reference}};
  if (reference != 0) result["indexedVariables"] = indexed;
  try {
    const Reply reply = shell.values(expression, "");
    result["value"] = values_text(*reply.data);
    if (reply.data->contains("type")) result["type"] = (*reply.data)["type"];
  } catch (const UserError& error) {
    result["value"] = "(" + error.message + ")";
  }
  return result;
}

nlohmann::json registers(const Shell& shell, const Root& root) {
  nlohmann::json list = nlohmann::json::array();
  for (std::uint32_t number = 0; number < root.registers; ++number) {
    const std::string name = fmt::format("{}{}", root.file, number);
    list.push_back(
        variable(shell, name, name, root.below == 0 ? 0 : root.below + number, sublanes));
  }
  return list;
}

nlohmann::json tensors(const Shell& shell) {
  nlohmann::json list = nlohmann::json::array();
  const std::vector<PlacedTensor>& placed = shell.session().launch().tensors;
  for (std::size_t i = 0; i < placed.size(); ++i) {
    const Tensor& tensor = placed[i].tensor;
    const bool has_parts = !tensor.dimensions.empty();
    list.push_back(variable(shell, tensor.name, tensor.name,
                            has_parts ? below_tensors + static_cast<std::int64_t>(i) : 0,
                            has_parts ? static_cast<std::uint64_t>(tensor.dimensions[0]) : 0));
  }
  return list;
}

// x[start], x[start + 1], ...
nlohmann::json elements(const Shell& shell, const std::string& name, std::int64_t size,
                        std::int64_t start, std::int64_t count) {
  nlohmann::json list = nlohmann::json::array();
  const std::int64_t first = std::clamp<std::int64_t>(start, 0, size);
  const std::int64_t wanted = count > 0 ? std::min(count, most_children) : most_children;
  for (std::int64_t i = first; i < first + std::min(wanted, size - first); ++i) {
    list.push_back(variable(shell, fmt::format("[{}]", i), fmt::format("{}[{}]", name, i), 0, 0));
  }
  return list;
}

}  // namespace

std::string values_text(const nlohmann::json& answer) {
  const auto values = answer.find("values");
  if (values == answer.end() || values->empty()) {
    return fmt::format("({} elements)", answer.value("elements", 0));
  }
  std::string text;
  for (std::size_t i = 0; i < std::min(values->size(), most_values); ++i) {
    text += (i == 0 ? "" : " ") + ((*values)[i].is_null() ? "?" : (*values)[i].dump());
  }
  return values->size() > most_values ? text + " ..." : text;
}

nlohmann::json scopes(const Session& session) {
  nlohmann::json list = nlohmann::json::array();
  if (!session.launch().tensors.empty()) {
    list.push_back(
        {{"name", "Tensors"}, {"variablesReference", tensors_root}, {"expensive", false}});
  }
  for (const Root& root : roots) {
    list.push_back({{"name", root.title},
                    {"variablesReference", root.root},
                    {"expensive", root.below != 0},
                    {"presentationHint", "registers"}});
  }
  return list;
}

nlohmann::json variables(const Shell& shell, std::int64_t reference, std::int64_t start,
                         std::int64_t count) {
  if (reference == tensors_root) return tensors(shell);
  const std::vector<PlacedTensor>& placed = shell.session().launch().tensors;
  const std::int64_t number = reference - below_tensors;
  if (number >= 0 && number < static_cast<std::int64_t>(placed.size())) {
    const Tensor& tensor = placed[static_cast<std::size_t>(number)].tensor;
    if (!tensor.dimensions.empty()) {
      return elements(shell, tensor.name, tensor.dimensions[0], start, count);
    }
  }
  for (const Root& root : roots) {
    if (reference == root.root) return registers(shell, root);
    const std::int64_t place = reference - root.below;
    if (root.below == 0 || place < 0 || place >= root.registers) continue;
    return elements(shell, fmt::format("{}{}", root.file, place), sublanes, start, count);
  }
  return nlohmann::json::array();
}

}  // namespace tandem::debug::dap
