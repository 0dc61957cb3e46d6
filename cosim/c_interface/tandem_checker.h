/* Tandem's checker for your own core (docs/foreign_core.md has a worked example).
 *
 * You create a checker with a program and its tensors, tell it what your core did, event by event,
 * and its state at the end. A golden model executes the same program, and the first difference is
 * the verdict, with a page that states where and why. docs/retirement.md defines the events, their order
 * and the words of each value.
 *
 * Lifetime: arguments are read during the call only. Returned strings belong to the checker and
 * are valid until the next call with it.
 * Threads: one at a time for each checker; different checkers may be driven by different threads.
 * Errors: a call returns TANDEM_OK, TANDEM_OVER or an error below zero, of which
 * tandem_checker_error() has the text. A call that returns an error has changed nothing. No input
 * ends your process.
 * Words are little-endian uint32_t. "Lanes" L is that of the machine, tandem_checker_lanes(). */
#ifndef TANDEM_CHECKER_H
#define TANDEM_CHECKER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Incremented when a call or structure changes its meaning; also the library's symbol version. */
#define TANDEM_CHECKER_VERSION 1

typedef struct tandem_checker tandem_checker;

typedef enum tandem_result {
  TANDEM_OK = 0,
  TANDEM_OVER = 1,           /* there is a verdict already: further events are ignored */
  TANDEM_BAD_ARGUMENT = -1,  /* a null pointer, an invalid size or number */
  TANDEM_BAD_PROGRAM = -2,   /* not an ELF file of Tandem, another machine, tensors that do not fit */
  TANDEM_BAD_EVENT = -3,     /* a slot, space, index, count ... that does not exist */
  TANDEM_FINISHED = -4,      /* tandem_checker_finish() was called before */
  TANDEM_FAILED = -5         /* of the host: memory, for instance */
} tandem_result;

/* The events that you report. Everything else is not compared, and the verdict says so. */
typedef enum tandem_level {
  TANDEM_LEVEL_ALL = 0,    /* all four kinds */
  TANDEM_LEVEL_COPIES = 1, /* copy_issue and copy_done; their numbers need only tell copies in flight apart */
  TANDEM_LEVEL_FINAL = 2   /* none: the state at the end is compared */
} tandem_level;

/* ---- a program ---- */

typedef struct tandem_tensor {
  const char* name;          /* as declared by the program */
  const int64_t* dimensions; /* `rank` of them */
  uint32_t rank;             /* at most 8 */
  const void* data;          /* elements in HBM format, row-major, no padding; NULL for an output, whose sizes
                                this gives */
  size_t bytes;              /* of data */
} tandem_tensor;

typedef struct tandem_checker_options {
  uint32_t version;              /* TANDEM_CHECKER_VERSION */
  uint32_t level;                /* tandem_level */
  const void* elf;               /* a linked program, as `tandem asm` writes it; names its machine */
  size_t elf_bytes;
  const char* machine;           /* refuses another machine: "nano", "lanes=32,vmem=2MiB"; NULL: any */
  const tandem_tensor* tensors;  /* all inputs, and outputs whose sizes are not given otherwise */
  size_t tensor_count;
  uint64_t hbm_bytes;            /* a multiple of 64 KiB; 0: 4 GiB */
  uint32_t seed;                 /* of never-written state; 0: 1 */
  uint32_t times;                /* not 0: you report timing events, which are compared with the cycle-exact
                                    model with the memory's default timing */
  uint64_t limit;                /* bundles after which golden gives up if it runs on by itself
                                    (levels copies, final); 0: 5e9 */
  const char* command;           /* for pages: the command that repeats your run; NULL: none */
  uint32_t no_race_check;        /* not 0: as --no-race-check, --no-uninitialised-check */
  uint32_t no_uninitialised_check;
} tandem_checker_options;

/* The version of the library. */
uint32_t tandem_checker_version(void);

/* A new checker in *checker, or an error, whose text is put into `message` (at most `message_bytes`
 * with the 0 at its end; message may be NULL). */
tandem_result tandem_checker_create(const tandem_checker_options* options, tandem_checker** checker,
                                    char* message, size_t message_bytes);
/* NULL is ignored. */
void tandem_checker_destroy(tandem_checker* checker);
/* Of the last call that returned an error; "" when none has. */
const char* tandem_checker_error(const tandem_checker* checker);

/* ---- required initial state of your core ---- */

uint32_t tandem_checker_lanes(const tandem_checker* checker);

