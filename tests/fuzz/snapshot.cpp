// Any bytes as a snapshot; and a good one with bytes changed after its checksum, so that the reader
// of the state is reached. Accepted ones are not run: a snapshot made to deceive may hold anything
// (docs/snapshots.md).
#include <cstring>
#include <map>
#include <memory>
#include <string>

#include "assembler/assembler.hpp"
#include "assembler/elf.hpp"
#include "runtime/snapshot/snapshot.hpp"
#include "tests/copying.hpp"

namespace {

using namespace tandem;  // NOLINT
using runtime::Model;

const std::string text = "        .target nano" + copying_program();

struct Job {
  explicit Job(Model model)
      : launch(
            options(model),
            runtime::read_program(write_elf(build(std::vector{SourceText{"s.s", text}}).program)),
            {}),
        run(launch.start({})) {}

  static runtime::DeviceOptions options(Model model) {
    runtime::DeviceOptions result;
    result.model = model;
    result.hbm_bytes = 1U << 24U;
    result.detect_uninitialised = false;
    return result;
  }

  runtime::NamedLaunch launch;
  std::unique_ptr<runtime::Run> run;
};

std::vector<std::uint8_t> good_snapshot(Model model) {
  Job job(model);
  job.run->advance(9);
  return runtime::save_snapshot(job.launch, *job.run);
}

void take(Model model, std::span<const std::uint8_t> file) {
  Job job(model);
  try {
    runtime::restore_snapshot(job.launch, *job.run, file);
  } catch (const SnapshotError&) {
  }
}

// Each five bytes are an offset from the file's end and the byte to put there.
std::vector<std::uint8_t> changed(std::vector<std::uint8_t> file,
                                  std::span<const std::uint8_t> edits) {
  for (; edits.size() >= 5; edits = edits.subspan(5)) {
    std::uint32_t offset = 0;
    std::memcpy(&offset, edits.data(), sizeof offset);
    file[file.size() - 1 - offset % (file.size() - 24)] = edits[4];
  }
  runtime::seal_snapshot(file);
  return file;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::map<Model, std::vector<std::uint8_t>> good{
      {Model::golden, good_snapshot(Model::golden)}, {Model::cycle, good_snapshot(Model::cycle)}};
  if (size == 0) return 0;
  const Model model = (data[0] & 1U) != 0 ? Model::cycle : Model::golden;
  const std::span<const std::uint8_t> rest(data + 1, size - 1);
  if ((data[0] & 2U) != 0) {
    take(model, rest);
  } else {
    take(model, changed(good.at(model), rest));
  }
  return 0;
}
