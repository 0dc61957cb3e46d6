#include "python/pjrt/programs/execute.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
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

// "argument 3", with the device if there are several.
std::string argument_name(const LoadedExecutable& executable, std::size_t partition,
                          std::size_t argument) {
  if (executable.devices().size() == 1) return fmt::format("argument {}", argument);
  return fmt::format("argument {} of partition {}", argument, partition);
}

void check_arguments(const LoadedExecutable& executable, std::size_t partition, Buffers buffers) {
  const std::vector<Argument>& declared = executable.executable().program().arguments;
  const Device& device = *executable.devices()[partition];
  if (buffers.size() != executable.executable().arguments()) {
    refuse(fmt::format("the program takes {} arguments, {} are given",
                       executable.executable().arguments(), buffers.size()));
  }
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const std::string name = argument_name(executable, partition, i);
    if (buffers[i] == nullptr) refuse(name + " is no buffer");
    const Buffer& buffer = *buffers[i];
    if (&buffer.device() != &device) {
      refuse(fmt::format("{} is on device {}, the program runs on device {}", name,
                         buffer.device().id(), device.id()));
    }
    if (!(buffer.shape() == declared[i].shape)) {
      refuse(fmt::format("{} is {}, the program takes {}", name, shape_text(buffer.shape()),
                         shape_text(declared[i].shape)));
    }
  }
}

// Which arguments give their memory to a result.
std::vector<bool> donations(const Executable& executable, std::span<const std::int64_t> keep) {
  std::vector<bool> donated(executable.arguments());
  for (std::size_t i = 0; i < donated.size(); ++i) {
    donated[i] = executable.program().arguments[i].donated;
  }
  for (const std::int64_t i : keep) {
    if (i >= 0 && static_cast<std::size_t>(i) < donated.size()) {
      donated[static_cast<std::size_t>(i)] = false;
    }
  }
  return donated;
}

// A buffer that is donated may be an argument once. The words are XLA's.
[[noreturn]] void refuse_second_use(std::size_t partition, std::size_t first, bool first_donated,
                                    std::size_t second, bool second_donated) {
  const char* const what =
      !second_donated ? "use a buffer that was previously donated in the same call to Execute()"
      : first_donated ? "donate the same buffer twice in Execute()"
                      : "donate a buffer which is also used by the same call to Execute()";
  const auto example = [](bool donated) { return donated ? "donate(a)" : "a"; };
  refuse(
      fmt::format("Attempt to {} (flattened argument {}, replica 0, partition {}, first use: "
                  "{}). Toy example for this bug: `f({}, {})`.",
                  what, second, partition, first, example(first_donated), example(second_donated)));
}

void check_donations(const std::vector<bool>& donated, std::size_t partition, Buffers buffers) {
  if (std::find(donated.begin(), donated.end(), true) == donated.end()) return;
  std::unordered_map<const Buffer*, std::size_t> first_use;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const auto [found, is_new] = first_use.emplace(buffers[i], i);
    const std::size_t first = found->second;
    if (!is_new && (donated[i] || donated[first])) {
      refuse_second_use(partition, first, donated[first], i, donated[i]);
    }
  }
}

// The storages for the runs, partition by partition, taken from the donated buffers: from all of
// them or from none.
std::vector<std::vector<RunArgument>> run_arguments(
    const Executable& executable, const std::vector<std::vector<Buffer*>>& buffers,
    const std::vector<bool>& donated) {
  std::vector<std::vector<RunArgument>> arguments(buffers.size());
  std::vector<Buffer*> given_away;
  for (std::size_t partition = 0; partition < buffers.size(); ++partition) {
    arguments[partition].resize(donated.size());
    for (std::size_t i = 0; i < donated.size(); ++i) {
      RunArgument& argument = arguments[partition][i];
      argument.is_result = executable.program().arguments[i].donated;
      argument.is_kept = !donated[i];
      if (donated[i]) {
        given_away.push_back(buffers[partition][i]);
      } else {
        argument.storage = buffers[partition][i]->storage();
      }
    }
  }
  std::vector<SharedStorage> taken = take_storages(given_away);
  auto next = taken.begin();
  for (std::vector<RunArgument>& of_partition : arguments) {
    for (std::size_t i = 0; i < donated.size(); ++i) {
      if (donated[i]) of_partition[i].storage = std::move(*next++);
    }
  }
  return arguments;
}

