/* A core that is not Tandem's, behind its checker: an interpreter of a handful of scalar instructions.
 * It reports its events to the checker; with --fault its multiplier loses a carry.
 *
 *   core PROGRAM.elf [--fault] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tandem_checker.h"

enum { OP_ADD = 0x01, OP_MUL = 0x03, OP_MOV = 0x10, OP_NE = 0x19, OP_BR = 0x40, OP_HALT = 0x46, OP_SST = 0x61 };
enum { SLOT_SA = 0, SLOT_SB = 1, SPACE_SREG = 1, SPACE_PREG = 2, SPACE_SMEM = 5, SMEM_WORDS = 4096 };

typedef struct core {
  tandem_checker* checker;
  uint32_t sequence, pc, halted;
  uint32_t s[32], p, smem[SMEM_WORDS];
  int fault;
} core;

static void check(core* c, tandem_result result) {
  if (result >= TANDEM_OK) return;
  fprintf(stderr, "core: %s\n", tandem_checker_error(c->checker));
  exit(2);
}

static uint32_t bits(const uint32_t* words, int low, int count) {
  return words[low / 32] >> (low % 32) & (uint32_t)((1ull << count) - 1);
}

static int is_enabled(const core* c, const uint32_t* op) {
  return bits(op, 0, 8) != 0 && ((c->p >> bits(op, 8, 3) & 1) ^ bits(op, 11, 1));
}

/* Reports one word that slot `slot` writes. */
static void tell_write(core* c, uint32_t slot, uint32_t space, uint32_t index, uint32_t value) {
  tandem_write event = {0};
  event.sequence = c->sequence;
  event.slot = slot;
  event.space = space;
  event.index = index;
  event.word_count = 1;
  event.words = &value;
  check(c, tandem_checker_write(c->checker, &event));
}

/* The result of an operation; written when both slots have read their operands. */
typedef struct result {
  uint32_t space, index, value;
} result;

static result execute(core* c, const uint32_t* op, uint32_t* next_pc) {
  const uint32_t a = c->s[bits(op, 17, 5)];
  const uint32_t b = bits(op, 30, 1) ? op[1] : c->s[bits(op, 22, 5)];
  const uint32_t d = bits(op, 12, 5);
  switch (bits(op, 0, 8)) {
    case OP_ADD: return (result){SPACE_SREG, d, a + b};
    case OP_MUL: return (result){SPACE_SREG, d, c->fault ? a * b & ~0x40u : a * b};
    case OP_MOV: return (result){SPACE_SREG, d, b};
    case OP_NE: return (result){SPACE_PREG, bits(op, 27, 3), a != b};
    case OP_SST: return (result){SPACE_SMEM, (a + op[1]) % SMEM_WORDS, c->s[bits(op, 22, 5)]};
    case OP_BR: *next_pc = op[1]; break;
    case OP_HALT: c->halted = 1; break;
    default: fprintf(stderr, "core: no instruction %#x\n", bits(op, 0, 8)); exit(2);
  }
  return (result){0, 0, 0};
}

static void write_back(core* c, uint32_t slot, const result* r) {
  if (r->space == SPACE_SREG) c->s[r->index] = r->value;
  if (r->space == SPACE_PREG) c->p = (c->p & ~(1u << r->index)) | r->value << r->index;
  if (r->space == SPACE_SMEM) c->smem[r->index] = r->value;
  if (r->space != 0) tell_write(c, slot, r->space, r->index, r->value);
}

static void step(core* c, const tandem_start* start) {
  tandem_issue event = {0};
  uint32_t next_pc = c->pc + 1;
  result results[2] = {{0}};
  check(c, tandem_checker_initial(c->checker, TANDEM_PART_HBM, start->text_address / 4 + 16 * c->pc, 16,
                                  event.bundle));
  for (int slot = 0; slot < 2; ++slot) { /* 64 bits each: sa, then sb */
    if (!is_enabled(c, event.bundle + 2 * slot)) continue;
    event.enabled |= 1u << slot;
    results[slot] = execute(c, event.bundle + 2 * slot, &next_pc);
  }
  event.sequence = c->sequence;
  event.pc = c->pc;
  event.next_pc = next_pc;
  event.halted = c->halted;
  check(c, tandem_checker_issue(c->checker, &event));
  for (uint32_t slot = 0; slot < 2; ++slot) write_back(c, slot, &results[slot]);
  c->pc = next_pc;
  ++c->sequence;
}

/* The parts that this core has; it has no vector unit, and reports nothing of one. */
static void tell_end(core* c) {
  const uint32_t status[4] = {2, 0, 0, 0};
  check(c, tandem_checker_tell(c->checker, TANDEM_PART_SREG, 0, 32, c->s));
  check(c, tandem_checker_tell(c->checker, TANDEM_PART_PREG, 0, 1, &c->p));
  check(c, tandem_checker_tell(c->checker, TANDEM_PART_SMEM, 0, SMEM_WORDS, c->smem));
  check(c, tandem_checker_tell(c->checker, TANDEM_PART_STATUS, 0, 4, status));
  check(c, tandem_checker_finish(c->checker));
}

static void* read_file(const char* path, size_t* bytes) {
  FILE* file = fopen(path, "rb");
  if (file == NULL || fseek(file, 0, SEEK_END) != 0) return perror(path), exit(2), NULL;
  const long size = ftell(file);
  void* data = malloc((size_t)size + 1);
  rewind(file);
  *bytes = data == NULL ? 0 : fread(data, 1, (size_t)size, file);
  fclose(file);
  return data;
}

int main(int argc, char** argv) {
  if (argc < 2) return fprintf(stderr, "usage: core PROGRAM.elf [--fault]\n"), 2;
  char message[512];
  tandem_checker_options options = {0};
  static core c;
  options.version = TANDEM_CHECKER_VERSION;
  options.machine = "nano";
  options.elf = read_file(argv[1], &options.elf_bytes);
  if (tandem_checker_create(&options, &c.checker, message, sizeof message) != TANDEM_OK) {
    return fprintf(stderr, "core: %s\n", message), 2;
  }
  c.fault = argc > 2 && strcmp(argv[2], "--fault") == 0;
  tandem_start start;
  check(&c, tandem_checker_start(c.checker, &start));
  check(&c, tandem_checker_initial(c.checker, TANDEM_PART_PREG, 0, 1, &c.p));
  check(&c, tandem_checker_initial(c.checker, TANDEM_PART_SMEM, 0, SMEM_WORDS, c.smem));
  while (!c.halted && c.sequence < 100000) step(&c, &start);
  tell_end(&c);
  fputs(tandem_checker_report(c.checker), stdout);
  const int passed = tandem_checker_verdict(c.checker) == TANDEM_VERDICT_HALTED;
  tandem_checker_destroy(c.checker);
  return passed ? 0 : 1;
}
