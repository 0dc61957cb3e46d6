// The loop around the semantic functions: the choice of bundles, their decoding, traps, the end.
//
// A model that adds to golden's semantics provides a hook, a class with the functions of NoHook;
// the loop is compiled for it (engine_loop.hpp), so that an unused hook costs nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "isa/golden/core.hpp"
#include "isa/golden/decode.hpp"
#include "isa/golden/golden_model.hpp"
#include "isa/golden/record.hpp"
#include "isa/golden/snapshot.hpp"

namespace tandem::golden {

struct NoHook {
  // The bundle at core.pc is next and has had no effect; false: not yet, the loop ends.
  static bool arrive(const Core&, const BundlePlan&, const EnabledSlots&) { return true; }
  // Its operands are captured and it is about to execute, or (false) core.trap ends the program.
  static void begin(const Core&, bool /*executes*/) {}
  // It has executed, core.next_pc follows. Not called for a bundle that traps.
  static void end(const Core&) {}
};

class Engine {
 public:
  // Powered up; the first start is still to come.
  Engine(const Parameters& parameters, std::uint64_t hbm_bytes, std::uint32_t seed,
         GoldenOptions options);
  // The image must outlive the run.
  void start(const Launch& launch);

  RunStatus step(RetireRecord* record);
  RunStatus run(std::uint64_t limit);
  RunStatus run_to(std::uint64_t limit, std::span<const std::uint8_t> stops);

  // The same with a hook; they end early, with status running, when it says so.
  template <typename Hook>
  RunStatus step(RetireRecord* record, Hook& hook);
  template <typename Hook>
  RunStatus run(std::uint64_t limit, Hook& hook);
  template <typename Hook>
  RunStatus run_to(std::uint64_t limit, std::span<const std::uint8_t> stops, Hook& hook);

  [[nodiscard]] std::shared_ptr<const Snapshot> save(const Snapshot* earlier);
  void restore(const Snapshot& snapshot);
  void save_to(ArchiveWriter& archive);
  void restore_from(ArchiveReader& archive);

  [[nodiscard]] std::optional<std::uint32_t> next_volatile_csr() const;
  // Whether the bundle at core.pc, with these slots enabled, traps in a slot other than dma.
  [[nodiscard]] bool traps_before_wait(std::uint16_t enabled);

  const Image* image = nullptr;
  Core core;
  RunStatus status = RunStatus::halted;

 private:
  // False when the hook holds the bundle back.
  template <bool with_record, typename Hook>
  [[gnu::always_inline]] bool issue(RetireRecord* record, Hook& hook);
  // Decides traps and captures operands; true when the bundle may execute.
  bool check(const BundlePlan& plan, const MicroOp* checks, std::uint16_t enabled);
  const BundlePlan& plan_of(std::uint32_t pc);
  void finish();

  std::uint64_t program_ = 0;      // whose plans these are; 0: of one launch
  std::vector<BundlePlan> plans_;  // by PC, decoded when first executed
  MicroOps pool_;
  Recorder recorder_;
};

}  // namespace tandem::golden
