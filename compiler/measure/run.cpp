#include "compiler/measure/run.hpp"

#include <fmt/format.h>

#include <random>

#include "assembler/elf.hpp"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

namespace tandem::compiler {
namespace {

namespace json = llvm::json;

struct Numpy {
  std::string_view type;
  unsigned bytes = 4;
};

Numpy numpy_of(ElementType type) {
  switch (type) {
    case ElementType::f32:
    case ElementType::bf16: return {"<f4", 4};  // rounded by the launch
    case ElementType::s32: return {"<i4", 4};
    case ElementType::s8: return {"|i1", 1};
    case ElementType::i1: return {"|b1", 1};
    case ElementType::u8: return {"|u1", 1};
    case ElementType::u32: return {"<u4", 4};
    case ElementType::u64: return {"<u8", 8};
  }
  return {};
}

// One element; equal on every machine, which distributions of the library are not.
void append_element(std::string& bytes, const Tensor& tensor, const Numpy& numpy,
                    std::mt19937& numbers) {
  const std::uint32_t drawn = numbers();
  if (numpy.type == "<f4") {
    const float value = static_cast<float>(static_cast<std::int32_t>(drawn)) * 0x1p-31F;
    bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
    return;
  }
  const std::uint64_t value = drawn >> 29U & (tensor.type == ElementType::i1 ? 1U : 7U);
  bytes.append(reinterpret_cast<const char*>(&value), numpy.bytes);
}

std::string npy_file(const Tensor& tensor) {
  const Numpy numpy = numpy_of(tensor.type);
  std::string sizes;
  std::uint64_t count = 1;
  for (const std::int64_t size : tensor.dimensions) {
    sizes += fmt::format("{},", size);
    count *= static_cast<std::uint64_t>(size);
  }
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({})}}", numpy.type, sizes);
  constexpr std::size_t before = 10;  // magic, version, length
  header.append(63 - (before + header.size()) % 64, ' ');
  header += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += static_cast<char>(header.size() & 0xff);
  bytes += static_cast<char>(header.size() >> 8U);
  bytes += header;
  std::mt19937 numbers(1);
  for (std::uint64_t i = 0; i < count; ++i) append_element(bytes, tensor, numpy, numbers);
  return bytes;
}

std::string first_lines(const std::string& text) {
  constexpr std::size_t most = 400;
  std::string shown = text.substr(0, most);
  while (!shown.empty() && shown.back() == '\n') shown.pop_back();
  return shown.empty() ? "without a word" : shown;
}

// The data that a page holds.
llvm::StringRef page_data(llvm::StringRef page) {
  const llvm::StringRef begin = R"(<script type="application/json" id="run">)";
  const std::size_t at = page.find(begin);
  if (at == llvm::StringRef::npos) return "";
  return page.drop_front(at + begin.size()).split("</script>").first;
}

void read_parts(llvm::StringRef page, Measured& measured) {
  llvm::Expected<json::Value> value = json::parse(page_data(page));
  const json::Object* operations = value && value->getAsObject() != nullptr
                                       ? value->getAsObject()->getObject("operations")
                                       : nullptr;
  const json::Array* rows = operations == nullptr ? nullptr : operations->getArray("rows");
  if (!value) llvm::consumeError(value.takeError());
  if (rows == nullptr) {
    measured.error = "the page about the run has no cycles by operation";
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
  const std::string page = folder_.file("page.html");
  if (measured.error.empty() && !write_file(program, elf)) {
    measured.error = "cannot write " + program;
  }
  if (!measured.error.empty()) return measured;
  std::vector<std::string> command{tandem, by_part ? "report" : "run", "--json", "--on", "cycle"};
  if (by_part) command.insert(command.end(), {"-o", page});
  if (limit != 0) command.insert(command.end(), {"--limit", std::to_string(limit)});
  for (const auto& [name, path] : *inputs_) {
    command.insert(command.end(), {"--in", fmt::format("{}={}", name, path)});
  }
  command.push_back(program);
  const Ended ended = run_process(command, folder_.path());
  const auto cycles = cycles_in(ended.output);
  if (ended.status != 0 || !cycles) {
    measured.error = "the run on the cycle-exact model failed: " + first_lines(ended.errors);
    return measured;
  }
  measured.cycles = *cycles;
  std::string text;
  if (by_part && read_file(page, text)) read_parts(text, measured);
  return measured;
}

}  // namespace tandem::compiler
