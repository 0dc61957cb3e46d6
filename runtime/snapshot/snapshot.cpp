#include "runtime/snapshot/snapshot.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>

#include "runtime/device/digest.hpp"
#include "runtime/snapshot/build_identity.hpp"

namespace tandem::runtime {
namespace {

std::string program_digest(const Launch& launch) {
  Digest digest;
  digest.add(launch.image->text.data(), launch.image->text.size() * sizeof(Bundle));
  for (const std::uint64_t number :
       {std::uint64_t{launch.image->entry_pc}, launch.text_address, launch.argument_pointer}) {
    digest.add(number);
  }
  for (const HbmPage& page : launch.pages) {
    digest.add(page.number);
    digest.add(page.page->data(), page.page->size());
  }
  for (const HbmSegment& segment : launch.segments) {
    digest.add(segment.address);
    digest.add(segment.bytes.data(), segment.bytes.size());
  }
  return digest.text();
}

std::string tensors_text(const Launch& launch) {
  std::string text;
  for (const PlacedTensor& placed : launch.tensors) {
    text += fmt::format("{}{} {}[{}] at {:#x}", text.empty() ? "" : ", ", placed.tensor.name,
                        element_name(placed.tensor.type), fmt::join(placed.tensor.dimensions, ","),
                        placed.address);
  }
  return text;
}

std::string memory_text(const MachineOptions& machine) {
  const MemoryTimingParameters& memory = machine.memory;
  return fmt::format(
      "latency {}, beat {}, row miss {}, jitter {}, outstanding {}, seed {}, write hold {}, "
      "link latency {}, link rate {}",
      memory.latency, memory.beat, memory.row_miss, memory.jitter, memory.outstanding, memory.seed,
      memory.write_hold, memory.link_latency, memory.link_rate);
}

const char* on_or_off(bool flag) { return flag ? "on" : "off"; }

}  // namespace

Identity snapshot_identity(const NamedLaunch& job, const Run& run) {
  const DeviceOptions& options = job.device().options();
  Identity identity{
      {"model", std::string(model_name(options.model))},
      {"preset", options.preset},
      {"program", program_digest(run.launch())},
      {"set of tensors", tensors_text(run.launch())},
      {"input data", job.inputs_digest()},
      {"size of HBM", fmt::format("{}", options.hbm_bytes)},
      {"seed", fmt::format("{}", options.seed)},
      {"race check", on_or_off(options.detect_races)},
      {"check for never-written data", on_or_off(options.detect_uninitialised)},
  };
  if (options.model != Model::golden) {
    identity.push_back({"memory timing", memory_text(options.machine)});
  }
  if (options.model == Model::lockstep) {
    identity.push_back({"set of models", fmt::format("rtl {}, cycle {}", options.lockstep.rtl,
                                                     options.lockstep.cycle)});
    identity.push_back({"planted fault", options.plant});
  }
  identity.push_back({"build", build_identity(reinterpret_cast<const void*>(&save_snapshot))});
  for (IdentityEntry& entry : job.device().model_identity()) identity.push_back(std::move(entry));
  return identity;
}

std::vector<std::uint8_t> save_snapshot(const NamedLaunch& job, Run& run) {
  std::vector<std::uint8_t> file = begin_snapshot(snapshot_identity(job, run));
  ArchiveWriter archive(file);
  run.runner().save_to(archive);
  seal_snapshot(file);
  return file;
}

void restore_snapshot(const NamedLaunch& job, Run& run, std::span<const std::uint8_t> file) {
  ArchiveReader archive(open_snapshot(file, snapshot_identity(job, run)));
  run.runner().restore_from(archive);
  archive.finish();
}

}  // namespace tandem::runtime
