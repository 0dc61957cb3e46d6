// The loop around the semantic functions: which bundle, what it decodes to, traps, the end.
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

class Engine {
 public:
  Engine(const Launch& launch, GoldenOptions options);

  RunStatus step(RetireRecord* record);
  RunStatus run(std::uint64_t limit);
  RunStatus run_to(std::uint64_t limit, std::span<const std::uint8_t> stops);

  [[nodiscard]] std::shared_ptr<const Snapshot> save(const Snapshot* earlier);
  void restore(const Snapshot& snapshot);

  [[nodiscard]] std::optional<std::uint32_t> next_volatile_csr() const;

  const Image* image;
  Core core;
  RunStatus status = RunStatus::running;

 private:
  template <bool with_record>
  void issue(RetireRecord* record);
  // Decides traps and captures operands; true when the bundle may execute.
  bool check(const BundlePlan& plan, const MicroOp* checks, std::uint16_t enabled);
  const BundlePlan& plan_of(std::uint32_t pc);
  void finish();

  std::vector<BundlePlan> plans_;  // by PC, decoded when first executed
  MicroOps pool_;
  Recorder recorder_;
};

}  // namespace tandem::golden
