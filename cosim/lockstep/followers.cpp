#include "cosim/lockstep/followers.hpp"

#include "isa/archive/archive_memory.hpp"

namespace tandem {
namespace {

// Of the values of events that are read at once: no more than stays in the host's cache.
constexpr std::size_t most_words_at_once = 32 * 1024;
// Of those read in another thread: some hundred cycles of a large machine.
constexpr std::size_t most_words_beside = 256 * 1024;

}  // namespace

Followers::Followers(const Launch& launch, const LockstepParts& parts,
                     const LockstepOptions& options)
    : threads_(options.threads),
      golden_(parts.golden),
      machine_(parts.machine),
      stream_(*launch.image->preset),
      checker_(*golden_, checker_options(parts, options), *parts.machine, stream_),
      queue_(*parts.machine, [this] {
        settle();
        read_told();
      }) {
  readers_.add(&stream_);
  readers_.add(options.timing);
  if (parts.cycle_exact) {
    readers_.add(&comparison_.sink(Side::got));
    timed_.emplace(launch, parts.cycle_exact, comparison_);
  }
  golden_->start(launch);
}

CheckerOptions Followers::checker_options(const LockstepParts& parts,
                                          const LockstepOptions& options) {
  CheckerOptions result{options.reader, {}};
  if (!parts.cycle_exact) return result;
  result.csr_reader = [this](std::uint64_t sequence, std::uint32_t value) {
    comparison_.csr_read(Side::got, sequence, value);
  };
  return result;
}

bool Followers::has_room() {
  if (beside()) return queue_.data_words() < most_words_beside;
  if (queue_.data_words() >= most_words_at_once) read_told();
  return true;
}

// Times come before values: the checker tells of volatile CSRs whose issue must be known.
void Followers::read_told() {
  batch_.give(readers_);
  queue_.give(checker_);
}

void Followers::follow_timed(std::uint64_t cycle) {
  if (timed_) timed_->follow(cycle);
  cycle_ = cycle;
}

void Followers::follow_now(std::uint64_t cycle) {
  read_told();
  follow_timed(cycle);
}

void Followers::follow_aside(std::uint64_t cycle) {
  batch_aside_.give(readers_);
  queue_.give_aside(checker_);
  follow_timed(cycle);
}

// A checker that waits may hold the completion of a copy for which it must ask the machine.
void Followers::follow(std::uint64_t cycle) {
  if (!beside() || checker_.waits()) return follow_now(cycle);
  batch_.set_aside(batch_aside_);
  queue_.set_aside();
  if (!other_) other_.emplace();
  other_->begin([this, cycle] { follow_aside(cycle); });
}

void Followers::settle() {
  if (other_) other_->wait();
}

void Followers::finish() {
  if (timed_ && !checker_.ended()) comparison_.finish();
  checker_.finish();
  if (!timed_ || checker_.ended() || comparison_.first()) return;
  comparison_.compare_counters(timed_->machine().counters(), machine_->counters());
  if (!comparison_.first()) timed_mismatch_ = timed_->compare_end(*golden_);
}

template <typename A>
void Followers::archive(A& a) {
  archive_model(a, golden_->hbm(), *golden_);
  a(stream_, comparison_, checker_, queue_, cycle_);
}

void Followers::save_to(ArchiveWriter& archive) {
  this->archive(archive);
  if (timed_) timed_->save_to(archive);
}

void Followers::restore_from(ArchiveReader& archive) {
  this->archive(archive);
  if (timed_) timed_->restore_from(archive);
}

}  // namespace tandem
