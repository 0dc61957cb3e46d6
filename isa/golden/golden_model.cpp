#include "isa/golden/golden_model.hpp"

#include "isa/golden/engine.hpp"
#include "isa/golden/engine_loop.hpp"
#include "isa/golden/lifetimes.hpp"

namespace tandem {

namespace {

// Data read from other buffers counts as never written.
GoldenOptions with_marks(GoldenOptions options) {
  options.detect_uninitialised = options.detect_uninitialised || options.check_lifetimes;
  return options;
}

}  // namespace

GoldenModel::GoldenModel(const Launch& launch, GoldenOptions options)
    : GoldenModel(*launch.image->preset, launch.hbm_bytes, launch.seed, std::move(options)) {
  start(launch);
}
GoldenModel::GoldenModel(const Parameters& parameters, std::uint64_t hbm_bytes, std::uint32_t seed,
                         GoldenOptions options)
    : engine_(std::make_unique<golden::Engine>(parameters, hbm_bytes, seed,
                                               with_marks(std::move(options)))) {
  if (engine_->core.options.check_lifetimes)
    lifetimes_ = std::make_unique<golden::Lifetimes>(parameters);
}
GoldenModel::GoldenModel(GoldenModel&&) noexcept = default;
GoldenModel& GoldenModel::operator=(GoldenModel&&) noexcept = default;
GoldenModel::~GoldenModel() = default;

void GoldenModel::start(const Launch& launch) {
  engine_->start(launch);
  if (lifetimes_) lifetimes_->start(launch);
}
void GoldenModel::set_volatile_csr(VolatileCsr reader) {
  engine_->core.options.volatile_csr = std::move(reader);
}
RunStatus GoldenModel::step(RetireRecord* record) {
  return lifetimes_ ? engine_->step(record, *lifetimes_) : engine_->step(record);
}
RunStatus GoldenModel::run(std::uint64_t limit) {
  return lifetimes_ ? engine_->run(limit, *lifetimes_) : engine_->run(limit);
}
RunStatus GoldenModel::run_to(std::uint64_t limit, std::span<const std::uint8_t> stops) {
  return lifetimes_ ? engine_->run_to(limit, stops, *lifetimes_) : engine_->run_to(limit, stops);
}
std::shared_ptr<const golden::Snapshot> GoldenModel::save(const golden::Snapshot* earlier) {
  return engine_->save(earlier);
}
void GoldenModel::restore(const golden::Snapshot& snapshot) { engine_->restore(snapshot); }
void GoldenModel::save_to(ArchiveWriter& archive) { engine_->save_to(archive); }
void GoldenModel::restore_from(ArchiveReader& archive) { engine_->restore_from(archive); }
RunStatus GoldenModel::status() const { return engine_->status; }
const Trap& GoldenModel::trap() const { return engine_->core.trap; }
std::uint32_t GoldenModel::pc() const { return engine_->core.pc; }
const std::optional<Finding>& GoldenModel::finding() const { return engine_->core.finding; }
std::uint64_t GoldenModel::bundles() const { return engine_->core.bundles; }
std::uint64_t GoldenModel::volatile_reads() const { return engine_->core.volatile_reads; }
std::optional<std::uint32_t> GoldenModel::next_volatile_csr() const {
  return engine_->next_volatile_csr();
}
const Parameters& GoldenModel::parameters() const { return *engine_->core.state.parameters; }
const State& GoldenModel::state() const { return engine_->core.state; }
const SparseMemory& GoldenModel::hbm() const { return engine_->core.hbm; }
SparseMemory& GoldenModel::hbm() { return engine_->core.hbm; }
const golden::Marks& GoldenModel::marks() const { return engine_->core.marks; }
const golden::RaceDetector& GoldenModel::races() const { return engine_->core.races; }

}  // namespace tandem
