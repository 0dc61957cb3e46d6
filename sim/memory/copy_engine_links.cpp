// The copy engine of a chip of a group (rtl/copies/tpu_dma.sv): the choice of readers and movers,
// and the cycle with all of them.
#include "sim/memory/copy_engine.hpp"

namespace tandem {
namespace {

constexpr std::uint32_t readers = 1 + link_ways;

}  // namespace

bool CopyEngine::asks(std::uint32_t number) const {
  if (number == 0) return in_.reader.wants_burst(in_.mover.runs_full());
  const ChipLinks::Way& way = links_->ways[number - 1];
  return way.reader.wants_burst(way.mover.runs_full());
}

// The first requester after the one whose burst was accepted last.
bool CopyEngine::choose_reader() {
  for (std::uint32_t i = 1; i <= readers; ++i) {
    const std::uint32_t number = (asked_ + i) % readers;
    if (!asks(number)) continue;
    asking_ = number;
    return true;
  }
  return false;
}

// Arrivals have priority for writes, and movers to links for the scratchpads' read ports. A run to
// HBM that has begun does not wait for older copies to end, which may need progress of other chips.
bool CopyEngine::may_step(const CopyMove& mover, bool room) const {
  const LinkReceive& receive = links_->receive;
  const bool ends = acks_.size() + 1 < timing::copy_acknowledge;
  if (!mover.goes(true)) return false;
  const bool into = mover.to_hbm() ? room && (ends || mover.begun()) && !receive.holds_hbm()
                                   : !receive.holds_chip();
  return into && !(mover.from_chip() && links_->reads_chip());
}

CopyEngine::Cycle CopyEngine::tick_tied(std::uint64_t cycle, bool accepted, bool beat,
                                        std::uint32_t reader) {
  Cycle happened;
  if (done_) complete(happened);
  happened.quiet = !beat && !done_;
  done_ = false;
  const CopyMove::Put& own_put = out_.mover.put().beat ? out_.mover.put() : in_.mover.put();
  links_->look(cycle, writer_.has_room(), writer_.between(own_put));
  add_arrival(happened);
  const Steps steps{may_step(in_.mover, writer_.has_room()),
                    may_step(out_.mover, writer_.has_room())};
  const Takes takes = who_takes(cycle);
  happened.quiet = happened.quiet && !steps.in && !steps.out && !in_.mover.put().step &&
                   !out_.mover.put().step && !takes.any;
  retire(write(cycle, own_put, happened));
  if (!done_) retire_sent();
  links_->advance(cycle);
  happened.quiet = happened.quiet && !done_ && !happened.arrived && links_->idle();
  step_movers(steps);
  if (accepted) asked_ = asking_;
  if (read_all(accepted, takes)) happened.quiet = false;
  if (beat) (reader == 0 ? in_.mover : links_->ways[reader - 1].mover).add_beat();
  return happened;
}

void CopyEngine::add_arrival(Cycle& happened) {
  if (!links_->receive.add()) return;
  const LinkHeader& added = links_->receive.added();
  flags_[added.flag] += added.amount;
  happened.arrived = true;
}

// The copy that may be taken off the queue, and the movers without room for a run, are determined
// at the beginning of the cycle.
CopyEngine::Takes CopyEngine::who_takes(std::uint64_t cycle) const {
  Takes takes;
  takes.in_full = in_.mover.runs_full();
  takes.out_full = out_.mover.runs_full();
  for (std::uint32_t i = 0; i < link_ways; ++i) {
    takes.way_full[i] = links_->ways[i].mover.runs_full();
  }
  if (queue_.empty() || queue_.front().ready > cycle || !may_take(queue_.front())) return takes;
  const CopyTask& task = queue_.front();
  takes.any = true;
  if (task.leaves) {
    takes.way[static_cast<std::size_t>(task.way)] = true;
  } else {
    (task.goes_out ? takes.out : takes.in) = true;
  }
  return takes;
}

// Returns whether the last burst of a copy of this chip was answered.
bool CopyEngine::write(std::uint64_t cycle, const CopyMove::Put& own_put, Cycle& happened) {
  const CopyMove::Put& put = links_->receive.put().beat ? links_->receive.put() : own_put;
  if (writer_.idle() && !put.beat) return false;
  const CopyWrite::Cycle written = writer_.tick(cycle, put);
  happened.sent = written.sent;
  happened.quiet = happened.quiet && written.quiet;
  if (written.arrived) links_->receive.answer();
  return written.answered;
}

void CopyEngine::step_movers(Steps steps) {
  if (steps.in && in_.mover.takes_beat()) in_.reader.use_beats(1);
  steps.in ? in_.mover.step() : in_.mover.no_step();
  steps.out ? out_.mover.step() : out_.mover.no_step();
  for (ChipLinks::Way& way : links_->ways) {
    if (way.goes && way.mover.takes_beat()) way.reader.use_beats(1);
    way.goes ? way.mover.step() : way.mover.no_step();
  }
}

// Returns whether a reader does anything.
bool CopyEngine::read_all(bool accepted, const Takes& takes) {
  bool reads = read(in_, accepted && asking_ == 0, takes.in_full, takes.in);
  reads = read(out_, false, takes.out_full, takes.out) || reads;
  for (std::uint32_t i = 0; i < link_ways; ++i) {
    reads =
        read_sent(links_->ways[i], accepted && asking_ == 1 + i, takes.way_full[i], takes.way[i]) ||
        reads;
  }
  return reads;
}

// After those that end on this chip or in HBM.
void CopyEngine::retire_sent() {
  for (ChipLinks::Way& way : links_->ways) {
    if (way.ended.empty() || !may_complete(way.ended.front())) continue;
    finish(way.ended.front());
    way.ended.pop();
    return;
  }
}

bool CopyEngine::read_sent(ChipLinks::Way& way, bool accepted, bool runs_full, bool takes) {
  const bool steps = way.reader.steps(accepted, runs_full);
  const bool free = !way.reader.active() || (steps && way.reader.ends());
  if (steps) {
    if (way.reader.begins_run()) way.mover.push(way.reader.run());
    way.reader.step();
  }
  if (!free || !takes) return steps;
  take_sent(way);
  return true;
}

void CopyEngine::take_sent(ChipLinks::Way& way) {
  const CopyTask& task = queue_.front();
  SendTag& tag = way.moving.push();
  tag_of(task, tag.tag);
  tag.head.sequence = static_cast<std::uint32_t>(task.sequence);
  tag.head.amount = task.amount_there;
  tag.head.chip = static_cast<std::uint8_t>(task.chip);
  tag.head.sender = static_cast<std::uint8_t>(links_->chip());
  tag.head.flag = static_cast<std::uint8_t>(task.flag_there);
  tag.head.hbm = task.to == CopySpace::hbm;
  way.reader.begin(task);
  queue_.pop();
}

}  // namespace tandem
