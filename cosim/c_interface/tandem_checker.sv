// Tandem's checker for a core, in SystemVerilog: an instance in a module that is bound to the core
// (examples/foreign_core/systemverilog/tpu_core_checked.sv) gets the core's events.
// docs/retirement.md describes the events, docs/foreign_core.md a worked example.
//
// open() first. Then the calls of each cycle, in this order: cycle(), what completed (copy_done),
// issue(), writes and copy_issue(). At the end tell() for each part that the core has, and
// finish(). Wide values are passed up to 16 words at a time by words() before the call that takes
// them: write(), holds(), tell(), copy_done(). An invalid call ends the simulation with a text; a
// wrong value gives a verdict. over() means that one was found: later events are ignored.
`default_nettype none

interface tandem_checker #(
  parameter int unsigned LANES = 16
) ();
  import tandem_checker_pkg::*;

  typedef bit [8*LANES*32-1:0] group_t;  // 8 rows of LANES words: the widest value

  chandle handle = null;
  bit     is_over = 1'b0;

  // `inputs`: "a=a.npy b=b.npy". `hbm_bytes` is the size of the memory around the core: a multiple
  // of 64 KiB. `uninitialised_check` as in `tandem lockstep`: random programs need it off.
  function automatic void open(string elf, string inputs, longint hbm_bytes, level_e level,
                               bit uninitialised_check = 1'b1);
    handle = tandem_checker_dpi_create_with(elf, "", inputs, hbm_bytes, int'(level), uninitialised_check ? 0 : 1);
    if (handle == null) $fatal(1, "there is no checker");
    if (tandem_checker_dpi_lanes(handle) != int'(LANES)) $fatal(1, "the program is for another number of lanes");
  endfunction

  function automatic void close();
    tandem_checker_dpi_destroy(handle);
    handle = null;
  endfunction

  function automatic bit is_open();
    return handle != null;
  endfunction

  function automatic chandle opened();
    if (handle == null) $fatal(1, "open() comes first");
    return handle;
  endfunction

  function automatic bit over();
    return is_over;
  endfunction

  // 0 or 1 (there is a verdict) or an error, whose text is on stderr.
  function automatic void note(int result);
    if (result < 0) $fatal(1, "the checker refuses a call");
    is_over = is_over || result != 0;
  endfunction

  // ---- required initial state ----

  function automatic void start(output longint text_address, output int unsigned text_bundles,
                                output int unsigned entry_pc, output longint argument_pointer,
                                output int unsigned argument_words);
    note(tandem_checker_dpi_start(opened(), text_address, text_bundles, entry_pc, argument_pointer, argument_words));
  endfunction

  // The number of copies that the start begins, and a word of the descriptor of one.
  function automatic int unsigned start_copies();
    return tandem_checker_dpi_start_copies(opened());
  endfunction

  function automatic int unsigned start_copy_word(int unsigned number, int unsigned place);
    return tandem_checker_dpi_start_copy_word(opened(), number, place);
  endfunction

  // A word's value when the program begins: in HBM, the program and its tensors.
  function automatic int unsigned initial_word(part_e part, longint number);
    return tandem_checker_dpi_initial(opened(), int'(part), number);
  endfunction

  // The contents of VREG, ACC, WEIGHTS_* or VMEM before the first event: all words must have been
  // given.
  function automatic void holds(part_e part);
    note(tandem_checker_dpi_holds(opened(), int'(part)));
  endfunction

  // ---- events ----

  function automatic void words(bit [511:0] value, int unsigned count);
    tandem_checker_dpi_words(opened(), value, count);
  endfunction

  // The first `count` words of a value.
  function automatic void wide(group_t value, int unsigned count);
    for (int unsigned i = 0; i < count; i += 16) words(512'(value >> (32 * i)), count - i < 16 ? count - i : 16);
  endfunction

  function automatic void cycle(longint number);
    note(tandem_checker_dpi_cycle(opened(), number));
  endfunction

  function automatic void issue(int unsigned seq, int unsigned pc, int unsigned next_pc, bit [511:0] bundle,
                                bit [8:0] enabled, bit halted, bit [7:0] trap_cause, bit [3:0] trap_slot,
                                int unsigned trap_detail);
    note(tandem_checker_dpi_issue(opened(), seq, pc, next_pc, bundle, 32'(enabled), 32'(halted), 32'(trap_cause),
                                  32'(trap_slot), trap_detail));
  endfunction

  // For any space: takes the given words.
  function automatic void write(int unsigned seq, slot_e slot, space_e space, int unsigned index, int unsigned row,
                                bit [LANES-1:0] lanes, bit is_volatile);
    note(tandem_checker_dpi_write(opened(), seq, int'(slot), int'(space), index, row, 128'(lanes), 32'(is_volatile)));
  endfunction

  // A scalar register, predicate, flag or word of SMEM.
  function automatic void write_word(int unsigned seq, slot_e slot, space_e space, int unsigned index,
                                     int unsigned value, bit is_volatile);
    words(512'(value), 1);
    write(seq, slot, space, index, 0, '0, is_volatile);
  endfunction

  // A vector register (8 LANES words), or a mask (8 LANES bits, in the low bits of `value`).
  function automatic void write_group(int unsigned seq, slot_e slot, space_e space, int unsigned index,
                                      group_t value);
    wide(value, space == SPACE_MREG ? LANES / 4 : 8 * LANES);
    write(seq, slot, space, index, 0, '0, 1'b0);
  endfunction

  // A row of VMEM or of an accumulator.
  function automatic void write_row(int unsigned seq, slot_e slot, space_e space, int unsigned index,
                                    int unsigned row, bit [LANES-1:0] lanes, bit [LANES*32-1:0] value);
    wide(group_t'(value), LANES);
    write(seq, slot, space, index, row, lanes, 1'b0);
  endfunction

  function automatic void copy_issue(int unsigned seq, bit [511:0] descriptor, longint source, longint destination);
    note(tandem_checker_dpi_copy_issue(opened(), seq, descriptor, source, destination));
  endfunction

  // The destination of a copy: the words of all its runs, in order, are given before copy_done().
  function automatic int copy_runs(int unsigned seq);
    return tandem_checker_dpi_copy_runs(opened(), seq);
  endfunction
  function automatic void copy_run(int number, output int part, output longint first, output int unsigned count);
    tandem_checker_dpi_copy_run(opened(), number, part, first, count);
  endfunction
  function automatic void copy_done(int unsigned seq);
    note(tandem_checker_dpi_copy_done(opened(), seq));
  endfunction

  // ---- final state and verdict ----

  function automatic void tell(part_e part);
    note(tandem_checker_dpi_tell(opened(), int'(part)));
  endfunction

  // Of HBM: the given words, from word `first` on; and that all others are as they were at the start. For memories
  // that are too large to be given whole.
  function automatic void tell_hbm(longint first);
    note(tandem_checker_dpi_tell_from(opened(), int'(PART_HBM), first));
  endfunction
  function automatic void rest_of_hbm_unchanged();
    note(tandem_checker_dpi_rest_of_hbm_unchanged(opened()));
  endfunction

  function automatic void finish();
    note(tandem_checker_dpi_finish(opened()));
  endfunction

  function automatic verdict_e verdict();
    return verdict_e'(tandem_checker_dpi_verdict(opened()));
  endfunction

  function automatic string report();
    return tandem_checker_dpi_report(opened());
  endfunction
endinterface
