// Puts pico behind the checker: this module is bound to pico_core, sees what it writes, and reports it
// (docs/foreign_systemverilog.md). The bench opens the checker and ends when done_o rises.
`default_nettype none

module pico_checked
  import tpu_pkg::SLOT_LD, tpu_pkg::OP_CSR, tpu_pkg::csr_volatile, pico_pkg::*;
(
  input  logic         clk_i, rst_ni,
  input  logic         starting_i, ended_i,
  // A bundle
  input  logic         issue_i, halt_i,
  input  logic [31:0]  sequence_i, pc_i, next_pc_i,
  input  logic [8:0]   enabled_i,
  input  trap_t        trap_i,
  // A word of a register
  input  logic [3:0]   slot_i,
  input  logic [63:0]  bits_i,
  input  logic         write_i,
  input  file_e        file_i,
  input  logic [5:0]   register_i, element_i,
  input  logic [31:0]  word_i,
  // SMEM, flags
  input  logic         smem_i, flag_i, flag_adds_i,
  input  logic [11:0]  smem_address_i,
  input  logic [31:0]  smem_word_i, flag_word_i,
  input  logic [4:0]   flag_index_i,
  // An element of a store, written or not; a word of an accumulator
  input  logic         store_i, stored_i, acc_i,
  input  logic [5:0]   store_element_i,
  input  logic [13:0]  store_address_i,
  input  logic [11:0]  acc_address_i,
  input  logic [31:0]  store_word_i, acc_word_i,
  // Copies
  input  logic         copy_i, copy_done_i,
  input  logic [63:0]  source_i, destination_i,
  // How it ended
  input  logic         halted_i, trapped_i,
  input  trap_t        status_i,
  input  logic [31:0]  status_pc_i,
  output logic         done_o
);
  import tandem_checker_pkg::*;

  localparam int unsigned GROUP = 64;  // words of a vector register

  tandem_checker #(.LANES(LANES)) check ();

  // ---- the state of the core: word `number` of a part ----------------------------------------------------------
  function automatic int unsigned weights_of(bit buffer, int unsigned number);
    return {files.weights_q[{buffer, number[4:0], 1'b1}], files.weights_q[{buffer, number[4:0], 1'b0}]};
  endfunction

  function automatic int unsigned mask_of(int unsigned number);
    int unsigned word = 0;
    for (int unsigned i = 0; i < 4; ++i) word[8*i +: 8] = number < 2 ? 8'hff : files.mregs_q[6'(4 * number + i)];
    return word;
  endfunction

  function automatic int unsigned word_of(int part, longint number);
    int unsigned n = 32'(number);
    case (part)
      PART_SREG: return n == 0 ? 0 : files.sregs_q[n[4:0]];
      PART_PREG: return 32'(files.pregs_o);
      PART_MREG: return mask_of(n);
      PART_FLAG: return files.flags_q[n[4:0]];
      PART_VREG: return vregs.words_q[n[11:0]];
      PART_ACC: return accs.words_q[n[11:0]];
      PART_WEIGHTS_ACTIVE: return weights_of(files.active_q, n);
      PART_WEIGHTS_FILLING: return weights_of(!files.active_q, n);
      PART_VMEM: return vmem.words_q[n[13:0]];
      PART_SMEM: return smem.words_q[n[11:0]];
      PART_HBM: return pico_bench.word_at(number);
      default: return 0;
    endcase
  endfunction

  function automatic void give(int part, longint first, int unsigned count);
    for (int unsigned i = 0; i < count; i += 16) begin
      bit [511:0] value = '0;
      int unsigned some = count - i < 16 ? count - i : 16;
      for (int unsigned j = 0; j < some; ++j) value[32*j +: 32] = word_of(part, first + 64'(i) + 64'(j));
      check.words(value, some);
    end
  endfunction

  // The contents of never-written registers and VMEM are those that they power up with.
  function automatic void hold(part_e part, int unsigned count);
    give(int'(part), 0, count);
    check.holds(part);
  endfunction

  function automatic void tell_beginning();
    hold(PART_VREG, 64 * GROUP);
    hold(PART_ACC, 64 * GROUP);
    hold(PART_WEIGHTS_ACTIVE, LANES * LANES / 2);
    hold(PART_WEIGHTS_FILLING, LANES * LANES / 2);
    hold(PART_VMEM, VMEM_WORDS);
  endfunction

  function automatic void tell_part(part_e part, int unsigned count);
    give(int'(part), 0, count);
    check.tell(part);
  endfunction

  function automatic void tell_end();
    tell_part(PART_SREG, 32);
    tell_part(PART_PREG, 1);
    tell_part(PART_MREG, 16);
    tell_part(PART_FLAG, 32);
    tell_part(PART_VREG, 64 * GROUP);
    tell_part(PART_ACC, 64 * GROUP);
    tell_part(PART_WEIGHTS_ACTIVE, LANES * LANES / 2);
    tell_part(PART_WEIGHTS_FILLING, LANES * LANES / 2);
    tell_part(PART_SMEM, SMEM_WORDS);
    tell_part(PART_VMEM, VMEM_WORDS);
    foreach (pico_bench.memory[place]) begin
      check.words(512'(pico_bench.memory[place]), 1);
      check.tell_hbm(place);
    end
    check.rest_of_hbm_unchanged();
    check.words({384'b0, status_i.detail, status_pc_i, 20'b0, status_i.slot, status_i.cause,
                 29'b0, trapped_i, halted_i, 1'b0}, 4);
    check.tell(PART_STATUS);
    check.finish();
  endfunction

  // ---- what it did --------------------------------------------------------------------------------------------
  int unsigned  number = 0;  // of the bundle that writes
  bit [511:0]   bundle;
  bit [2047:0]  group;
  bit [255:0]   row;
  bit [7:0]     lanes;
  slot_e        slot;

  always_comb for (int i = 0; i < 8; ++i) bundle[64*i +: 64] = {sequencer.odd_q[i], sequencer.even_q[i]};
  assign slot = slot_e'(32'(slot_i));

  function automatic void copy_completes();
    int part;
    longint first;
    int unsigned count;
    for (int i = 0; i < check.copy_runs(number); ++i) begin
      check.copy_run(i, part, first, count);
      give(part, first, count);
    end
    check.copy_done(number);
  endfunction

  function automatic bit [511:0] descriptor();
    for (int i = 0; i < 16; ++i) descriptor[32*i +: 32] = copy.words_q[i];
  endfunction

  function automatic void register_word();
    case (file_i)
      FILE_S:
        check.write_word(number, slot, SPACE_SREG, 32'(register_i), word_i,
                         slot == SLOT_SB && bits_i[7:0] == OP_CSR && csr_volatile(bits_i[63:32]));
      FILE_P: check.write_word(number, slot, SPACE_PREG, 32'(register_i), {31'b0, word_i[0]}, 1'b0);
      FILE_M: begin
        group[11'(element_i)] = word_i[0];
        if (element_i == 6'd63) check.write_group(number, slot, SPACE_MREG, 32'(register_i), group);
      end
      default: begin
        group[32*11'(element_i) +: 32] = word_i;
        if (element_i == 6'd63) check.write_group(number, slot, SPACE_VREG, 32'(register_i), group);
      end
    endcase
  endfunction

  function automatic void stored_word();
    row[32*store_element_i[2:0] +: 32] = store_word_i;
    lanes[store_element_i[2:0]] = stored_i;
    if (store_element_i[2:0] == 3'd7 && lanes != 8'd0)
      check.write_row(number, SLOT_ST, SPACE_VMEM, 32'(store_address_i[13:3]), 32'(store_element_i[5:3]), lanes, row);
  endfunction

  function automatic void accumulated_word();
    row[32*acc_address_i[2:0] +: 32] = acc_word_i;
    if (acc_address_i[2:0] == 3'd7)
      check.write_row(number, SLOT_MX, SPACE_ACC, 32'(acc_address_i[11:3]), 32'(acc_address_i[5:3]), '0, row);
  endfunction

  // ---- cycle by cycle -----------------------------------------------------------------------------------------
  longint   cycles = 0;
  bit       runs = 1'b0, over = 1'b0, ended = 1'b0;

  assign done_o = over;

  always @(posedge clk_i) begin
    if (rst_ni && starting_i && check.is_open()) begin
      tell_beginning();
      runs <= 1'b1;
    end
    if (runs && !over) begin
      if (issue_i) begin
        number = sequence_i;
        check.cycle(cycles);
        check.issue(sequence_i, pc_i, next_pc_i, bundle, enabled_i, halt_i, trap_i.cause, trap_i.slot, trap_i.detail);
      end
      if (copy_done_i) copy_completes();
      if (copy_i) check.copy_issue(number, descriptor(), source_i, destination_i);
      if (write_i) register_word();
      if (smem_i) check.write_word(number, SLOT_SB, SPACE_SMEM, 32'(smem_address_i), smem_word_i, 1'b0);
      if (flag_i)
        check.write_word(number, SLOT_DMA, flag_adds_i ? SPACE_FLAG_ADD : SPACE_FLAG_SET, 32'(flag_index_i),
                         flag_word_i, 1'b0);
      if (store_i) stored_word();
      if (acc_i) accumulated_word();
      cycles <= cycles + 1;
      ended <= ended_i;
      if (ended) tell_end();
      if (ended || check.over()) over <= 1'b1;
    end
  end
endmodule

bind pico_core pico_checked tandem (
  .clk_i(clk_i), .rst_ni(rst_ni), .starting_i(start), .ended_i(ended), .issue_i(event_issue), .halt_i(halted),
  .sequence_i(event_sequence), .pc_i(pc), .next_pc_i(event_next_pc), .enabled_i(event_enabled), .trap_i(trap),
  .slot_i(slot), .bits_i(bits), .write_i(write_valid), .file_i(write_file), .register_i(write_register),
  .element_i(write_element), .word_i(y_result_word), .smem_i(event_smem), .flag_i(flag_we), .flag_adds_i(flag_adds),
  .smem_address_i(sequencer_smem_write), .smem_word_i(sequencer_smem_word), .flag_word_i(n),
  .flag_index_i(flag_index[4:0]), .store_i(rows.moving_q && rows.stores_i), .stored_i(rows.taken_q), .acc_i(acc_we),
  .store_element_i(rows.element_q), .store_address_i(rows_vmem_address), .acc_address_i(acc_address),
  .store_word_i(rows_vmem_data), .acc_word_i(acc_data), .copy_i(copy_move), .copy_done_i(copy_moved),
  .source_i(event_source), .destination_i(event_destination), .halted_i(halted_o), .trapped_i(trapped_o),
  .status_i(status), .status_pc_i(status_pc), .done_o());
