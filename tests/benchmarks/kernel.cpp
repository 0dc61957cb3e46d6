#include "tests/benchmarks/kernel.hpp"

#include <fmt/format.h>

#include <memory>
#include <stdexcept>

#include "cli/program.hpp"
#include "cli/tensors.hpp"
#include "cli/user_error.hpp"
#include "cosim/lockstep/runners.hpp"
#include "cosim/verilated/rtl_machine.hpp"
#include "runtime/models/listing.hpp"
#include "runtime/models/runner.hpp"

namespace tandem::test {
namespace {

constexpr std::uint64_t step_limit = 2'000'000'000;
constexpr std::uint64_t hbm_bytes = std::uint64_t{1} << 32U;

struct Prepared {
  Prepared(const std::string& path, std::string_view preset, const Tensors& inputs) {
    AssembleOptions options;
    options.preset = preset;
    try {
      image = make_image(load_program({path}, options));
      launch = make_launch(image, inputs, hbm_bytes, 1);
    } catch (const UserError& error) {
      throw std::runtime_error(error.message);
    } catch (const LaunchError& error) {
      throw std::runtime_error(error.message);
    }
  }
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;

  Image image;
  Launch launch;
};

std::string verdict(const Runner& runner, Outcome outcome, const Image& image) {
  std::string text = fmt::format("{} at bundle {} ({}); {}", outcome_name(outcome), runner.pc(),
                                 source_location(image, runner.pc()), runner.explanation());
  if (outcome == Outcome::trapped) text += trap_text(runner.trap());
  if (const auto finding = runner.finding()) text += finding->message;
  return text;
}

Tensors outputs_of(const Launch& launch, const SparseMemory& hbm) {
  Tensors outputs;
  for (const PlacedTensor& placed : launch.tensors) {
    if (placed.tensor.output) outputs[placed.tensor.name] = fetch_tensor(placed, hbm);
  }
  return outputs;
}

}  // namespace

Tensors run_kernel(const std::string& path, std::string_view preset, const Tensors& inputs,
                   std::string_view model, const MachineOptions& machine) {
  const Prepared prepared(path, preset, inputs);
  RunnerOptions options;
  options.machine = machine;
  const auto runner = make_runner(model, prepared.launch, options);
  const Outcome outcome = runner->advance(step_limit);
  if (outcome != Outcome::halted) {
    throw std::runtime_error(verdict(*runner, outcome, prepared.image));
  }
  return outputs_of(prepared.launch, runner->hbm());
}

std::uint32_t trap_of_kernel(const std::string& path, std::string_view preset,
                             const Tensors& inputs) {
  const Prepared prepared(path, preset, inputs);
  const auto runner = make_runner("golden", prepared.launch, {});
  const Outcome outcome = runner->advance(step_limit);
  if (outcome != Outcome::trapped || runner->trap().cause != TrapCause::explicit_trap) {
    throw std::runtime_error(verdict(*runner, outcome, prepared.image));
  }
  return runner->trap().detail;
}

std::vector<std::string_view> lockstep_presets() { return rtl_presets(); }

}  // namespace tandem::test
