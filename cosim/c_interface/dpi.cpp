// The SystemVerilog binding of the C interface.
#include "cosim/c_interface/dpi.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cosim/c_interface/dpi_program.hpp"
#include "cosim/c_interface/tandem_checker.h"
#include "cosim/checker/copies.hpp"

using namespace tandem;  // NOLINT(google-build-using-namespace): these functions are C's

namespace {

// For a copy whose words are queried: as many as in the largest VMEM.
constexpr std::uint64_t most_copy_words = std::uint64_t{4} << 20U;

// Bits of tandem_checker_dpi_create_with's `without`.
constexpr int without_uninitialised_check = 1;

struct Run {
  tandem_part part;
  std::uint64_t first;  // words
  std::uint32_t count;
};

tandem_part part_of(CopySpace space) {
  switch (space) {
    case CopySpace::hbm: return TANDEM_PART_HBM;
    case CopySpace::vmem: return TANDEM_PART_VMEM;
    case CopySpace::smem: return TANDEM_PART_SMEM;
  }
  return TANDEM_PART_HBM;
}

// The destination of a copy; nothing if that is too large, or outside a part of `words` words.
std::vector<Run> runs_of(const CopyIssue& copy, std::uint64_t words) {
  std::vector<Run> runs;
  std::uint64_t left = most_copy_words;
  bool fits = true;
  for_each_destination_run(copy, [&](std::uint64_t address, std::uint32_t bytes) {
    const std::uint32_t count = bytes / 4;
    fits = count != 0 && count <= left && address / 4 <= words && count <= words - address / 4;
    if (!fits) return false;
    left -= count;
    runs.push_back({part_of(copy_destination_space(copy)), address / 4, count});
    return true;
  });
  if (!fits) runs.clear();
  return runs;
}

}  // namespace

struct TandemDpi {
  tandem_checker* checker = nullptr;
  std::uint64_t hbm_words = 0;
  std::vector<std::uint32_t> words;           // given and not yet taken
  std::map<std::uint32_t, CopyIssue> copies;  // in flight, by number
  std::vector<Run> runs;                      // of the last queried copy
};

namespace {

// The text of an error, for the simulator's output.
int said(const TandemDpi& dpi, tandem_result result) {
  if (result < TANDEM_OK) {
    std::fprintf(stderr, "tandem: %s\n", tandem_checker_error(dpi.checker));
  }
  return result;
}

}  // namespace

TandemDpi* tandem_checker_dpi_create(const char* elf_path, const char* machine, const char* inputs,
                                     long long hbm_bytes, int level) {
  return tandem_checker_dpi_create_with(elf_path, machine, inputs, hbm_bytes, level, 0);
}

TandemDpi* tandem_checker_dpi_create_with(const char* elf_path, const char* machine,
                                          const char* inputs, long long hbm_bytes, int level,
                                          int without) {
  std::string error;
  const std::optional<DpiProgram> program = read_dpi_program(elf_path, inputs, error);
  if (program) {
    const std::vector<tandem_tensor> tensors = program->tensors();
    tandem_checker_options options{};
    options.version = TANDEM_CHECKER_VERSION;
    options.level = static_cast<std::uint32_t>(level);
    options.elf = program->elf.data();
    options.elf_bytes = program->elf.size();
    options.machine = *machine == '\0' ? nullptr : machine;
    options.tensors = tensors.data();
    options.tensor_count = tensors.size();
    options.hbm_bytes = static_cast<std::uint64_t>(hbm_bytes);
    options.no_uninitialised_check = (without & without_uninitialised_check) != 0 ? 1 : 0;
    char message[1024] = "";
    TandemDpi dpi;
    if (tandem_checker_create(&options, &dpi.checker, message, sizeof message) == TANDEM_OK) {
      tandem_start start{};
      tandem_checker_start(dpi.checker, &start);
      dpi.hbm_words = start.hbm_bytes / 4;
      return new TandemDpi(dpi);
    }
    error = message;
  }
  std::fprintf(stderr, "tandem: %s\n", error.c_str());
  return nullptr;
}

void tandem_checker_dpi_destroy(TandemDpi* dpi) {
  if (dpi == nullptr) return;
  tandem_checker_destroy(dpi->checker);
  delete dpi;
}

int tandem_checker_dpi_lanes(TandemDpi* dpi) {
  return static_cast<int>(tandem_checker_lanes(dpi->checker));
}

int tandem_checker_dpi_start(TandemDpi* dpi, long long* text_address, unsigned* text_bundles,
                             unsigned* entry_pc, long long* argument_pointer,
                             unsigned* argument_words) {
  tandem_start start{};
  const tandem_result result = tandem_checker_start(dpi->checker, &start);
  *text_address = static_cast<long long>(start.text_address);
  *text_bundles = start.text_bundles;
  *entry_pc = tandem_checker_entry(dpi->checker);
  *argument_pointer = static_cast<long long>(start.argument_pointer);
  *argument_words = start.argument_words;
  return said(*dpi, result);
}

unsigned tandem_checker_dpi_start_copies(TandemDpi* dpi) {
  return tandem_checker_start_copies(dpi->checker);
}

unsigned tandem_checker_dpi_start_copy_word(TandemDpi* dpi, unsigned number, unsigned word) {
  std::array<std::uint32_t, 16> words{};
  said(*dpi, tandem_checker_start_copy(dpi->checker, number, words.data()));
  return words[word % words.size()];
}

