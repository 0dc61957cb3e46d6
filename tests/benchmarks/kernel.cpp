#include "tests/benchmarks/kernel.hpp"

#include <fmt/format.h>

#include <memory>
#include <stdexcept>

#include "cli/messages/user_error.hpp"
#include "cli/run/program/program.hpp"
#include "cosim/verilated/rtl_machine.hpp"
#include "runtime/device/named_launch.hpp"
#include "runtime/models/listing.hpp"

namespace tandem::test {
namespace {

constexpr std::uint64_t step_limit = 2'000'000'000;

runtime::NamedLaunch prepared(const std::string& path, std::string_view preset,
                              const Tensors& inputs, runtime::DeviceOptions options) {
  AssembleOptions assemble;
  assemble.preset = preset;
  try {
    return {std::move(options), make_image(load_program({path}, assemble)), inputs};
  } catch (const UserError& error) {
    throw std::runtime_error(error.message);
  } catch (const LaunchError& error) {
    throw std::runtime_error(error.message);
  }
}

std::string verdict(const Runner& runner, Outcome outcome, const Image& image) {
  std::string text = fmt::format("{} at bundle {} ({}); {}", outcome_name(outcome), runner.pc(),
                                 source_location(image, runner.pc()), runner.explanation());
  if (outcome == Outcome::trapped) text += trap_text(runner.trap());
  if (const auto finding = runner.finding()) text += finding->message;
  return text;
}

}  // namespace

Tensors run_kernel(const std::string& path, std::string_view preset, const Tensors& inputs,
                   std::string_view model, const MachineOptions& machine) {
  runtime::DeviceOptions options;
  options.model = runtime::find_model(model).value();
  options.machine = machine;
  runtime::NamedLaunch job = prepared(path, preset, inputs, options);
  const auto run = job.start({});
  const Outcome outcome = run->advance(step_limit);
  if (outcome != Outcome::halted) {
    throw std::runtime_error(verdict(run->runner(), outcome, job.image()));
  }
  Tensors outputs;
  for (const Tensor& tensor : job.image().tensors) {
    if (tensor.output) outputs[tensor.name] = job.read(tensor.name);
  }
  return outputs;
}

std::uint32_t trap_of_kernel(const std::string& path, std::string_view preset,
                             const Tensors& inputs) {
  runtime::NamedLaunch job = prepared(path, preset, inputs, {});
  const auto run = job.start({});
  const Outcome outcome = run->advance(step_limit);
  const Trap trap = run->runner().trap();
  if (outcome != Outcome::trapped || trap.cause != TrapCause::explicit_trap) {
    throw std::runtime_error(verdict(run->runner(), outcome, job.image()));
  }
  return trap.detail;
}

std::vector<std::string_view> lockstep_presets() { return rtl_presets(); }

}  // namespace tandem::test
