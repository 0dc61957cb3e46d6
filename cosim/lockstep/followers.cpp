#include "cosim/lockstep/followers.hpp"

#include <utility>

#include "isa/state/archive_memory.hpp"

namespace tandem {
namespace {

// Read immediately: no more than fits in the host's cache.
constexpr std::size_t most_words_at_once = 32 * 1024;
// Read in another thread, which takes long to wake.
constexpr std::size_t most_words_beside = 256 * 1024;

std::size_t kept_words(const LockstepOptions& options) {
  if (options.kept_words != 0) return options.kept_words;
  return options.threads > 1 ? most_words_beside : most_words_at_once;
}

}  // namespace

Followers::Followers(const Launch& launch, const LockstepParts& parts,
                     const LockstepOptions& options, std::function<bool()> judge)
    : threads_(options.threads),
      kept_words_(kept_words(options)),
      terms_(options.terms),
      judge_(std::move(judge)),
      golden_(parts.golden),
      machine_(parts.machine),
      stream_(*launch.image->preset),
      checker_(*golden_, checker_options(launch, parts, options), *parts.machine, stream_),
      queue_(*parts.machine, launch.chip,
             options.terms == nullptr || !options.terms->memory_is_closed, [this] {
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

CheckerOptions Followers::checker_options(const Launch& launch, const LockstepParts& parts,
                                          const LockstepOptions& options) {
  CheckerOptions result{options.reader, {}, launch.chip, launch.image, options.terms};
  if (!parts.cycle_exact) return result;
  result.csr_reader = [this](std::uint64_t sequence, std::uint32_t value) {
    comparison_.csr_read(Side::got, sequence, value);
  };
  return result;
}

// ---- in the machine's thread ----

void Followers::pass_on() {
  settle();
  if (set_aside()) return begin([this] { read_aside(); });
  read_told();
}

void Followers::follow(std::uint64_t cycle) {
  if (set_aside()) {
    return begin([this, cycle] {
      read_aside();
      end_slice(cycle);
    });
  }
  read_told();
  end_slice(cycle);
}

// False if everything must be read immediately: there is no other thread, or the checker waits and
// may hold the completion of a copy for which it must query the machine.
bool Followers::set_aside() {
  if (!beside() || checker_.waits()) return false;
  batch_.set_aside(batch_aside_);
  queue_.set_aside();
  return true;
}

void Followers::begin(std::function<void()> work) {
  if (!other_) other_.emplace();
  other_->begin(std::move(work));
}

void Followers::settle() {
  if (other_) other_->wait();
}

// ---- in either thread ----

// Times come before values: the checker reports volatile CSRs whose issue must be known.
void Followers::read_told() {
  if (over_) return queue_.drop();
  batch_.give(readers_);
  queue_.give(checker_);
}

void Followers::read_aside() {
  if (over_) return queue_.drop_aside();
  batch_aside_.give(readers_);
  queue_.give_aside(checker_);
}

void Followers::end_slice(std::uint64_t cycle) {
  if (over_) return;
  if (timed_) timed_->follow(cycle);
  cycle_ = cycle;
  over_ = judge_();
}

// ---- the end, and snapshots ----

void Followers::finish() {
  if (timed_ && !checker_.ended()) comparison_.finish();
  checker_.finish();
  if (!timed_ || checker_.ended() || comparison_.first()) return;
  if (terms_ == nullptr || terms_->tells(CorePart::counters)) {
    comparison_.compare_counters(timed_->machine().counters(), machine_->counters());
  }
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
