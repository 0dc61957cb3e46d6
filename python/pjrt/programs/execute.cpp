#include "python/pjrt/programs/execute.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "python/pjrt/core/interrupts.hpp"
#include "python/pjrt/devices/client.hpp"
#include "python/pjrt/programs/run.hpp"
#include "python/pjrt/programs/run_report.hpp"

namespace tandem::pjrt {
namespace {

using Buffers = std::span<Buffer* const>;

[[noreturn]] void refuse(std::string message) {
  fail(PJRT_Error_Code_INVALID_ARGUMENT, std::move(message));
}

void check_arguments(const LoadedExecutable& executable, Buffers buffers) {
  const std::vector<Argument>& declared = executable.executable().program().arguments;
  if (buffers.size() != declared.size()) {
    refuse(fmt::format("the program takes {} arguments, {} are given", declared.size(),
                       buffers.size()));
  }
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (buffers[i] == nullptr) refuse(fmt::format("argument {} is no buffer", i));
    const Buffer& buffer = *buffers[i];
    if (&buffer.device() != &executable.device()) {
      refuse(fmt::format("argument {} is on device {}, the program runs on device {}", i,
                         buffer.device().id(), executable.device().id()));
    }
    if (!(buffer.shape() == declared[i].shape)) {
      refuse(fmt::format("argument {} is {}, the program takes {}", i, shape_text(buffer.shape()),
                         shape_text(declared[i].shape)));
    }
  }
}

// Donated arguments stay with their owner where the caller says so, or when the same buffer is an
// argument twice.
std::vector<RunArgument> run_arguments(const std::vector<Argument>& declared, Buffers buffers,
                                       std::span<const std::int64_t> keep) {
  std::vector<RunArgument> arguments;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const bool kept =
        std::find(keep.begin(), keep.end(), static_cast<std::int64_t>(i)) != keep.end();
    const bool twice = std::count(buffers.begin(), buffers.end(), buffers[i]) > 1;
    arguments.push_back({buffers[i]->storage(), declared[i].donated && (kept || twice)});
  }
  return arguments;
}

// Tasks that read them have been posted before the run.
void erase_donated(const std::vector<Argument>& declared, Buffers buffers,
                   const std::vector<RunArgument>& arguments) {
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (declared[i].donated && !arguments[i].copied) buffers[i]->erase();
  }
}

}  // namespace

Execution execute(LoadedExecutable& executable, Buffers buffers,
                  std::span<const std::int64_t> keep) {
  check_arguments(executable, buffers);
  Device& device = executable.device();
  const CompiledProgram& program = executable.executable().program();
  const auto run = std::make_shared<Run>();
  run->program = executable.loaded();
  run->arguments = run_arguments(program.arguments, buffers, keep);
  run->worker = device.worker();
  run->save = executable.client().options().save;
  Execution execution;
  execution.done = std::make_shared<Completion>();
  for (const auto& [shape, shares] : program.results) {
    const auto& storage = run->results.emplace_back(
        std::make_shared<Storage>(device.worker(), shape, execution.done));
    execution.results.push_back(std::make_unique<Buffer>(device, storage));
  }
  handle_interrupts();
  device.worker()->post(
      TaskKind::run, [run](runtime::Device& target) { perform(*run, target); }, execution.done);
  erase_donated(program.arguments, buffers, run->arguments);
  return execution;
}

}  // namespace tandem::pjrt
