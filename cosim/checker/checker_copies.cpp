// Copies: as issued, and when they complete.
#include <algorithm>
#include <cstring>

#include "cosim/checker/checker.hpp"
#include "cosim/checker/copies.hpp"

namespace tandem {
namespace {

// Enough to tell what wrote a place recently.
constexpr std::size_t kept_copies = 256;

std::vector<std::uint32_t> words_of(std::uint64_t address) {
  return {static_cast<std::uint32_t>(address), static_cast<std::uint32_t>(address >> 32U)};
}

std::size_t first_difference(const std::vector<std::uint32_t>& a,
                             const std::vector<std::uint32_t>& b) {
  const auto pair = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  return static_cast<std::size_t>(pair.first - a.begin());
}

Mismatch of_copy(CompareField field, std::uint64_t sequence) {
  Mismatch mismatch;
  mismatch.field = field;
  mismatch.sequence = sequence;
  mismatch.slot = Slot::dma;
  return mismatch;
}

}  // namespace

void Checker::copy_issue(const CopyIssueEvent& event) {
  if (ended() || terms_.level == CheckLevel::final) return;
  if (waiting_) return deferred_.copy_issue(event);
  ++events_;
  if (!bundles_are_told()) run_to_copy();
  if (ended() || !terms_.undecided.empty()) return;
  // If only copies are reported, their numbers are names.
  const auto sequence =
      bundles_are_told() ? event.sequence : static_cast<std::uint32_t>(bundles_ - 1);
  Expectation* entry = history_.find(sequence);
  if (entry == nullptr || !entry->unseen_copy) {
    return fail(of_copy(CompareField::copy_extra, event.sequence));
  }
  entry->unseen_copy = false;
  if (!bundles_are_told()) copies_.back().name = event.sequence;
  const CopyIssue& expected = entry->record.copy;
  const auto check = [&](CompareField field, std::vector<std::uint32_t> want,
                         std::vector<std::uint32_t> got) {
    if (want == got) return;
    Mismatch mismatch = of_copy(field, entry->record.sequence);
    mismatch.element = first_difference(want, got);
    mismatch.expected = std::move(want);
    mismatch.got = std::move(got);
    fail(std::move(mismatch));
  };
  if (event.copy.descriptor != expected.descriptor) {
    check(CompareField::copy_descriptor, {expected.descriptor.begin(), expected.descriptor.end()},
          {event.copy.descriptor.begin(), event.copy.descriptor.end()});
  }
  if (event.copy.source != expected.source) {
    check(CompareField::copy_source, words_of(expected.source), words_of(event.copy.source));
  }
  if (event.copy.destination != expected.destination) {
    check(CompareField::copy_destination, words_of(expected.destination),
          words_of(event.copy.destination));
  }
}

void Checker::copy_done(const CopyDoneEvent& event) {
  if (ended() || terms_.level == CheckLevel::final || !terms_.undecided.empty()) return;
  if (waiting_) return deferred_.copy_done(event);
  ++events_;
  const auto copy = std::find_if(copies_.begin(), copies_.end(), [&](const CopyInFlight& item) {
    return item.name == event.sequence;
  });
  if (copy == copies_.end()) {
    return fail(of_copy(CompareField::copy_done_extra, event.sequence));
  }
  if (copy_leaves(copy->copy, chip_)) {
    copies_.erase(copy);
    return;
  }
  compare_copy_bytes(*copy, event.words);
  if (done_copies_.size() == kept_copies) done_copies_.pop_front();
  done_copies_.push_back(*copy);
  copies_.erase(copy);
}

const CopyInFlight* Checker::last_copy(CopySpace space, std::uint64_t address,
                                       std::uint64_t bytes) const {
  const auto wrote_there = [&](const CopyInFlight& copy) {
    if (copy_destination_space(copy.copy) != space) return false;
    bool meets = false;
    for_each_destination_run(copy.copy, [&](std::uint64_t run, std::uint32_t length) {
      meets = run < address + bytes && address < run + length;
      return !meets;
    });
    return meets;
  };
  const auto found = std::find_if(done_copies_.rbegin(), done_copies_.rend(), wrote_there);
  return found == done_copies_.rend() ? nullptr : &*found;
}

void Checker::compare_copy_bytes(const CopyInFlight& copy, std::span<const std::uint32_t> got) {
  const bool told = !got.empty();
  ++terms_.copies;
  if (const std::size_t words = copy_words(copy.copy); told && got.size() != words) {
    Mismatch mismatch = of_copy(CompareField::copy_bytes, copy.sequence);
    mismatch.place = "number of words";
    mismatch.expected = {static_cast<std::uint32_t>(words)};
    mismatch.got = {static_cast<std::uint32_t>(got.size())};
    return fail(std::move(mismatch));
  }
  if (!told && terms_.memory_is_closed) {
    if (copy_words(copy.copy) != 0) ++terms_.untold_copies;
    return;
  }
  for_each_destination_run(copy.copy, [&](std::uint64_t address, std::uint32_t bytes) {
    const std::size_t words = bytes / 4;
    if (!told) return compare_run(copy, address, machine_words(copy, address, words));
    const std::span<const std::uint32_t> run = got.first(words);
    got = got.subspan(words);
    return compare_run(copy, address, run);
  });
}

std::span<const std::uint32_t> Checker::machine_words(const CopyInFlight& copy,
                                                      std::uint64_t address, std::size_t words) {
  got_.resize(words);
  read_memory(machine_, copy_destination_space(copy.copy), address, got_);
  return got_;
}

std::span<const std::uint32_t> Checker::golden_words(CopySpace space, std::uint64_t address,
                                                     std::size_t words) {
  switch (space) {
    case CopySpace::vmem: return std::span(golden_.state().vmem).subspan(address / 4, words);
    case CopySpace::smem: return std::span(golden_.state().smem).subspan(address / 4, words);
    case CopySpace::hbm: break;
  }
  expected_.resize(words);
  golden_.hbm().read_words(address, expected_);
  return expected_;
}

bool Checker::compare_run(const CopyInFlight& copy, std::uint64_t address,
                          std::span<const std::uint32_t> got) {
  const CopySpace space = copy_destination_space(copy.copy);
  const std::span<const std::uint32_t> expected = golden_words(space, address, got.size());
  if (std::memcmp(expected.data(), got.data(), got.size_bytes()) == 0) return true;
  Mismatch mismatch = of_copy(CompareField::copy_bytes, copy.sequence);
  mismatch.expected.assign(expected.begin(), expected.end());
  mismatch.got.assign(got.begin(), got.end());
  mismatch.element = first_difference(mismatch.expected, mismatch.got);
  mismatch.place = copy_address_text(space, address + mismatch.element * 4, golden_.parameters());
  fail(std::move(mismatch));
  return false;
}

}  // namespace tandem
