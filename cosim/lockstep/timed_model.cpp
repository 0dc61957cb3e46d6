#include "cosim/lockstep/timed_model.hpp"

#include "cosim/checker/checker.hpp"
#include "isa/state/archive_memory.hpp"

namespace tandem {

TimedModel::TimedModel(const Launch& launch, std::shared_ptr<Machine> machine,
                       TimingComparison& comparison)
    : comparison_(comparison),
      machine_(std::move(machine)),
      stream_(*launch.image->preset),
      reader_(comparison) {
  timing_.add(&stream_);
  timing_.add(&comparison.sink(Side::expected));
  machine_->set_timing(&timing_);
  machine_->start(launch);
}

void TimedModel::follow(std::uint64_t cycle) {
  if (!stopped_) stopped_ = !machine_->run_through(cycle, &reader_);
  comparison_.issues_given(Side::expected, machine_->cycles());
  if (cycle != 0) comparison_.issues_given(Side::got, cycle - 1);
}

std::optional<Mismatch> TimedModel::compare_end(const GoldenModel& golden) const {
  if (auto mismatch = stream_.compare(machine_->counters())) return mismatch;
  return compare_final_state(golden, machine_->state(), machine_->hbm());
}

void TimedModel::save_to(ArchiveWriter& archive) {
  archive_model(archive, machine_->host_memory(), *machine_);
  archive(stream_, stopped_);
}

void TimedModel::restore_from(ArchiveReader& archive) {
  archive_model(archive, machine_->host_memory(), *machine_);
  archive(stream_, stopped_);
}

}  // namespace tandem