unsigned tandem_checker_dpi_initial(TandemDpi* dpi, int part, long long word) {
  std::uint32_t value = 0;
  said(*dpi, tandem_checker_initial(dpi->checker, static_cast<tandem_part>(part),
                                    static_cast<std::uint64_t>(word), 1, &value));
  return value;
}

// ---- events ----

void tandem_checker_dpi_words(TandemDpi* dpi, const std::uint32_t* words, unsigned count) {
  dpi->words.insert(dpi->words.end(), words, words + std::min(count, 16U));
}

int tandem_checker_dpi_holds(TandemDpi* dpi, int part) {
  const auto result = tandem_checker_holds(dpi->checker, static_cast<tandem_part>(part),
                                           dpi->words.size(), dpi->words.data());
  dpi->words.clear();
  return said(*dpi, result);
}

int tandem_checker_dpi_cycle(TandemDpi* dpi, long long cycle) {
  return said(*dpi, tandem_checker_cycle(dpi->checker, static_cast<std::uint64_t>(cycle)));
}

int tandem_checker_dpi_issue(TandemDpi* dpi, unsigned sequence, unsigned pc, unsigned next_pc,
                             const std::uint32_t* bundle, unsigned enabled, unsigned halted,
                             unsigned trap_cause, unsigned trap_slot, unsigned trap_detail) {
  tandem_issue event{};
  event.sequence = sequence;
  event.pc = pc;
  event.next_pc = next_pc;
  std::copy_n(bundle, std::size(event.bundle), event.bundle);
  event.enabled = enabled;
  event.halted = halted;
  event.trap_cause = trap_cause;
  event.trap_slot = trap_slot;
  event.trap_detail = trap_detail;
  return said(*dpi, tandem_checker_issue(dpi->checker, &event));
}

int tandem_checker_dpi_write(TandemDpi* dpi, unsigned sequence, unsigned slot, unsigned space,
                             unsigned index, unsigned row, const std::uint32_t* lanes,
                             unsigned is_volatile) {
  tandem_write event{};
  event.sequence = sequence;
  event.slot = slot;
  event.space = space;
  event.index = index;
  event.row = row;
  std::copy_n(lanes, std::size(event.lanes), event.lanes);
  event.is_volatile = is_volatile;
  event.word_count = static_cast<std::uint32_t>(dpi->words.size());
  event.words = dpi->words.data();
  const tandem_result result = tandem_checker_write(dpi->checker, &event);
  dpi->words.clear();
  return said(*dpi, result);
}

int tandem_checker_dpi_copy_issue(TandemDpi* dpi, unsigned sequence,
                                  const std::uint32_t* descriptor, long long source,
                                  long long destination) {
  tandem_copy event{};
  event.sequence = sequence;
  std::copy_n(descriptor, std::size(event.descriptor), event.descriptor);
  event.source = static_cast<std::uint64_t>(source);
  event.destination = static_cast<std::uint64_t>(destination);
  CopyIssue& copy = dpi->copies[sequence];
  std::copy_n(descriptor, copy.descriptor.size(), copy.descriptor.begin());
  copy.source = event.source;
  copy.destination = event.destination;
  return said(*dpi, tandem_checker_copy_issue(dpi->checker, &event));
}

int tandem_checker_dpi_copy_runs(TandemDpi* dpi, unsigned sequence) {
  dpi->runs.clear();
  const auto found = dpi->copies.find(sequence);
  if (found == dpi->copies.end()) return 0;
  const CopySpace space = copy_destination_space(found->second);
  const std::uint64_t words = space == CopySpace::hbm
                                  ? dpi->hbm_words
                                  : tandem_checker_part_words(dpi->checker, part_of(space));
  dpi->runs = runs_of(found->second, words);
  return static_cast<int>(dpi->runs.size());
}

void tandem_checker_dpi_copy_run(TandemDpi* dpi, int number, int* part, long long* first,
                                 unsigned* count) {
  const auto wanted = static_cast<std::size_t>(number);
  const Run run = wanted < dpi->runs.size() ? dpi->runs[wanted] : Run{TANDEM_PART_HBM, 0, 0};
  *part = run.part;
  *first = static_cast<long long>(run.first);
  *count = run.count;
}

int tandem_checker_dpi_copy_done(TandemDpi* dpi, unsigned sequence) {
  dpi->copies.erase(sequence);
  const tandem_result result =
      tandem_checker_copy_done(dpi->checker, sequence, dpi->words.data(), dpi->words.size());
  dpi->words.clear();
  return said(*dpi, result);
}

// ---- the end ----

int tandem_checker_dpi_tell(TandemDpi* dpi, int part) {
  return tandem_checker_dpi_tell_from(dpi, part, 0);
}

int tandem_checker_dpi_tell_from(TandemDpi* dpi, int part, long long first) {
  const tandem_result result =
      tandem_checker_tell(dpi->checker, static_cast<tandem_part>(part),
                          static_cast<std::uint64_t>(first), dpi->words.size(), dpi->words.data());
  dpi->words.clear();
  return said(*dpi, result);
}

int tandem_checker_dpi_rest_of_hbm_unchanged(TandemDpi* dpi) {
  return said(*dpi, tandem_checker_rest_of_hbm_unchanged(dpi->checker));
}

int tandem_checker_dpi_finish(TandemDpi* dpi) {
  return said(*dpi, tandem_checker_finish(dpi->checker));
}

int tandem_checker_dpi_verdict(TandemDpi* dpi) { return tandem_checker_verdict(dpi->checker); }

const char* tandem_checker_dpi_report(TandemDpi* dpi) {
  return tandem_checker_report(dpi->checker);
}
