#include "tests/benchmarks/llama_support.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <numeric>
#include <stdexcept>

#include "cli/messages/user_error.hpp"
#include "cli/run/program/program.hpp"
#include "tests/benchmarks/kernel.hpp"

namespace tandem::test {
namespace {

constexpr std::uint64_t step_limit = 2'000'000'000;

runtime::DeviceOptions options_for(std::string_view model) {
  runtime::DeviceOptions options;
  options.model = runtime::find_model(model).value();
  return options;
}

}  // namespace

Image llama_image(std::string_view preset, const char* program) {
  AssembleOptions options;
  options.preset = preset;
  try {
    return make_image(load_program({program}, options));
  } catch (const UserError& error) {
    throw std::runtime_error(error.message);
  }
}

std::vector<std::uint8_t> invented_file(const std::vector<std::int32_t>& header) {
  LlamaConfig c{header[0], header[1],           header[2], header[3],
                header[4], std::abs(header[5]), header[6], header[5] > 0};
  Generator random(static_cast<std::uint64_t>(std::accumulate(header.begin(), header.end(), 0)));
  std::vector<float> weights;
  const auto append = [&](std::int64_t count, double low, double high) {
    for (std::int64_t i = 0; i < count; ++i) {
      weights.push_back(static_cast<float>(random.real(low, high)));
    }
  };
  const std::int64_t dim = c.dim;
  const double range = 2.0 / std::sqrt(static_cast<double>(dim));
  append(c.vocabulary * dim, -1, 1);
  append(c.layers * dim, 0.5, 1.5);
  append(c.layers * (dim * dim + 2 * c.kv_dim() * dim + dim * dim), -range, range);
  append(c.layers * dim, 0.5, 1.5);
  append(3 * c.layers * dim * c.hidden, -range, range);
  append(dim, 0.5, 1.5);
  append(std::int64_t{c.sequence} * c.head_size(), 0, 0.001);
  if (!c.shared_classifier) append(c.vocabulary * dim, -1, 1);
  std::vector<std::uint8_t> file(4 * (header.size() + weights.size()));
  std::memcpy(file.data(), header.data(), 4 * header.size());
  std::memcpy(file.data() + 4 * header.size(), weights.data(), 4 * weights.size());
  return file;
}

DecodedLlama::DecodedLlama(std::string_view preset, const LlamaCheckpoint& checkpoint,
                           const LlamaJob& job, std::string_view model, const char* program)
    : session(llama_image(preset, program), checkpoint, job, options_for(model)),
      run(session.start({})) {
  const Outcome outcome = run->advance(step_limit);
  if (outcome == Outcome::halted) return;
  const Runner& runner = run->runner();
  throw std::runtime_error(fmt::format("{} {} {}", outcome_name(outcome),
                                       runner.finding() ? runner.finding()->message : "",
                                       runner.explanation()));
}

std::vector<std::int32_t> llama_tokens(const LlamaCheckpoint& checkpoint, const LlamaJob& job,
                                       std::string_view preset, std::string_view model,
                                       const char* program) {
  return DecodedLlama(preset, checkpoint, job, model, program).session.tokens();
}

}  // namespace tandem::test