typedef struct tandem_start {
  uint64_t text_address;     /* HBM address of bundle 0; 64 bytes each */
  uint32_t text_bundles;
  uint32_t argument_words;   /* copied to SMEM words 0.. at the start */
  uint64_t argument_pointer; /* HBM address of these */
  uint64_t hbm_bytes;
} tandem_start;

tandem_result tandem_checker_start(tandem_checker* checker, tandem_start* start);
/* The bundle at which it begins. */
uint32_t tandem_checker_entry(const tandem_checker* checker);
/* The number of copies that the start begins, and the 16 words of the descriptor of one. Your core
 * begins them in this order, and reports neither their issue nor their end. */
uint32_t tandem_checker_start_copies(const tandem_checker* checker);
tandem_result tandem_checker_start_copy(tandem_checker* checker, uint32_t number, uint32_t* words);

/* The parts of a core that are compared in addition to its events. Words of each: docs/foreign_core.md. */
typedef enum tandem_part {
  TANDEM_PART_SREG = 0,
  TANDEM_PART_PREG = 1,
  TANDEM_PART_MREG = 2,
  TANDEM_PART_FLAG = 3,
  TANDEM_PART_VREG = 4,
  TANDEM_PART_ACC = 5,
  TANDEM_PART_WEIGHTS_ACTIVE = 6,
  TANDEM_PART_WEIGHTS_FILLING = 7,
  TANDEM_PART_SMEM = 8,
  TANDEM_PART_VMEM = 9,
  TANDEM_PART_HBM = 10,
  TANDEM_PART_STATUS = 11,
  TANDEM_PART_COUNTERS = 12
} tandem_part;

/* The number of words of a part, reported in one call; 0 for HBM, of which any run may be reported. */
size_t tandem_checker_part_words(const tandem_checker* checker, tandem_part part);
/* `count` words from word `first` on as they are when the program begins, at any time: HBM with the
 * program and its tensors, and the contents of never-written registers and VMEM. Not for status
 * and counters. */
tandem_result tandem_checker_initial(tandem_checker* checker, tandem_part part, uint64_t first,
                                     size_t count, uint32_t* words);
/* The reverse, for a core whose never-written state cannot be set: the contents of VREG, ACC, WEIGHTS_*
 * or VMEM as the program begins, all words; before the first event, and not with options.times. */
tandem_result tandem_checker_holds(tandem_checker* checker, tandem_part part, size_t count,
                                   const uint32_t* words);

/* ---- events of your core ---- */

typedef struct tandem_issue {
  uint32_t sequence;
  uint32_t pc;
  uint32_t next_pc;
  uint32_t bundle[16];
  uint32_t enabled;  /* a bit per slot */
  uint32_t halted;   /* 0 or 1 */
  uint32_t trap_cause;
  uint32_t trap_slot;
  uint32_t trap_detail;
} tandem_issue;

typedef struct tandem_write {
  uint32_t sequence;
  uint32_t slot;   /* 0 to 8: sa sb va vb ld st mx xu dma */
  uint32_t space;  /* 1 to 9 */
  uint32_t index;
  uint32_t row;
  uint32_t lanes[4];     /* of space vmem: lane j is bit j % 32 of word j / 32 */
  uint32_t is_volatile;  /* 0 or 1 */
  uint32_t word_count;   /* number of words of the space */
  const uint32_t* words;
} tandem_write;

typedef struct tandem_copy {
  uint32_t sequence;
  uint32_t descriptor[16];
  uint64_t source;       /* bytes */
  uint64_t destination;  /* bytes */
} tandem_copy;

/* The cycle of the events to come, counted from 0 at the start; it never decreases, and never jumps
 * by more than 2^33. For pages only: a core that does not call it counts one for each bundle. */
tandem_result tandem_checker_cycle(tandem_checker* checker, uint64_t cycle);
/* Each returns TANDEM_OVER once a difference was found, some hundred events later at most. */
tandem_result tandem_checker_issue(tandem_checker* checker, const tandem_issue* event);
tandem_result tandem_checker_write(tandem_checker* checker, const tandem_write* event);
tandem_result tandem_checker_copy_issue(tandem_checker* checker, const tandem_copy* event);
/* `words`: all data that the copy wrote, run by run; NULL with count 0: the reader is asked, and without one
 * the copy's bytes are not compared. */
tandem_result tandem_checker_copy_done(tandem_checker* checker, uint32_t sequence,
                                       const uint32_t* words, size_t count);

