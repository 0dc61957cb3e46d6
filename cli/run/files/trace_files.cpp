#include "cli/run/files/trace_files.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "cli/files/files.hpp"
#include "cli/messages/messages.hpp"
#include "cli/messages/user_error.hpp"
#include "cli/run/command_run.hpp"
#include "cli/run/files/wave_view_file.hpp"
#include "host/interruption.hpp"
#include "sim/events/timing_background.hpp"
#include "sim/events/timing_order.hpp"
#include "sim/trace/kanata_writer.hpp"
#include "sim/trace/trace_encoder.hpp"

namespace tandem {
namespace {

constexpr std::uint64_t search_slice = 10'000;

CycleWindow search_window(const WindowRequest& request, const std::string& text,
                          const PreparedLaunch& prepared, runtime::DeviceOptions device,
                          std::uint64_t limit) {
  const bool by_label = request.kind == WindowRequest::Kind::label;
  const std::uint32_t from = by_label ? pc_of_label(prepared.image, request.from) : 0;
  const std::uint32_t to = request.to.empty() ? 0 : pc_of_label(prepared.image, request.to);
  WindowSearch search(prepared.image, request, from, to);
  device.model = runtime::Model::cycle;  // the fastest of those with time
  note_interruptions();
  CommandRun run(device, prepared, {&search, {}});
  for (std::uint64_t done = 0; done < limit && !search.complete(); done += search_slice) {
    if (interruption() != 0 || run.runner().advance(search_slice) != Outcome::running) break;
  }
  if (const std::optional<CycleWindow> window = search.window()) return *window;
  throw UserError{fmt::format(message::window_never_reached, text)};
}

CycleWindow find_window(const TraceOptions& options, const PreparedLaunch& prepared,
                        const runtime::DeviceOptions& device, std::uint64_t limit) {
  const WindowRequest request = parse_window(options.window);
  if (request.kind == WindowRequest::Kind::cycles) return request.cycles;
  return search_window(request, options.window, prepared, device, limit);
}

void check(const TraceOptions& options, runtime::Model model) {
  if (!options.any()) {
    if (options.window.empty()) return;
    throw UserError{message::window_without_trace};
  }
  if (model == runtime::Model::golden) {
    throw UserError{message::golden_has_no_time};
  }
  for (const std::string& path : {options.trace, options.pipeline}) {
    if (!path.empty()) claim_output(path);
  }
  if (options.wave.empty()) return;
  if (model != runtime::Model::rtl) throw UserError{message::wave_needs_rtl};
  claim_wave_and_view(options.wave);
}

}  // namespace

class TraceFiles::Trace {
 public:
  Trace(const TraceOptions& options, const Image& image, const CycleWindow& window)
      : path_(options.trace),
        file_(options.trace),
        encoder_(image, window, options.window,
                 [this](std::string_view bytes) { file_.write(bytes); }) {}

  TimingSink* sink() { return &background_; }

  nlohmann::json finish() {
    background_.finish();
    encoder_.finish();
    file_.close();
    return {{"file", path_}, {"events", encoder_.events()}, {"bytes", encoder_.bytes_written()}};
  }

 private:
  std::string path_;
  OutputFile file_;
  trace::Encoder encoder_;
  OrderedTiming ordered_{encoder_};
  BackgroundTiming background_{ordered_};
};

class TraceFiles::Pipeline {
 public:
  Pipeline(const TraceOptions& options, const Image& image, const CycleWindow& window)
      : path_(options.pipeline),
        file_(options.pipeline),
        writer_(image, window, [this](std::string_view text) { file_.write(text); }) {}

  TimingSink* sink() { return &ordered_; }

  nlohmann::json finish() {
    writer_.finish();
    file_.close();
    return {{"file", path_}};
  }

 private:
  std::string path_;
  OutputFile file_;
  KanataWriter writer_;
  OrderedTiming ordered_{writer_};
};

TraceFiles::TraceFiles(const TraceOptions& options, const PreparedLaunch& prepared,
                       std::uint64_t limit, runtime::DeviceOptions& device) {
  check(options, device.model);
  if (!options.any()) return;
  const CycleWindow window = find_window(options, prepared, device, limit);
  if (!options.trace.empty()) {
    trace_ = std::make_unique<Trace>(options, prepared.image, window);
  }
  if (!options.pipeline.empty()) {
    pipeline_ = std::make_unique<Pipeline>(options, prepared.image, window);
  }
  wave_ = {options.wave, window};
  if (!wave_.path.empty()) wave_file_ = std::make_unique<WaveFile>(wave_.path);
  device.machine.wave = {wave_file_ ? wave_file_->path() : "", window};
}

TraceFiles::~TraceFiles() = default;

void TraceFiles::add_readers(RunReaders& readers) {
  if (trace_) readers.add(trace_->sink());
  if (pipeline_) readers.add(pipeline_->sink());
}

void TraceFiles::finish_wave() {
  if (wave_file_) wave_file_->commit();
}

nlohmann::json TraceFiles::finish() {
  nlohmann::json written = nlohmann::json::object();
  if (trace_) written["trace"] = trace_->finish();
  if (pipeline_) written["pipeline"] = pipeline_->finish();
  if (!wave_.path.empty()) {  // the machine writes the waveform itself
    written["wave"] = write_wave_view(wave_.path, wave_.window.first, wave_.window.first);
  }
  return written;
}

}  // namespace tandem
