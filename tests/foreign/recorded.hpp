// Runs of the cycle-exact model in lockstep, recorded, and checked again from their stream.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "cosim/faults/fault.hpp"
#include "cosim/lockstep/runners.hpp"
#include "cosim/stream/recording_machine.hpp"
#include "cosim/stream/stream_reader.hpp"
#include "runtime/models/cycle_machine.hpp"

namespace tandem {

inline constexpr std::uint64_t recorded_hbm_bytes = 1U << 20U;

// A run in lockstep, and its recording.
struct Recorded {
  Image image;
  std::string stream;
  Outcome outcome = Outcome::running;
  nlohmann::json page;
};

inline Recorded record(Image image, const std::optional<Fault>& fault) {
  Recorded result;
  result.image = std::move(image);
  const Launch launch = make_launch(result.image, {}, recorded_hbm_bytes, 1);
  std::unique_ptr<Machine> machine = make_cycle_machine(*result.image.preset, {});
  if (fault) machine = make_faulty_machine(std::move(machine), *fault, nullptr);
  StreamWriter writer(machine->parameters(), stream_header(*machine, {}, recorded_hbm_bytes, 1),
                      [&](std::string_view bytes) { result.stream += bytes; });
  bool stopped = false;
  LockstepOptions options;
  options.detect_uninitialised = false;
  const auto runner =
      make_lockstep_runner(launch, make_recording_machine(std::move(machine), writer, &stopped),
                           make_timed_machine(*result.image.preset, {}), options);
  result.outcome = runner->advance(100'000);
  if (!stopped) writer.end(0);
  if (result.outcome == Outcome::mismatch) {
    result.page = nlohmann::json::parse(runner->explanation_json());
  }
  return result;
}

inline StreamReader reader_of(const std::string& stream, std::size_t& at) {
  return StreamReader([&stream, &at](std::span<std::uint8_t> bytes) {
    const std::size_t count = std::min(bytes.size(), stream.size() - at);
    std::memcpy(bytes.data(), stream.data() + at, count);
    at += count;
    return count;
  });
}

inline std::unique_ptr<CoreCheck> replay(const Image& image, const std::string& stream,
                                         std::optional<CheckLevel> level = std::nullopt,
                                         std::uint64_t limit = 100'000) {
  std::size_t at = 0;
  StreamReader reader = reader_of(stream, at);
  CoreCheckOptions options;
  options.hbm_bytes = recorded_hbm_bytes;
  options.detect_uninitialised = false;
  options.level = level.value_or(reader.header().level);
  options.times = reader.header().times;
  options.limit = limit;
  auto check = std::make_unique<CoreCheck>(image, std::map<std::string, TensorData>(), options);
  while (reader.give_next(*check)) {
  }
  return check;
}

}  // namespace tandem
