#include "compiler/measure/run.hpp"

#include <fmt/format.h>

#include <functional>
#include <numeric>

#include "assembler/elf.hpp"
#include "host/host_file.hpp"
#include "isa/launch/drawn.hpp"
#include "isa/launch/npy.hpp"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

namespace tandem::compiler {
namespace {

namespace json = llvm::json;

std::string npy_file(const Tensor& tensor) {
  TensorData data;
  data.dimensions.assign(tensor.dimensions.begin(), tensor.dimensions.end());
  const std::int64_t count = std::accumulate(data.dimensions.begin(), data.dimensions.end(),
                                             std::int64_t{1}, std::multiplies<>());
  data.bytes = drawn_elements(tensor.type, count, 1);
  const auto file = format_npy(npy_from_tensor(data, tensor.type));
  return {file.begin(), file.end()};
}

std::string first_lines(const std::string& text) {
  constexpr std::size_t most = 400;
  std::string shown = text.substr(0, most);
  while (!shown.empty() && shown.back() == '\n') shown.pop_back();
  return shown.empty() ? "without a word" : shown;
}

// From a report's data on the run.
void read_parts(llvm::StringRef data, Measured& measured) {
  llvm::Expected<json::Value> value = json::parse(data);
  const json::Object* operations = value && value->getAsObject() != nullptr
                                       ? value->getAsObject()->getObject("operations")
                                       : nullptr;
  const json::Array* rows = operations == nullptr ? nullptr : operations->getArray("rows");
  if (!value) llvm::consumeError(value.takeError());
  if (rows == nullptr) {
    measured.error = "the report about the run has no cycles by operation";
    return;
  }
  for (const json::Value& entry : *rows) {
    const json::Object* row = entry.getAsObject();
    if (row == nullptr) continue;
    measured.parts[row->getString("operation").value_or("").str()] +=
        static_cast<std::uint64_t>(row->getInteger("cycles").value_or(0));
  }
  measured.is_cut = operations->getInteger("total").value_or(0) > static_cast<long>(rows->size());
}

// Of `tandem run` and of `tandem report`.
std::optional<std::uint64_t> cycles_in(llvm::StringRef text) {
  llvm::Expected<json::Value> value = json::parse(text);
  if (!value) {
    llvm::consumeError(value.takeError());
    return std::nullopt;
  }
  const json::Object* run = value->getAsObject();
  if (run == nullptr) return std::nullopt;
  const auto cycles = run->getInteger("cycles");
  if (cycles) return static_cast<std::uint64_t>(*cycles);
  const json::Object* counters = run->getObject("counters");
  const auto counted = counters == nullptr ? std::nullopt : counters->getInteger("cycles");
  if (!counted) return std::nullopt;
  return static_cast<std::uint64_t>(*counted);
}

}  // namespace

std::string Measurer::find_inputs(const std::string& elf) {
  const ElfResult read = read_elf({reinterpret_cast<const std::uint8_t*>(elf.data()), elf.size()});
  if (!read.ok()) return "the program cannot be read: " + read.error;
  InputFiles files;
  for (const Tensor& tensor : read.object.tensors) {
    if (!tensor.input) continue;
    if (const auto found = given_.find(tensor.name); found != given_.end()) {
      files.insert(*found);
      continue;
    }
    const std::string path = folder_.file(tensor.name + ".npy");
    if (!write_file(path, npy_file(tensor))) return "cannot write " + path;
    files[tensor.name] = path;
  }
  for (const auto& [name, path] : given_) {
    if (!files.contains(name)) return fmt::format("the program has no input '{}'", name);
  }
  inputs_ = std::move(files);
  return "";
}

Measured Measurer::run(const std::string& elf, bool by_part, std::uint64_t limit) {
  Measured measured;
  const std::string tandem = find_tandem();
  if (tandem.empty()) {
    measured.error =
        "cannot measure: there is no `tandem` beside this executable (TANDEM_EXECUTABLE names it)";
    return measured;
  }
  if (folder_.path().empty()) measured.error = "cannot make a folder for temporary files";
  if (measured.error.empty() && !inputs_) measured.error = find_inputs(elf);
  const std::string program = folder_.file("program.elf");
  const std::string data = folder_.file("report.json");
  if (measured.error.empty() && !write_file(program, elf)) {
    measured.error = "cannot write " + program;
  }
  if (!measured.error.empty()) return measured;
  std::vector<std::string> command{tandem, by_part ? "report" : "run", "--json", "--on", "cycle"};
  if (by_part) command.insert(command.end(), {"-o", folder_.file("page.html"), "--data", data});
  if (limit != 0) command.insert(command.end(), {"--limit", std::to_string(limit)});
  if (!machine_.empty()) command.insert(command.end(), {"--machine", machine_});
  for (const auto& [name, path] : *inputs_) {
    command.insert(command.end(), {"--in", fmt::format("{}={}", name, path)});
  }
  command.push_back(program);
  const Ended ended = run_process({command});
  const auto cycles = cycles_in(ended.output);
  if (!ended.ok() || !cycles) {
    measured.error =
        "the run on the cycle-exact model failed: " + first_lines(ended.trouble + ended.errors);
    return measured;
  }
  measured.cycles = *cycles;
  std::string text;
  if (by_part && read_file(data, text)) read_parts(text, measured);
  return measured;
}

}  // namespace tandem::compiler