// A result is valid when its inputs are. Tokens carry no data: one failed function must not fail
// all later ones.
std::vector<SharedCompletion> needs_of(const Run& run) {
  std::vector<SharedCompletion> needs;
  for (const auto& [storage, is_result, is_kept] : run.arguments) {
    if (dense_bytes(storage->shape()) != 0) needs.push_back(storage->ready());
  }
  return needs;
}

// The completion that the worker finishes in the place of `done`, which follows when the host's
// calls have been made.
SharedCompletion told(const std::shared_ptr<HostCalls>& calls, SharedCompletion done) {
  if (calls == nullptr) return done;
  auto ran = std::make_shared<Completion>();
  ran->then([calls, done = std::move(done)](const Status& status) { calls->end(status, done); });
  return ran;
}

std::shared_ptr<Group> group_of(const LoadedExecutable& executable) {
  if (executable.devices().size() == 1) return nullptr;
  std::vector<int> devices;
  for (const Device* const device : executable.devices()) devices.push_back(device->id());
  return std::make_shared<Group>(std::move(devices));
}

// A run on one device, without its arguments, and the caller's view of it.
std::pair<std::shared_ptr<Run>, Execution> prepared(const LoadedExecutable& executable,
                                                    std::size_t partition,
                                                    const std::shared_ptr<Group>& group) {
  Device& device = *executable.devices()[partition];
  const CompiledProgram& program = executable.executable().program();
  auto run = std::make_shared<Run>();
  run->program = executable.loaded()[partition];
  run->worker = device.worker();
  run->save = executable.client().options().save;
  run->group = group;
  run->partition = partition;
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
  return {std::move(run), std::move(execution)};
}

// The same for a run on several devices: the others do not wait for one that does not begin because
// an interrupt came before.
SharedCompletion ending_group(const std::shared_ptr<Group>& group, SharedCompletion done) {
  if (group == nullptr) return done;
  auto ran = std::make_shared<Completion>();
  ran->then([group, done = std::move(done)](const Status& status) {
    if (!status.ok()) group->end(status);
    done->finish(status);
  });
  return ran;
}

void post(const std::shared_ptr<Run>& run, const SharedCompletion& done) {
  run->worker->post(
      TaskKind::run, [run](runtime::Device& target) { perform(*run, target); },
      ending_group(run->group, behind(needs_of(*run), told(run->calls, done))));
}

}  // namespace

std::vector<Execution> execute(LoadedExecutable& executable,
                               const std::vector<std::vector<Buffer*>>& buffers,
                               std::span<const std::int64_t> keep) {
  refuse_in_forked_child();  // before anything is taken away
  const std::vector<bool> donated = donations(executable.executable(), keep);
  for (std::size_t partition = 0; partition < buffers.size(); ++partition) {
    check_arguments(executable, partition, buffers[partition]);
    check_donations(donated, partition, buffers[partition]);
  }
  const std::shared_ptr<Group> group = group_of(executable);
  std::vector<std::shared_ptr<Run>> runs;
  std::vector<Execution> executions;
  for (std::size_t partition = 0; partition < buffers.size(); ++partition) {
    auto [run, execution] = prepared(executable, partition, group);
    runs.push_back(std::move(run));
    executions.push_back(std::move(execution));
  }
  handle_interrupts();
  std::vector<std::vector<RunArgument>> arguments =
      run_arguments(executable.executable(), buffers, donated);
  const std::lock_guard lock(posting_to_several());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    runs[i]->arguments = std::move(arguments[i]);
    post(runs[i], executions[i].done);
  }
  return executions;
}

}  // namespace tandem::pjrt