/* Timing events (options.times), as sim/events/timing_events.hpp defines them. */
typedef enum tandem_timing_kind {
  TANDEM_TIMING_ISSUE = 0,       /* cycle, sequence, issue fields */
  TANDEM_TIMING_LOST = 1,        /* cycle of the first, count, cause (docs/counters.md, in its order) */
  TANDEM_TIMING_COPY_START = 2,  /* cycle, sequence */
  TANDEM_TIMING_COPY_DONE = 3,   /* cycle, sequence */
  TANDEM_TIMING_BEATS = 4,       /* cycle of the first, count, path: 0 fetch, 1 copy_read, 2 copy_write */
  TANDEM_TIMING_MARKER = 5,      /* cycle, sequence, pc, code, counters */
  TANDEM_TIMING_PROGRESS = 6,    /* cycle: all events that begin before it have been reported */
  TANDEM_TIMING_ENDED = 7        /* cycle: the total number; nothing follows */
} tandem_timing_kind;

typedef struct tandem_timing {
  uint32_t kind;
  uint32_t cause;
  uint32_t path;
  uint32_t code;
  uint64_t cycle;
  uint64_t count;
  uint64_t sequence;
  uint32_t pc;
  uint32_t next_pc;
  uint32_t enabled;
  uint32_t halted;
  uint32_t trap_cause;
  uint32_t trap_slot;
  uint32_t trap_detail;
  const uint32_t* counters;  /* of a marker: the words of part counters */
} tandem_timing;

tandem_result tandem_checker_timing(tandem_checker* checker, const tandem_timing* event);

/* ---- final state ---- */

/* Puts `count` words of a part from word `first` on into `words` and returns 0, or another number when
 * it cannot. Called for the data of a copy when it completes (HBM, VMEM or SMEM at that moment), and by
 * tandem_checker_finish() for every part that was not reported. It must not call the checker: calls
 * return TANDEM_BAD_ARGUMENT, "" or NULL then, and destroy does nothing. */
typedef int (*tandem_reader)(void* user, tandem_part part, uint64_t first, size_t count,
                             uint32_t* words);
tandem_result tandem_checker_set_reader(tandem_checker* checker, tandem_reader reader, void* user);

/* A part at the end: all its words, first is 0; for HBM any run. Parts not reported, by this or by the
 * reader, are not compared. */
tandem_result tandem_checker_tell(tandem_checker* checker, tandem_part part, uint64_t first,
                                  size_t count, const uint32_t* words);
/* HBM is unchanged since the start wherever nothing else was reported: all of it is compared. */
tandem_result tandem_checker_rest_of_hbm_unchanged(tandem_checker* checker);

/* ---- the verdict ---- */

typedef enum tandem_verdict {
  TANDEM_VERDICT_NONE = 0,           /* not finished, and nothing found so far */
  TANDEM_VERDICT_HALTED = 1,         /* the program ended; nothing differs */
  TANDEM_VERDICT_TRAPPED = 2,        /* it trapped, and so did the core */
  TANDEM_VERDICT_RACE = 3,           /* golden: the program races, its result depends on timing */
  TANDEM_VERDICT_NEVER_WRITTEN = 4,  /* golden: it uses never-written data */
  TANDEM_VERDICT_MISMATCH = 5,       /* the core differs */
  TANDEM_VERDICT_UNDECIDED = 6       /* the level is insufficient for this program, or it reached the limit */
} tandem_verdict;

/* The core has stopped: compares the rest, and its final state. */
tandem_result tandem_checker_finish(tandem_checker* checker);
/* Compares the events so far now. */
tandem_result tandem_checker_look(tandem_checker* checker);

tandem_verdict tandem_checker_verdict(tandem_checker* checker);
/* The verdict for people, ending with a line for each item that was not compared. After a mismatch, the
 * page as written by `tandem lockstep`. */
const char* tandem_checker_report(tandem_checker* checker);
/* The page of a mismatch as JSON; "" without one. */
const char* tandem_checker_report_json(tandem_checker* checker);
/* The field that differs, "write.data" (cosim/checker/compare_fields.def); "" without a mismatch. */
const char* tandem_checker_field(tandem_checker* checker);
/* The n-th item that was not compared, NULL after the last. Complete after tandem_checker_finish(). */
const char* tandem_checker_not_compared(tandem_checker* checker, size_t n);
/* Events that were compared. */
uint64_t tandem_checker_events(const tandem_checker* checker);

#ifdef __cplusplus
}
#endif

#endif
