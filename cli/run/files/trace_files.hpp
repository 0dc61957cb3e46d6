// The files of TraceOptions while a run fills them.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cli/files/wave_file.hpp"
#include "cli/run/options/launch_options.hpp"
#include "cli/run/options/trace_options.hpp"
#include "cli/run/run_readers.hpp"
#include "runtime/device/device_model.hpp"

namespace tandem {

class TraceFiles {
 public:
  // Finds the window (by a first run on the cycle-exact model, if given by labels or markers), and
  // opens the files. `limit` is that of the run; the waveform is put into `device`, the options of
  // the run's. Throws UserError.
  TraceFiles(const TraceOptions& options, const PreparedLaunch& prepared, std::uint64_t limit,
             runtime::DeviceOptions& device);
  ~TraceFiles();
  TraceFiles(const TraceFiles&) = delete;
  TraceFiles& operator=(const TraceFiles&) = delete;

  // Sets up the writers, before the run.
  void add_readers(RunReaders& readers);
  // After the run: completes the files; throws UserError when one could not be written. Returns the
  // written files, for the result: {"trace": {"file", "events", "bytes"}, ...}.
  nlohmann::json finish();
  // Once the machine is gone, which closes its waveform; throws UserError.
  void finish_wave();

 private:
  class Trace;
  class Pipeline;

  std::unique_ptr<Trace> trace_;
  std::unique_ptr<Pipeline> pipeline_;
  WaveOptions wave_;
  std::unique_ptr<WaveFile> wave_file_;
};

}  // namespace tandem
