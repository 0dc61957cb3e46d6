#include "python/pjrt/programs/run.hpp"

#include <array>
#include <span>

#include "isa/launch/log.hpp"
#include "python/pjrt/programs/recording.hpp"
#include "python/pjrt/programs/run_report.hpp"

namespace tandem::pjrt {
namespace {

using Tensors = std::vector<runtime::TensorHandle>;

// Whether somebody else needs what the run writes over. A donated storage was taken from its buffer
// before the run was posted, so nobody can come to it any more; but a thread that had it by then
// may have posted, or be about to post, a task that reads it.
bool needs_copy(const RunArgument& argument) {
  return argument.is_result && (argument.is_kept || argument.storage.use_count() > 1);
}

// Arguments, results and the log, as the program declares them.
Tensors tensors_of(const Run& run, runtime::Device& device) {
  Tensors tensors;
  for (const RunArgument& argument : run.arguments) {
    const runtime::TensorHandle& tensor = argument.storage->tensor();
    tensors.push_back(needs_copy(argument) ? device.clone(*tensor) : tensor);
  }
  if (const runtime::TensorHandle& number = run.program->number_on(device)) {
    tensors.push_back(number);
  }
  for (const auto& [shape, shares] : run.program->compiled().results) {
    tensors.push_back(shares ? tensors[*shares] : device.allocate(shape.type, shape.dimensions));
  }
  if (const auto& log = run.program->compiled().log) {
    tensors.push_back(device.allocate(log->type, log->dimensions));
    constexpr std::array<std::uint8_t, 4 * log_state_words> nothing{};
    device.write_part(*tensors.back(), 0, nothing);
  }
  return tensors;
}

// What a failed run is repeated with, as the run itself may write into its arguments.
Tensors kept_arguments(const Run& run, const Tensors& tensors, runtime::Device& device) {
  Tensors kept;
  if (run.save.empty()) return kept;
  const std::vector<Argument>& declared = run.program->compiled().arguments;
  for (std::size_t i = 0; i < declared.size(); ++i) {
    kept.push_back(declared[i].donated ? device.clone(*tensors[i]) : tensors[i]);
  }
  return kept;
}

// Whether the run need not go on: its group has failed, or a function of the host.
bool goes_on(const Run& run) {
  return (run.calls == nullptr || !run.calls->has_failed()) &&
         (run.group == nullptr || !run.group->has_failed());
}

void launch(const Run& run, runtime::Device& device) {
  const CompiledProgram& compiled = run.program->compiled();
  const runtime::Program& program = run.program->on(device);
  const Tensors tensors = tensors_of(run, device);
  const Tensors kept = kept_arguments(run, tensors, device);
  const std::size_t arguments = compiled.arguments.size();
  record_run(compiled, std::span(tensors).first(arguments), device);
  runtime::LaunchOptions options;
  options.interrupt = &run.worker->interrupt();
  // The golden model does one thing after the other, so what stands in its log is whole before the
  // end, too; elsewhere copies may be on their way.
  const bool in_order = device.options().model == runtime::Model::golden;
  if ((run.calls && in_order) || run.group) {
    options.between = [&] {
      if (run.calls && in_order) run.calls->tell(device, *tensors.back());
      return goes_on(run);
    };
  }
  const runtime::LaunchResult result = device.launch(program, tensors, options);
  // A halt and a trap come when what is in flight is complete.
  if (run.calls &&
      (in_order || result.outcome == Outcome::halted || result.outcome == Outcome::trapped)) {
    run.calls->tell(device, *tensors.back());
  }
  if (result.outcome != Outcome::halted) {
    throw Failure{failed_run(result, {compiled, run.save, kept}, device)};
  }
  for (std::size_t i = 0; i < run.results.size(); ++i) {
    run.results[i]->fill(tensors[arguments + i]);
  }
}

}  // namespace

void perform(const Run& run, runtime::Device& device) {
  if (run.group == nullptr) return launch(run, device);
  // What an argument failed by has been named where that was.
  for (const RunArgument& argument : run.arguments) (void)argument.storage->tensor();
  run.group->perform(run.partition, [&] { launch(run, device); });
}

}  // namespace tandem::pjrt
