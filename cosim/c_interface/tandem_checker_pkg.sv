// Tandem's checker for SystemVerilog: the functions of libtandem_checker.so that tandem_checker.sv
// calls by DPI, and the numbers of docs/retirement.md. Their description: tandem_checker.h,
// cosim/c_interface/dpi.hpp.
`default_nettype none

package tandem_checker_pkg;
  typedef enum int unsigned {
    SLOT_SA = 0, SLOT_SB = 1, SLOT_VA = 2, SLOT_VB = 3, SLOT_LD = 4, SLOT_ST = 5, SLOT_MX = 6, SLOT_XU = 7, SLOT_DMA = 8
  } slot_e;
  typedef enum int unsigned {
    SPACE_SREG = 1, SPACE_PREG = 2, SPACE_MREG = 3, SPACE_VREG = 4, SPACE_SMEM = 5, SPACE_VMEM = 6, SPACE_ACC = 7,
    SPACE_FLAG_ADD = 8, SPACE_FLAG_SET = 9
  } space_e;
  typedef enum int {
    PART_SREG = 0, PART_PREG = 1, PART_MREG = 2, PART_FLAG = 3, PART_VREG = 4, PART_ACC = 5, PART_WEIGHTS_ACTIVE = 6,
    PART_WEIGHTS_FILLING = 7, PART_SMEM = 8, PART_VMEM = 9, PART_HBM = 10, PART_STATUS = 11, PART_COUNTERS = 12
  } part_e;
  typedef enum int {LEVEL_ALL = 0, LEVEL_COPIES = 1, LEVEL_FINAL = 2} level_e;
  typedef enum int {
    VERDICT_NONE = 0, VERDICT_HALTED = 1, VERDICT_TRAPPED = 2, VERDICT_RACE = 3, VERDICT_NEVER_WRITTEN = 4,
    VERDICT_MISMATCH = 5, VERDICT_UNDECIDED = 6
  } verdict_e;

  import "DPI-C" function chandle tandem_checker_dpi_create(input string elf_path, input string machine,
    input string inputs, input longint hbm_bytes, input int level);
  import "DPI-C" function chandle tandem_checker_dpi_create_with(input string elf_path, input string machine,
    input string inputs, input longint hbm_bytes, input int level, input int without);
  import "DPI-C" function void tandem_checker_dpi_destroy(input chandle handle);
  import "DPI-C" function int tandem_checker_dpi_lanes(input chandle handle);
  import "DPI-C" function int tandem_checker_dpi_start(input chandle handle, output longint text_address,
    output int unsigned text_bundles, output int unsigned entry_pc, output longint argument_pointer,
    output int unsigned argument_words);
  import "DPI-C" function int unsigned tandem_checker_dpi_start_copies(input chandle handle);
  import "DPI-C" function int unsigned tandem_checker_dpi_start_copy_word(input chandle handle,
    input int unsigned number, input int unsigned place);
  import "DPI-C" function int unsigned tandem_checker_dpi_initial(input chandle handle, input int part,
    input longint first);

  import "DPI-C" function void tandem_checker_dpi_words(input chandle handle, input bit [511:0] words,
    input int unsigned count);
  import "DPI-C" function int tandem_checker_dpi_holds(input chandle handle, input int part);
  import "DPI-C" function int tandem_checker_dpi_cycle(input chandle handle, input longint number);
  import "DPI-C" function int tandem_checker_dpi_issue(input chandle handle, input int unsigned seq,
    input int unsigned pc, input int unsigned next_pc, input bit [511:0] bundle, input int unsigned enabled,
    input int unsigned halted, input int unsigned trap_cause, input int unsigned trap_slot,
    input int unsigned trap_detail);
  import "DPI-C" function int tandem_checker_dpi_write(input chandle handle, input int unsigned seq,
    input int unsigned slot, input int unsigned space, input int unsigned index, input int unsigned row,
    input bit [127:0] lanes, input int unsigned is_volatile);
  import "DPI-C" function int tandem_checker_dpi_copy_issue(input chandle handle, input int unsigned seq,
    input bit [511:0] descriptor, input longint source, input longint destination);
  import "DPI-C" function int tandem_checker_dpi_copy_runs(input chandle handle, input int unsigned seq);
  import "DPI-C" function void tandem_checker_dpi_copy_run(input chandle handle, input int number, output int part,
    output longint first, output int unsigned count);
  import "DPI-C" function int tandem_checker_dpi_copy_done(input chandle handle, input int unsigned seq);

  import "DPI-C" function int tandem_checker_dpi_tell(input chandle handle, input int part);
  import "DPI-C" function int tandem_checker_dpi_tell_from(input chandle handle, input int part, input longint first);
  import "DPI-C" function int tandem_checker_dpi_rest_of_hbm_unchanged(input chandle handle);
  import "DPI-C" function int tandem_checker_dpi_finish(input chandle handle);
  import "DPI-C" function int tandem_checker_dpi_verdict(input chandle handle);
  import "DPI-C" function string tandem_checker_dpi_report(input chandle handle);
endpackage
