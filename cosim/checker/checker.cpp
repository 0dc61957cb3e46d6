#include "cosim/checker/checker.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "isa/encoding.hpp"

namespace tandem {
namespace {

// A machine that never gives the value of a CSR must not fill the host's memory.
constexpr std::size_t most_deferred = 100'000;

Mismatch of_issue(CompareField field, const IssueEvent& event, std::uint32_t expected,
                  std::uint32_t got) {
  Mismatch mismatch;
  mismatch.field = field;
  mismatch.sequence = event.sequence;
  mismatch.expected = {expected};
  mismatch.got = {got};
  return mismatch;
}

Mismatch of_write(CompareField field, const WriteEvent& event, std::uint64_t sequence) {
  Mismatch mismatch;
  mismatch.field = field;
  mismatch.sequence = sequence;
  mismatch.slot = event.slot;
  mismatch.space = event.space;
  mismatch.index = event.index;
  mismatch.got = {event.index};
  return mismatch;
}

// Whether the bundle's read of a CSR goes to s0: then no event will carry the value.
bool discards_csr(const Bundle& bundle) {
  const std::optional<Operation> operation = decode(Slot::sb, slot_bits(bundle, Slot::sb));
  return !operation || !destination(*operation);
}

}  // namespace

Checker::Checker(GoldenModel& golden, const CheckerOptions& options, Machine& machine,
                 const StreamCounters& stream)
    : golden_(golden),
      machine_(machine),
      stream_(stream),
      reader_(options.reader),
      csr_reader_(options.csr_reader),
      chip_(options.chip),
      image_(options.image),
      terms_(options.terms == nullptr ? own_terms_ : *options.terms),
      history_(golden.parameters()),
      weight_writers_(golden.parameters()),
      tally_(golden.parameters()),
      deferred_(golden.parameters()) {
  golden_.set_volatile_csr([this](std::uint32_t) { return csr_value_; });
}

// ---- issue ----

void Checker::issue(const IssueEvent& event) {
  if (ended() || !bundles_are_told()) return;
  if (waiting_) {
    deferred_.issue(event);
    if (deferred_.events() > most_deferred) {
      fail(of_issue(CompareField::csr_volatile, *waiting_, 1, 0));
    }
    return;
  }
  ++events_;
  if (golden_.status() != RunStatus::running) {
    fail(of_issue(CompareField::issue_extra, event, 0, event.pc));
    return;
  }
  if (!must_wait_for_csr(event)) execute(event);
}

bool Checker::must_wait_for_csr(const IssueEvent& event) {
  // A bundle that traps reads nothing; if only the machine traps, the trap differs.
  next_is_volatile_ = !event.trap && golden_.next_volatile_csr().has_value();
  if (!next_is_volatile_) return false;
  ++volatile_reads_;
  csr_value_ = 0;
  if (discards_csr(event.bundle)) return false;
  waiting_ = event;
  return true;
}

void Checker::execute(const IssueEvent& event) {
  check_evicted(bundles_);
  if (ended()) return;
  const Expectation& entry = step_golden(event.bundle);
  // The effect of a race is undefined: nothing of the bundle that causes it is compared.
  if (!golden_reported_) compare_issue(event, entry);
}

// Golden executes its next bundle, which is this one as far as known.
const Expectation& Checker::step_golden(const Bundle& bundle) {
  const std::uint64_t sequence = bundles_;
  Expectation& entry = history_.open(sequence);
  history_.prefetch_behind(sequence);
  weight_writers_.before(bundle, golden_.state());
  const RunStatus status = golden_.step(&entry.record);
  weight_writers_.after(entry.record);
  ++bundles_;
  tally_.add(entry.record);
  expect_parts(entry);
  if (reader_) reader_(entry.record);
  golden_reported_ = status == RunStatus::reported;
  return entry;
}

void Checker::expect_parts(Expectation& entry) {
  const std::size_t writes = entry.record.writes.size();
  entry.unseen_writes = writes == 0 ? 0 : ~0U >> (32 - writes);
  entry.unseen_copy = entry.record.has_copy;
  entry.volatile_csr = next_is_volatile_;
  if (entry.record.has_copy) {
    copies_.push_back({entry.record.sequence, entry.record.pc,
                       static_cast<std::uint32_t>(entry.record.sequence), entry.record.copy});
  }
}

namespace {

bool same_issue(const IssueEvent& event, const RetireRecord& record) {
  return static_cast<std::uint32_t>(record.sequence) == event.sequence && record.pc == event.pc &&
         record.next_pc == event.next_pc && record.bundle == event.bundle &&
         record.enabled == event.enabled && record.halted == event.halted &&
         record.trap == event.trap;
}

}  // namespace

void Checker::compare_issue(const IssueEvent& event, const Expectation& entry) {
  const RetireRecord& record = entry.record;
  if (same_issue(event, record)) return;
  const auto check = [&](CompareField field, std::uint32_t expected, std::uint32_t got) {
    if (expected != got) fail(of_issue(field, event, expected, got));
  };
  check(CompareField::issue_sequence, static_cast<std::uint32_t>(record.sequence), event.sequence);
  check(CompareField::issue_pc, record.pc, event.pc);
  if (record.bundle != event.bundle && !mismatch_) {
    Mismatch mismatch = of_issue(CompareField::issue_bundle, event, 0, 0);
    mismatch.expected.assign(record.bundle.begin(), record.bundle.end());
    mismatch.got.assign(event.bundle.begin(), event.bundle.end());
    const auto pair =
        std::mismatch(record.bundle.begin(), record.bundle.end(), event.bundle.begin());
    mismatch.element = static_cast<std::size_t>(pair.first - record.bundle.begin());
    fail(std::move(mismatch));
  }
  check(CompareField::issue_trap_cause, static_cast<std::uint32_t>(record.trap.cause),
        static_cast<std::uint32_t>(event.trap.cause));
  check(CompareField::issue_trap_slot, static_cast<std::uint32_t>(record.trap.slot),
        static_cast<std::uint32_t>(event.trap.slot));
  check(CompareField::issue_trap_detail, record.trap.detail, event.trap.detail);
  check(CompareField::issue_enabled, record.enabled, event.enabled);
  check(CompareField::issue_next_pc, record.next_pc, event.next_pc);
  check(CompareField::issue_halted, record.halted ? 1 : 0, event.halted ? 1 : 0);
  if (mismatch_) mismatch_->sequence = record.sequence;
}

// The value has arrived: golden executes the waiting bundle, then everything after it.
void Checker::resume(std::uint32_t value) {
  csr_value_ = value;
  if (csr_reader_) csr_reader_(bundles_, value);
  const IssueEvent event = *waiting_;
  waiting_.reset();
  execute(event);
  EventBatch events(golden_.parameters());
  std::swap(events, deferred_);
  events.give(*this, [this] { return ended(); });
}

// ---- writes ----

void Checker::write(const WriteEvent& event) {
  if (ended() || !bundles_are_told()) return;
  if (waiting_) {
    const bool is_read = event.slot == Slot::sb && event.sequence == waiting_->sequence;
    if (is_read && !event.volatile_csr) {
      return fail(of_issue(CompareField::csr_volatile, *waiting_, 1, 0));
    }
    if (is_read) resume(event.data[0]);
    if (ended()) return;
    if (waiting_) return deferred_.write(event);
  }
  ++events_;
  Expectation* entry = history_.find(event.sequence);
  if (entry == nullptr) {
    return fail(of_write(CompareField::write_sequence, event, event.sequence));
  }
  for (std::uint32_t left = entry->unseen_writes; left != 0; left &= left - 1) {
    const auto number = static_cast<std::size_t>(std::countr_zero(left));
    const Write& expected = entry->record.writes[number];
    if (expected.slot != event.slot || expected.row != event.row) continue;
    entry->unseen_writes &= ~(1U << number);
    compare_write(event, *entry, expected);
    return;
  }
  fail(of_write(CompareField::write_extra, event, entry->record.sequence));
}

namespace {

// Index of the first word that differs, looking only at enabled lanes of a VMEM row.
std::optional<std::size_t> first_difference(const WriteEvent& event, const Write& expected,
                                            std::span<const std::uint32_t> data) {
  if (std::memcmp(event.data, data.data(), data.size_bytes()) == 0) return std::nullopt;
  for (std::size_t word = 0; word < data.size(); ++word) {
    const bool counts =
        expected.space != Space::vmem || ((expected.lanes[word / 32] >> (word % 32)) & 1U) != 0;
    if (counts && event.data[word] != data[word]) return word;
  }
  return std::nullopt;
}

bool same_lanes(const WriteEvent& event, const Write& expected, std::uint32_t lanes) {
  for (std::uint32_t first = 0; first < lanes; first += 32) {
    const std::uint32_t used = lanes - first >= 32 ? ~0U : (1U << (lanes - first)) - 1;
    if (((event.lanes[first / 32] ^ expected.lanes[first / 32]) & used) != 0) return false;
  }
  return true;
}

}  // namespace

void Checker::compare_write(const WriteEvent& event, const Expectation& entry,
                            const Write& expected) {
  using Words = std::vector<std::uint32_t>;
  const auto differ = [&](CompareField field, Words want, Words got, std::size_t element = 0) {
    Mismatch mismatch = of_write(field, event, entry.record.sequence);
    mismatch.space = expected.space;
    mismatch.index = expected.index;
    mismatch.expected = std::move(want);
    mismatch.got = std::move(got);
    mismatch.element = element;
    fail(std::move(mismatch));
  };
  if (event.slot == Slot::sb && event.volatile_csr != entry.volatile_csr) {
    return differ(CompareField::csr_volatile, {entry.volatile_csr ? 1U : 0U},
                  {event.volatile_csr ? 1U : 0U});
  }
  if (event.space != expected.space) {
    return differ(CompareField::write_space, {static_cast<std::uint32_t>(expected.space)},
                  {static_cast<std::uint32_t>(event.space)});
  }
  if (event.index != expected.index) {
    return differ(CompareField::write_index, {expected.index}, {event.index});
  }
  const Parameters& parameters = golden_.parameters();
  if (expected.space == Space::vmem && !same_lanes(event, expected, parameters.lanes)) {
    return differ(CompareField::write_lanes, {expected.lanes.begin(), expected.lanes.end()},
                  {event.lanes.begin(), event.lanes.end()});
  }
  const std::span<const std::uint32_t> data = entry.record.data_of(expected, parameters);
  if (const auto element = first_difference(event, expected, data)) {
    differ(CompareField::write_data, {data.begin(), data.end()},
           {event.data, event.data + data.size()}, *element);
  }
}

// ---- completeness ----

void Checker::check_evicted(std::uint64_t sequence) {
  const Expectation& oldest = history_.oldest(sequence);
  if (oldest.valid && !oldest.complete()) report_incomplete(oldest);
}

void Checker::report_incomplete(const Expectation& entry) {
  Mismatch mismatch;
  mismatch.sequence = entry.record.sequence;
  mismatch.field = CompareField::write_missing;
  if (entry.unseen_writes == 0) {
    mismatch.field = CompareField::copy_missing;
    mismatch.slot = Slot::dma;
    return fail(std::move(mismatch));
  }
  const auto number = static_cast<std::size_t>(std::countr_zero(entry.unseen_writes));
  const Write& write = entry.record.writes[number];
  const std::span<const std::uint32_t> data = entry.record.data_of(write, golden_.parameters());
  mismatch.slot = write.slot;
  mismatch.space = write.space;
  mismatch.index = write.index;
  mismatch.expected.assign(data.begin(), data.end());
  fail(std::move(mismatch));
}

}  // namespace tandem
