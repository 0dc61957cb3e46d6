// The golden model: the effects of a program, bundle by bundle, without time. Copies take effect
// immediately, which no race-free program can distinguish from any other timing.
//
//   GoldenModel model(launch);
//   RetireRecord record;
//   while (model.step(&record) == RunStatus::running) { ... }    one record per bundle, or
//   RunStatus status = model.run(1'000'000'000);                 at full speed, no records
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "isa/golden/finding.hpp"
#include "isa/launch/launch.hpp"
#include "isa/state/memory.hpp"
#include "isa/state/memory_port.hpp"
#include "isa/state/retire.hpp"
#include "isa/state/state.hpp"

namespace tandem {

class ArchiveReader;
class ArchiveWriter;

namespace golden {
class Engine;
class Lifetimes;
class Marks;
class RaceDetector;
class Snapshot;
}  // namespace golden

enum class RunStatus : std::uint8_t {
  running,   // more bundles to come; run(): the limit was reached
  halted,    // a halt retired
  trapped,   // see trap(); its record has been delivered
  reported,  // see finding(): the bundle that raced or used never-written data has been executed
  waiting,   // in a group, which retries: for other chips (isa/group/golden_group.hpp)
};

// Gives the value of a volatile CSR (isa/registers/registers.def), by its number.
using VolatileCsr = std::function<std::uint32_t(std::uint32_t number)>;

struct GoldenOptions {
  bool detect_races = true;
  bool detect_uninitialised = true;
  // Without one, cycles and bundles read as the number of bundles issued before, others as 0.
  VolatileCsr volatile_csr;
  // HBM of a platform instead of the model's own: copies go there as they issue, and hbm() has only
  // the segments of the launch. The owner of the port records its bus errors; the data of a failed
  // read is zero. Must outlive the model; its clones share it.
  MemoryPort* memory = nullptr;
  // Checks that each access finds the data last written to its own buffer; requires a program that
  // declares the buffers of its accesses. Snapshots do not contain the state of this check.
  bool check_lifetimes = false;
};

class GoldenModel {
 public:
  // Powers up and starts with the launch, whose image must outlive the model.
  explicit GoldenModel(const Launch& launch, GoldenOptions options = {});
  // Powers up only; until the first start it counts as halted. The parameters must outlive it.
  GoldenModel(const Parameters& parameters, std::uint64_t hbm_bytes, std::uint32_t seed,
              GoldenOptions options = {});
  // Starts the machine (again), as in docs/reference.md, section 6: HBM keeps its contents except
  // where the launch loads; vectors, accumulators, weights and VMEM keep their contents and count
  // as never written. Decoded bundles of the same image are kept. The image must outlive the run.
  void start(const Launch& launch);
  GoldenModel(GoldenModel&&) noexcept;
  GoldenModel& operator=(GoldenModel&&) noexcept;
  ~GoldenModel();

  // Executes one bundle and fills *record (which is cleared first) unless it is nullptr. Once the
  // status is not `running`, further calls do nothing and return it again, record cleared.
  RunStatus step(RetireRecord* record);
  // Executes at most `limit` bundles.
  RunStatus run(std::uint64_t limit);
  // The same, but stops before any bundle but the first whose entry in `stops` (by PC, one for each
  // bundle of the text) is not 0.
  RunStatus run_to(std::uint64_t limit, std::span<const std::uint8_t> stops);

  // Everything that future execution depends on. Parts equal to the earlier snapshot, if given, are
  // shared with it (isa/golden/snapshot.hpp).
  [[nodiscard]] std::shared_ptr<const golden::Snapshot> save(
      const golden::Snapshot* earlier = nullptr);
  // Goes back (or forth) to a snapshot of a model of the same launch and options.
  void restore(const golden::Snapshot& snapshot);
  // The same as bytes (isa/archive/archive.hpp), without HBM, which is stored separately. Restoring
  // requires a model that was started with the same launch and options; an invalid state throws
  // SnapshotError, and the model must be started again.
  void save_to(ArchiveWriter& archive);
  void restore_from(ArchiveReader& archive);

  [[nodiscard]] RunStatus status() const;
  [[nodiscard]] const Trap& trap() const;  // cause none unless trapped
  [[nodiscard]] std::uint32_t pc()
      const;  // of the next bundle; of the trapping bundle after a trap
  [[nodiscard]] const std::optional<Finding>& finding() const;
  [[nodiscard]] std::uint64_t bundles() const;  // issued so far; a trapping bundle does not count
  // Reads of volatile CSRs so far.
  [[nodiscard]] std::uint64_t volatile_reads() const;
  // Whether the bundle that executes next reads a volatile CSR, and which: lets a lockstep harness
  // fetch the timed model's value in time. Predicates are taken into account.
  [[nodiscard]] std::optional<std::uint32_t> next_volatile_csr() const;

  [[nodiscard]] const Parameters& parameters() const;
  [[nodiscard]] const State& state() const;
  [[nodiscard]] const SparseMemory& hbm() const;
  [[nodiscard]] SparseMemory& hbm();  // for hosts and tests, between bundles
  // The never-written data, and the copies that no wait has proved complete.
  [[nodiscard]] const golden::Marks& marks() const;
  [[nodiscard]] const golden::RaceDetector& races() const;

  void set_volatile_csr(VolatileCsr reader);

  // For models built around golden's loop (isa/golden/engine.hpp).
  [[nodiscard]] golden::Engine& engine() { return *engine_; }

 private:
  std::unique_ptr<golden::Engine> engine_;
  std::unique_ptr<golden::Lifetimes> lifetimes_;  // or null
};

}  // namespace tandem
