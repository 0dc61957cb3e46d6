#include "python/pjrt/programs/execute.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "python/pjrt/core/behind.hpp"
#include "python/pjrt/core/fork_guard.hpp"
#include "python/pjrt/core/interrupts.hpp"
#include "python/pjrt/programs/client.hpp"
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

// Argument `i` gives its memory to a result.
bool is_donated(const std::vector<Argument>& declared, std::span<const std::int64_t> keep,
                std::size_t i) {
  return declared[i].donated &&
         std::find(keep.begin(), keep.end(), static_cast<std::int64_t>(i)) == keep.end();
}

// A buffer that is donated may be an argument once. The words are XLA's.
[[noreturn]] void refuse_second_use(std::size_t first, bool first_donated, std::size_t second,
                                    bool second_donated) {
  const char* const what =
      !second_donated ? "use a buffer that was previously donated in the same call to Execute()"
      : first_donated ? "donate the same buffer twice in Execute()"
                      : "donate a buffer which is also used by the same call to Execute()";
  const auto example = [](bool donated) { return donated ? "donate(a)" : "a"; };
  refuse(
      fmt::format("Attempt to {} (flattened argument {}, replica 0, partition 0, first use: "
                  "{}). Toy example for this bug: `f({}, {})`.",
                  what, second, first, example(first_donated), example(second_donated)));
}

void check_donations(const std::vector<bool>& donated, Buffers buffers) {
  if (std::find(donated.begin(), donated.end(), true) == donated.end()) return;
  std::unordered_map<const Buffer*, std::size_t> first_use;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const auto [found, is_new] = first_use.emplace(buffers[i], i);
    const std::size_t first = found->second;
    if (!is_new && (donated[i] || donated[first])) {
      refuse_second_use(first, donated[first], i, donated[i]);
    }
  }
}

// What the run needs, taken away from the buffers that are donated.
std::vector<RunArgument> run_arguments(const std::vector<Argument>& declared, Buffers buffers,
                                       std::span<const std::int64_t> keep) {
  std::vector<bool> donated(buffers.size());
  for (std::size_t i = 0; i < buffers.size(); ++i) donated[i] = is_donated(declared, keep, i);
  check_donations(donated, buffers);
  std::vector<RunArgument> arguments(buffers.size());
  std::vector<Buffer*> given_away;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    arguments[i].is_result = declared[i].donated;
    arguments[i].is_kept = !donated[i];
    if (donated[i]) {
      given_away.push_back(buffers[i]);
    } else {
      arguments[i].storage = buffers[i]->storage();
    }
  }
  std::vector<SharedStorage> taken = take_storages(given_away);
  auto next = taken.begin();
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (donated[i]) arguments[i].storage = std::move(*next++);
  }
  return arguments;
}

// A result is in order when what it was made of is. Tokens carry nothing: one function that has
// failed is no reason why all later ones do.
std::vector<SharedCompletion> needs_of(const Run& run) {
  std::vector<SharedCompletion> needs;
  for (const auto& [storage, is_result, is_kept] : run.arguments) {
    if (dense_bytes(storage->shape()) != 0) needs.push_back(storage->ready());
  }
  return needs;
}

// What the worker is to finish in the place of `done`, which follows when the host has been told.
SharedCompletion told(const std::shared_ptr<HostCalls>& calls, SharedCompletion done) {
  if (calls == nullptr) return done;
  auto ran = std::make_shared<Completion>();
  ran->then([calls, done = std::move(done)](const Status& status) { calls->end(status, done); });
  return ran;
}

}  // namespace

Execution execute(LoadedExecutable& executable, Buffers buffers,
                  std::span<const std::int64_t> keep) {
  refuse_in_forked_child();  // before anything is taken away
  check_arguments(executable, buffers);
  Device& device = executable.device();
  const CompiledProgram& program = executable.executable().program();
  const auto run = std::make_shared<Run>();
  run->program = executable.loaded();
  run->worker = device.worker();
  run->save = executable.client().options().save;
  if (program.log) {
    run->calls = std::make_shared<HostCalls>(executable.executable().host_key(),
                                             HostLane::from_here(device.lane()));
  }
  Execution execution;
  execution.done = std::make_shared<Completion>();
  for (const auto& [shape, shares] : program.results) {
    const auto& storage = run->results.emplace_back(
        std::make_shared<Storage>(device.worker(), shape, execution.done));
    execution.results.push_back(std::make_unique<Buffer>(device, storage));
  }
  handle_interrupts();
  run->arguments = run_arguments(program.arguments, buffers, keep);
  device.worker()->post(
      TaskKind::run, [run](runtime::Device& target) { perform(*run, target); },
      behind(needs_of(*run), told(run->calls, execution.done)));
  return execution;
}

}  // namespace tandem::pjrt
