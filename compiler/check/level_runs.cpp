#include "compiler/check/level_runs.hpp"

#include "compiler/check/native_run.hpp"
#include "compiler/check/round_operands.hpp"
#include "host/host_file.hpp"
#include "host/process.hpp"
#include "isa/launch/npy.hpp"
#include "mlir/IR/OwningOpRef.h"

namespace tandem::compiler {
namespace {

std::string first_lines(const Ended& ended) {
  constexpr std::size_t most = 1200;
  std::string text = (ended.trouble + ended.errors).substr(0, most);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.empty() ? "it ended without a word" : text;
}

bool write_tensor(const std::string& path, const LaunchTensor& tensor, const Bytes& memory) {
  const auto file = format_npy(npy_from_tensor(without_padding(tensor, memory), tensor.type));
  return write_file(path, {file.begin(), file.end()});
}

// "" or an error in the file.
std::string read_tensor(const std::string& path, const LaunchTensor& tensor, Bytes& memory) {
  std::string file;
  if (!read_file(path, file)) return "it has left no " + tensor.name;
  try {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(file.data());
    memory =
        with_padding(tensor, tensor_from_npy(parse_npy({bytes, file.size()}), tensor.type).bytes);
  } catch (const NpyError& error) {
    return error.message;
  }
  return "";
}

}  // namespace

LevelRun LevelRuns::run(mlir::ModuleOp module) {
  if (tensors_.empty()) {
    tensors_ = launch_tensors(module);
    unsigned seed = 1;
    for (const LaunchTensor& tensor : tensors_) inputs_.push_back(drawn_memory(tensor, seed++));
  }
  const mlir::OwningOpRef<mlir::ModuleOp> copy = module.clone();
  return run_copy(*copy);
}

LevelRun LevelRuns::run_rounded(mlir::ModuleOp module, const LevelRun& exact) const {
  const mlir::OwningOpRef<mlir::ModuleOp> copy = module.clone();
  return round_operands(*copy) ? run_copy(*copy) : exact;
}

LevelRun LevelRuns::run_copy(mlir::ModuleOp copy) const {
  LevelRun result;
  result.memories = inputs_;
  const NativeForm form = to_native_form(copy);
  result.problem = form.problem.empty() ? run_native(copy, form, result.memories) : form.problem;
  return result;
}

LevelRun LevelRuns::run_binary(const std::string& elf,
                               const std::vector<std::string>& arguments) const {
  LevelRun result;
  result.is_binary = true;
  result.memories = inputs_;
  const std::string tandem = find_tandem();
  const WorkFolder folder;
  const std::string program = folder.file("program.elf");
  if (tandem.empty() || folder.path().empty() || !write_file(program, elf)) {
    result.problem = tandem.empty() ? "there is no `tandem` beside this executable"
                                    : "cannot make temporary files";
    return result;
  }
  ChildCommand command{{tandem, "run", program}};
  command.words.insert(command.words.end(), arguments.begin(), arguments.end());
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    const LaunchTensor& tensor = tensors_[i];
    const std::string path = folder.file(tensor.name + ".npy");
    if (tensor.is_input && !write_tensor(path, tensor, inputs_[i])) {
      result.problem = "cannot write " + path;
      return result;
    }
    command.words.insert(command.words.end(),
                         {tensor.is_input ? "--in" : "--out", tensor.name + "=" + path});
  }
  const Ended ended = run_process(command);
  if (!ended.ok()) result.problem = first_lines(ended);
  for (std::size_t i = 0; i < tensors_.size() && result.problem.empty(); ++i) {
    if (tensors_[i].is_input) continue;
    result.problem =
        read_tensor(folder.file(tensors_[i].name + ".npy"), tensors_[i], result.memories[i]);
  }
  return result;
}

bool LevelRuns::save(const LevelRun& run, const std::string& folder) const {
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    const std::string path = folder + "/" + tensors_[i].name + ".npy";
    if (!write_tensor(path, tensors_[i], run.memories[i])) return false;
  }
  return true;
}

std::string LevelRuns::compare(const LevelRun& before, const LevelRun& now) const {
  const Closeness closeness =
      before.is_binary == now.is_binary ? Closeness::sums : Closeness::machine;
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    if (tensors_[i].is_input) continue;
    std::string text = difference(tensors_[i], before.memories[i], now.memories[i], closeness);
    if (!text.empty()) return text;
  }
  return "";
}

}  // namespace tandem::compiler
