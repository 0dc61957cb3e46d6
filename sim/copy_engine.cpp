#include "sim/copy_engine.hpp"

#include <algorithm>

namespace tandem {

void CopyEngine::push(std::uint64_t cycle, std::uint64_t sequence, const CopyIssue& copy) {
  CopyTask& task = queue_.push();
  task = CopyTask(sequence, copy);
  task.ready = cycle + timing::copy_start;
  ++outstanding_;
}

CopyEngine::Cycle CopyEngine::tick(std::uint64_t cycle, bool accepted, bool beat) {
  Cycle happened;
  complete(happened);
  const bool room = writer_.has_room() && acks_.size() + 1 < timing::copy_acknowledge;
  const bool go = mover_.goes(room);
  const bool runs_full = mover_.runs_full();
  const CopyMove::Put put = mover_.put();

  const CopyWrite::Cycle written = writer_.tick(cycle, put);
  happened.sent = written.sent;
  const bool moving_full = moving_.full();
  const bool retired = retire(put, written.answered);
  if (go) {
    if (mover_.uses_beat()) reader_.use_beat(1);
    mover_.step();
  } else {
    mover_.no_step();
  }
  const bool stepped = read(cycle, accepted, runs_full, moving_full);
  if (beat) mover_.add_beat();
  happened.quiet =
      !happened.done && written.quiet && !put.step && !retired && !go && !stepped && !beat;
  return happened;
}

// What the cycle before found complete.
void CopyEngine::complete(Cycle& happened) {
  if (!done_) return;
  happened.done = true;
  happened.sequence = done_tag_.sequence;
  flags_[done_tag_.flag] += done_tag_.amount;
  --outstanding_;
}

// One completion a cycle, those to the chip first. Returns whether there is one.
bool CopyEngine::retire(const CopyMove::Put& put, bool answered) {
  const bool end_here = put.end && !put.end_hbm;
  const bool end_hbm = !end_here && answered_ != 0;
  done_ = end_here || end_hbm;
  if (end_here) done_tag_ = moving_.front();
  if (end_hbm) {
    done_tag_ = acks_.front();
    acks_.pop();
    --answered_;
  }
  if (answered) ++answered_;
  if (put.end) {
    if (put.end_hbm) acks_.push(moving_.front());
    moving_.pop();
  }
  return done_ || answered_ != 0;
}

// The reader's cycle; a new copy may start in that of the last burst of the one before.
bool CopyEngine::read(std::uint64_t cycle, bool accepted, bool runs_full, bool moving_full) {
  const bool steps = reader_.steps(accepted, runs_full);
  const bool ends = steps && reader_.ends();
  const bool take = !queue_.empty() && queue_.front().ready <= cycle && !moving_full &&
                    (!reader_.active() || ends);
  if (steps) {
    if (reader_.begins_run()) mover_.push(reader_.run());
    reader_.step();
  }
  if (take) {
    const CopyTask& task = queue_.front();
    moving_.push({task.sequence, task.flag, task.amount});
    reader_.begin(task);
    queue_.pop();
  }
  return steps || take;
}

std::uint64_t CopyEngine::next_event(std::uint64_t cycle) const {
  std::uint64_t next = ~std::uint64_t{0};
  if (!queue_.empty() && queue_.front().ready >= cycle) next = queue_.front().ready;
  if (writer_.waiting()) next = std::min(next, writer_.due());
  return next;
}

}  // namespace tandem
