// The functions that SystemVerilog calls by DPI (tandem_checker_pkg.sv imports these,
// tandem_checker.sv calls them): the C interface with DPI types. `bit [N-1:0]` is passed as words
// of 32 bits, a chandle as a pointer, which is NULL if creation failed.
//
// Words of a value come before the call that takes them, at most 16 at a time. A call returns a
// tandem_result; the text of an error has been printed to stderr. Not for C: that has
// tandem_checker.h.
#pragma once

#include <cstdint>

struct TandemDpi;

extern "C" {
// `inputs`: "a=a.npy b=b.npy", tensors of the program and their files. "" of machine: any.
TandemDpi* tandem_checker_dpi_create(const char* elf_path, const char* machine, const char* inputs,
                                     long long hbm_bytes, int level);
// `without`: 1 leaves out the check for never-written data, as --no-uninitialised-check does; else
// 0.
TandemDpi* tandem_checker_dpi_create_with(const char* elf_path, const char* machine,
                                          const char* inputs, long long hbm_bytes, int level,
                                          int without);
void tandem_checker_dpi_destroy(TandemDpi* dpi);
int tandem_checker_dpi_lanes(TandemDpi* dpi);
int tandem_checker_dpi_start(TandemDpi* dpi, long long* text_address, unsigned* text_bundles,
                             unsigned* entry_pc, long long* argument_pointer,
                             unsigned* argument_words);
// The number of copies that the start begins, and a word of the descriptor of one.
unsigned tandem_checker_dpi_start_copies(TandemDpi* dpi);
unsigned tandem_checker_dpi_start_copy_word(TandemDpi* dpi, unsigned number, unsigned word);
unsigned tandem_checker_dpi_initial(TandemDpi* dpi, int part, long long word);

// `count` more words, of 16, of the value that the next call takes.
void tandem_checker_dpi_words(TandemDpi* dpi, const std::uint32_t* words, unsigned count);
int tandem_checker_dpi_holds(TandemDpi* dpi, int part);
int tandem_checker_dpi_cycle(TandemDpi* dpi, long long cycle);
int tandem_checker_dpi_issue(TandemDpi* dpi, unsigned sequence, unsigned pc, unsigned next_pc,
                             const std::uint32_t* bundle, unsigned enabled, unsigned halted,
                             unsigned trap_cause, unsigned trap_slot, unsigned trap_detail);
int tandem_checker_dpi_write(TandemDpi* dpi, unsigned sequence, unsigned slot, unsigned space,
                             unsigned index, unsigned row, const std::uint32_t* lanes,
                             unsigned is_volatile);
int tandem_checker_dpi_copy_issue(TandemDpi* dpi, unsigned sequence,
                                  const std::uint32_t* descriptor, long long source,
                                  long long destination);
// The number of runs of words that the copy has written, and one of them: its part, first word and
// length. 0 for a copy that is not in flight, or whose runs are outside the part.
int tandem_checker_dpi_copy_runs(TandemDpi* dpi, unsigned sequence);
void tandem_checker_dpi_copy_run(TandemDpi* dpi, int number, int* part, long long* first,
                                 unsigned* count);
// Takes the words of all its runs.
int tandem_checker_dpi_copy_done(TandemDpi* dpi, unsigned sequence);

// All words of a part.
int tandem_checker_dpi_tell(TandemDpi* dpi, int part);
// A run of words of HBM from word `first` on; and that HBM is as it was wherever nothing was told.
int tandem_checker_dpi_tell_from(TandemDpi* dpi, int part, long long first);
int tandem_checker_dpi_rest_of_hbm_unchanged(TandemDpi* dpi);
int tandem_checker_dpi_finish(TandemDpi* dpi);
int tandem_checker_dpi_verdict(TandemDpi* dpi);
const char* tandem_checker_dpi_report(TandemDpi* dpi);
}
