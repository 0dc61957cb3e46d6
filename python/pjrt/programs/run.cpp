#include "python/pjrt/programs/run.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "isa/launch/log.hpp"
#include "python/pjrt/programs/recording.hpp"
#include "python/pjrt/programs/run_report.hpp"
#include "runtime/group/group.hpp"

namespace tandem::pjrt {
namespace {

using Tensors = std::vector<runtime::TensorHandle>;

// Whether something else still needs the storage that the run overwrites. A donated storage was
// taken from its buffer before the run was posted, so it cannot be reached any more; but a thread
// that already had it may have posted, or be about to post, a task that reads it.
bool needs_copy(const RunArgument& argument) {
  return argument.is_result && (argument.is_kept || argument.storage.use_count() > 1);
}

// The program's inputs, as it declares them.
Tensors arguments_of(const Run& run, runtime::Device& device) {
  Tensors tensors;
  for (const RunArgument& argument : run.arguments) {
    const runtime::TensorHandle& tensor = argument.storage->tensor();
    tensors.push_back(needs_copy(argument) ? device.clone(*tensor) : tensor);
  }
  if (const runtime::TensorHandle& number = run.program->number_on(device)) {
    tensors.push_back(number);
  }
  return tensors;
}

void add_log(const Run& run, runtime::Device& device, Tensors& tensors) {
  const auto& log = run.program->compiled().log;
  if (!log) return;
  tensors.push_back(device.allocate(log->type, log->dimensions));
  constexpr std::array<std::uint8_t, 4 * log_state_words> nothing{};
  device.write_part(*tensors.back(), 0, nothing);
}

// Arguments, results and the log.
Tensors tensors_of(const Run& run, runtime::Device& device) {
  Tensors tensors = arguments_of(run, device);
  for (const auto& [shape, shares] : run.program->compiled().results) {
    tensors.push_back(shares ? tensors[*shares] : device.allocate(shape.type, shape.dimensions));
  }
  add_log(run, device, tensors);
  return tensors;
}

// The inputs for repeating a failed run, as the run itself may write into its arguments.
Tensors kept_arguments(const Run& run, const Tensors& tensors, runtime::Device& device) {
  Tensors kept;
  if (run.save.empty()) return kept;
  const std::vector<Argument>& declared = run.program->compiled().arguments;
  for (std::size_t i = 0; i < declared.size(); ++i) {
    kept.push_back(declared[i].donated ? device.clone(*tensors[i]) : tensors[i]);
  }
  return kept;
}

// Whether the run need not continue: its group has failed, or a function of the host.
bool goes_on(const Run& run) {
  return (run.calls == nullptr || !run.calls->has_failed()) &&
         (run.group == nullptr || !run.group->has_failed());
}

// The same of a run that nothing else interrupts.
bool is_wanted(const Run& run) { return goes_on(run) && !run.worker->interrupt().load(); }

void fill_results(const Run& run, const Tensors& tensors) {
  const std::size_t arguments = run.program->compiled().arguments.size();
  for (std::size_t i = 0; i < run.results.size(); ++i) {
    run.results[i]->fill(tensors[arguments + i]);
  }
}

void launch(const Run& run, runtime::Device& device) {
  const CompiledProgram& compiled = run.program->compiled();
  const runtime::Program& program = *run.program->on(device);
  const Tensors tensors = tensors_of(run, device);
  const Tensors kept = kept_arguments(run, tensors, device);
  const std::size_t arguments = compiled.arguments.size();
  record_run(compiled, std::span(tensors).first(arguments), device);
  runtime::LaunchOptions options;
  options.interrupt = &run.worker->interrupt();
  // The golden model works sequentially, so its log is consistent before the end, too; elsewhere
  // copies may be on their way.
  const bool in_order = device.options().model == runtime::Model::golden;
  if ((run.calls && in_order) || run.group) {
    options.between = [&] {
      if (run.calls && in_order) run.calls->tell(device, *tensors.back());
      return goes_on(run);
    };
  }
  const runtime::LaunchResult result = device.launch(program, tensors, options);
  // A halt or trap comes when everything in flight is complete.
  if (run.calls &&
      (in_order || result.outcome == Outcome::halted || result.outcome == Outcome::trapped)) {
    run.calls->tell(device, *tensors.back());
  }
  if (result.outcome != Outcome::halted) {
    const ChipArguments own{kept, &device};
    throw Failure{failed_run(result, {compiled, run.save, {&own, 1}}, device)};
  }
  fill_results(run, tensors);
}

// The runs of a group, whose programs send to each other. Their results have the same addresses; if
// one shares the memory of an argument with another address, the argument moves.
using Members = std::span<const Meeting::Present>;

std::vector<Tensors> tensors_of(Members members, runtime::Group& group) {
  std::vector<Tensors> tensors;
  for (const auto& [run, device] : members) tensors.push_back(arguments_of(*run, *device));
  const auto of_all = [&](std::size_t i) {
    Tensors same;
    for (const Tensors& of_chip : tensors) same.push_back(of_chip[i]);
    return same;
  };
  for (const auto& [shape, shares] : members[0].run->program->compiled().results) {
    Tensors result;
    if (!shares) {
      result = group.allocate(shape.type, shape.dimensions);
    } else {
      result = of_all(*shares);
      if (!runtime::Group::lie_alike(result)) result = group.clone(result);
    }
    for (std::size_t chip = 0; chip < tensors.size(); ++chip) {
      if (shares) tensors[chip][*shares] = result[chip];
      tensors[chip].push_back(result[chip]);
    }
  }
  for (std::size_t chip = 0; chip < tensors.size(); ++chip) {
    add_log(*members[chip].run, *members[chip].device, tensors[chip]);
  }
  return tensors;
}

void tell_all(Members members, const std::vector<Tensors>& tensors) {
  for (std::size_t chip = 0; chip < members.size(); ++chip) {
    const auto& [run, device] = members[chip];
    if (run->calls) run->calls->tell(*device, *tensors[chip].back());
  }
}

// In the thread of one of them.
void launch_together(Members members) {
  std::vector<runtime::Device*> devices;
  for (const auto& [run, device] : members) devices.push_back(device);
  runtime::Group group(devices);
  const std::vector<Tensors> tensors = tensors_of(members, group);
  std::vector<Tensors> kept;
  std::vector<runtime::GroupMember> given;
  for (std::size_t chip = 0; chip < members.size(); ++chip) {
    const auto& [run, device] = members[chip];
    const CompiledProgram& compiled = run->program->compiled();
    kept.push_back(kept_arguments(*run, tensors[chip], *device));
    record_run(compiled, std::span(tensors[chip]).first(compiled.arguments.size()), *device);
    given.push_back({run->program->on(*device), tensors[chip]});
  }
  runtime::LaunchOptions options;
  options.between = [&] {
    tell_all(members, tensors);
    return std::all_of(members.begin(), members.end(),
                       [](const Meeting::Present& member) { return is_wanted(*member.run); });
  };
  const runtime::GroupResult result = group.launch(given, options);
  tell_all(members, tensors);
  if (result.outcome != Outcome::halted) {
    const std::size_t chip = result.chip.value_or(0);
    const auto& [run, device] = members[chip];
    runtime::LaunchResult failed = result.chips[chip];
    failed.outcome = result.outcome;
    failed.report = result.report;
    std::vector<ChipArguments> arguments;
    arguments.reserve(members.size());
    for (std::size_t i = 0; i < members.size(); ++i) arguments.push_back({kept[i], devices[i]});
    run->group->fail(run->partition,
                     failed_run(failed, {run->program->compiled(), run->save, arguments}, *device));
  }
  for (std::size_t chip = 0; chip < members.size(); ++chip) {
    fill_results(*members[chip].run, tensors[chip]);
  }
}

void launch_in_group(const Run& run, runtime::Device& device) {
  if (!run.program->on(device)->is_of_group()) return launch(run, device);
  run.group->meeting().meet(run.partition, {&run, &device}, launch_together,
                            [&run] { return is_wanted(run); });
}

}  // namespace

void perform(const Run& run, runtime::Device& device) {
  if (run.group == nullptr) return launch(run, device);
  // The failure of an argument has been reported where it happened. Chips that would wait for this
  // one end.
  try {
    for (const RunArgument& argument : run.arguments) (void)argument.storage->tensor();
  } catch (const Failure& failure) {
    if (run.program->on(device)->is_of_group()) run.group->end(failure.status);
    throw;
  }
  run.group->perform(run.partition, [&] { launch_in_group(run, device); });
}

}  // namespace tandem::pjrt
