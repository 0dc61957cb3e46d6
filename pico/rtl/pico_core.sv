// pico: Tandem's instruction set, preset nano, in the least hardware. One element a cycle, one multiplier, one bundle
// after the other. A host writes the registers of docs/registers.md and starts it; text, tensors and arguments are in a
// memory of words outside.
//
// Memory: a request (mem_valid_o, mem_write_o, mem_address_o, mem_data_o) is held until mem_ready_i, which comes with
// the word of a read; the next request may follow in the next cycle. Addresses are of bytes, multiples of 4.
//
// Who watches (a checker, by bind) finds the events of a run in the signals `event_*`.
`default_nettype none

module pico_core
  import tpu_pkg::*, pico_pkg::*;
(
  input  logic        clk_i, rst_ni,
  // Host
  input  logic        reg_write_i,
  input  logic [9:0]  reg_address_i,
  input  logic [31:0] reg_data_i,
  output logic [31:0] reg_data_o,
  output logic        running_o, halted_o, trapped_o,
  // Memory
  output logic        mem_valid_o, mem_write_o,
  output logic [63:0] mem_address_o,
  output logic [31:0] mem_data_o,
  input  logic        mem_ready_i,
  input  logic [31:0] mem_data_i
);
  // ---- host ---------------------------------------------------------------------------------------------------
  logic        start, stop, ended, halted;
  logic [63:0] text, arguments, hbm_size;
  logic [31:0] text_bundles, entry, argument_words, pc, csr, status_pc;
  trap_t       trap, status;
  logic [3:0]  slot;
  logic [63:0] bits;
  logic        event_issue;
  pico_registers registers (
    .clk_i, .rst_ni, .write_i(reg_write_i), .address_i(reg_address_i), .data_i(reg_data_i), .data_o(reg_data_o),
    .csr_i(bits[41:32]), .csr_o(csr), .start_o(start), .stop_o(stop), .text_o(text), .arguments_o(arguments),
    .hbm_size_o(hbm_size), .text_bundles_o(text_bundles), .entry_o(entry), .argument_words_o(argument_words),
    .running_i(running_o), .bundle_i(event_issue), .ended_i(ended), .halted_i(halted), .trap_i(trap), .pc_i(pc),
    .halted_o, .trapped_o, .trap_o(status), .trap_pc_o(status_pc));

  // ---- the slot at work ---------------------------------------------------------------------------------------
  file_e       file;
  logic [5:0]  register, number;
  logic        illegal, enabled, copy_first, condition;
  logic [4:0]  a_register, b_register;
  logic [31:0] a, b, x_constant, y_constant, smem_address, place, flag_index, n;
  logic [31:0] a_now, b_now;
  logic [7:0]  pregs;
  always_ff @(posedge clk_i) {a, b} <= {a_now, b_now};
  pico_decode decode (.slot_i(slot), .bits_i(bits), .illegal_o(illegal), .file_o(file), .register_o(register));
  pico_operands operands (
    .slot_i(slot), .bits_i(bits), .copy_first_i(copy_first), .a_o(a_register), .b_o(b_register), .a_i(a), .b_i(b),
    .pregs_i(pregs), .enabled_o(enabled), .x_o(x_constant), .y_o(y_constant), .number_o(number),
    .condition_o(condition), .smem_o(smem_address), .place_o(place), .flag_o(flag_index), .n_o(n));

  // ---- sequencer ------------------------------------------------------------------------------------------------
  logic          stream_start, stream_busy, stream_done, rows_start, rows_check, rows_busy, rows_done, rows_trap;
  logic          eup_start, eup_busy, eup_done, copy_check, copy_move, copy_busy, copy_checked, copy_moved, copy_trap;
  logic [31:0]   rows_detail, copy_detail, sequencer_smem_word, smem_word, flag, event_sequence, event_next_pc;
  logic [7:0]    copy_cause;
  logic          fetch_valid, clear, sequencer_smem_we, flag_we, flag_adds, write_valid, event_smem;
  logic [63:0]   fetch_address;
  logic [11:0]   clear_place, sequencer_smem, sequencer_smem_write;
  result_write_t sequencer_result;
  logic [8:0]    commit, event_enabled;
  file_e         write_file;
  logic [5:0]    write_register, write_element;
  pico_sequencer sequencer (
    .clk_i, .rst_ni, .start_i(start), .stop_i(stop), .text_i(text), .arguments_i(arguments),
    .text_bundles_i(text_bundles), .entry_i(entry), .argument_words_i(argument_words), .running_o, .ended_o(ended),
    .halted_o(halted), .trap_o(trap), .pc_o(pc), .mem_valid_o(fetch_valid), .mem_address_o(fetch_address),
    .mem_ready_i, .mem_data_i, .slot_o(slot), .bits_o(bits), .file_i(file), .register_i(register),
    .illegal_i(illegal), .enabled_i(enabled), .a_i(a), .b_i(b), .y_i(y_constant),
    .smem_address_i(smem_address), .place_i(place), .flag_index_i(flag_index), .n_i(n),
    .stream_start_o(stream_start), .rows_start_o(rows_start), .rows_check_o(rows_check), .eup_start_o(eup_start),
    .copy_check_o(copy_check), .copy_move_o(copy_move), .stream_done_i(stream_done), .rows_done_i(rows_done),
    .rows_trap_i(rows_trap), .eup_done_i(eup_done), .copy_checked_i(copy_checked), .copy_moved_i(copy_moved),
    .copy_trap_i(copy_trap), .rows_detail_i(rows_detail), .copy_detail_i(copy_detail), .copy_cause_i(copy_cause),
    .clear_o(clear), .clear_place_o(clear_place), .smem_o(sequencer_smem), .smem_write_o(sequencer_smem_write),
    .smem_we_o(sequencer_smem_we), .smem_word_o(sequencer_smem_word), .smem_i(smem_word), .csr_i(csr),
    .flag_i(flag), .flag_we_o(flag_we), .flag_adds_o(flag_adds), .result_o(sequencer_result), .commit_o(commit),
    .write_valid_o(write_valid), .write_file_o(write_file), .write_register_o(write_register),
    .write_element_o(write_element), .issue_o(event_issue), .sequence_o(event_sequence),
    .next_pc_o(event_next_pc), .enabled_o(event_enabled), .smem_event_o(event_smem));

  // ---- units ------------------------------------------------------------------------------------------------------
  logic [11:0]   stream_x_vreg, stream_y_vreg, stream_acc, acc_address, rows_vreg, eup_vreg;
  logic [8:0]    stream_x_result, stream_y_result;
  logic [31:0]   x_vreg_word, y_vreg_word, acc_word, x_result_word, y_result_word, vmem_word, acc_data;
  logic [5:0]    stream_mask, mask_b, rows_mask, weight, weight_address;
  logic [7:0]    mask_a_bits, mask_b_bits;
  logic [15:0]   weight_word, weight_data;
  alu_e          stream_alu;
  logic [31:0]   stream_x, stream_y, stream_z, eup_x, eup_y, alu_result;
  logic          alu_condition, acc_we, weight_we, swap;
  logic [1:0]    alu_byte;
  logic [63:0]   product;
  round_t        inject;
  result_write_t stream_result, rows_result, eup_result, result;
  pico_stream stream (
    .clk_i, .rst_ni, .start_i(stream_start), .busy_o(stream_busy), .done_o(stream_done), .slot_i(slot),
    .bits_i(bits), .x_constant_i(x_constant), .y_constant_i(y_constant), .number_i(number), .condition_i(condition),
    .x_vreg_o(stream_x_vreg), .y_vreg_o(stream_y_vreg), .acc_o(stream_acc), .x_result_o(stream_x_result),
    .y_result_o(stream_y_result), .x_vreg_i(x_vreg_word), .y_vreg_i(y_vreg_word), .acc_i(acc_word),
    .x_result_i(x_result_word), .y_result_i(y_result_word), .mask_a_o(stream_mask), .mask_b_o(mask_b),
    .mask_a_i(mask_a_bits), .mask_b_i(mask_b_bits), .weight_o(weight), .weight_i(weight_word), .alu_o(stream_alu),
    .x_o(stream_x), .y_o(stream_y), .z_o(stream_z), .condition_o(alu_condition), .byte_o(alu_byte),
    .result_i(alu_result), .result_o(stream_result), .acc_we_o(acc_we), .weight_we_o(weight_we), .swap_o(swap),
    .acc_address_o(acc_address), .weight_address_o(weight_address), .acc_data_o(acc_data),
    .weight_data_o(weight_data));

  pico_alu alu (
    .clk_i, .alu_i(eup_busy ? ALU_MUL : stream_alu), .x_i(eup_busy ? eup_x : stream_x),
    .y_i(eup_busy ? eup_y : stream_y), .z_i(stream_z), .condition_i(alu_condition), .byte_i(alu_byte),
    .product_o(product), .inject_i(inject), .result_o(alu_result));

  pico_eup eup (
    .clk_i, .rst_ni, .start_i(eup_start), .busy_o(eup_busy), .done_o(eup_done), .bits_i(bits), .vreg_o(eup_vreg),
    .vreg_i(x_vreg_word), .x_o(eup_x), .y_o(eup_y), .product_i(product), .inject_o(inject), .rounded_i(alu_result),
    .result_o(eup_result));

  logic        rows_vmem_we;
  logic [13:0] rows_vmem, rows_vmem_address;
  logic [31:0] rows_vmem_data;
  pico_rows rows (
    .clk_i, .rst_ni, .start_i(rows_start), .checking_i(rows_check), .busy_o(rows_busy), .done_o(rows_done),
    .trap_o(rows_trap), .detail_o(rows_detail), .stores_i(slot == SLOT_ST), .bits_i(bits), .base_i(a), .bound_i(b),
    .vreg_o(rows_vreg), .vreg_i(x_vreg_word), .mask_o(rows_mask), .mask_i(mask_a_bits), .vmem_o(rows_vmem),
    .vmem_i(vmem_word), .vmem_we_o(rows_vmem_we), .vmem_address_o(rows_vmem_address),
    .vmem_data_o(rows_vmem_data), .result_o(rows_result));

  logic        copy_mem_valid, copy_smem_we, copy_vmem_we, copy_flag_we;
  logic [11:0] copy_smem, copy_smem_address;
  logic [13:0] copy_vmem, copy_vmem_address;
  logic [31:0] copy_data, copy_flag_amount;
  logic [63:0] copy_mem_address, event_source, event_destination;
  logic [4:0]  copy_flag;
  pico_copy copy (
    .clk_i, .rst_ni, .check_i(copy_check), .move_i(copy_move), .checked_o(copy_checked), .moved_o(copy_moved),
    .trap_o(copy_trap), .busy_o(copy_busy), .cause_o(copy_cause), .detail_o(copy_detail), .bits_i(bits),
    .first_o(copy_first), .a_i(a), .b_i(b), .hbm_size_i(hbm_size), .text_i(text), .text_bundles_i(text_bundles),
    .mem_valid_o(copy_mem_valid), .mem_write_o, .mem_address_o(copy_mem_address), .mem_data_o, .mem_ready_i,
    .mem_data_i, .smem_o(copy_smem), .smem_address_o(copy_smem_address), .vmem_o(copy_vmem),
    .vmem_address_o(copy_vmem_address), .smem_i(smem_word), .vmem_i(vmem_word), .smem_we_o(copy_smem_we),
    .vmem_we_o(copy_vmem_we), .data_o(copy_data), .flag_we_o(copy_flag_we), .flag_o(copy_flag),
    .flag_amount_o(copy_flag_amount), .source_o(event_source), .destination_o(event_destination));
  assign mem_valid_o = fetch_valid || copy_mem_valid;
  assign mem_address_o = fetch_valid ? fetch_address : copy_mem_address;

  // ---- state: one unit works at a time -------------------------------------------------------------------------
  logic        vreg_we;
  logic [11:0] x_vreg, vreg_address;
  assign vreg_we = write_valid && write_file == FILE_V;
  assign vreg_address = {write_register, write_element};
  assign x_vreg = eup_busy ? eup_vreg : rows_busy ? rows_vreg : stream_x_vreg;
  pico_memory_two #(.WORDS(4096)) vregs (
    .clk_i, .x_i(x_vreg), .y_i(stream_y_vreg), .x_o(x_vreg_word), .y_o(y_vreg_word), .we_i(vreg_we),
    .write_i(vreg_address), .word_i(y_result_word));
  pico_memory #(.WORDS(4096)) accs (.clk_i, .read_i(stream_acc), .word_o(acc_word), .we_i(acc_we),
                                    .write_i(acc_address), .word_i(acc_data));

  always_comb begin
    result = sequencer_result;
    if (stream_busy) result = stream_result;
    if (rows_busy) result = rows_result;
    if (eup_busy) result = eup_result;
  end
  pico_memory_two #(.WORDS(512)) results (
    .clk_i, .x_i(stream_x_result), .y_i(stream_busy ? stream_y_result : commit), .x_o(x_result_word),
    .y_o(y_result_word), .we_i(result.we), .write_i(result.address), .word_i(result.data));

  pico_memory #(.WORDS(VMEM_WORDS)) vmem (
    .clk_i, .read_i(copy_busy ? copy_vmem : rows_vmem), .word_o(vmem_word), .we_i(copy_vmem_we || rows_vmem_we),
    .write_i(copy_busy ? copy_vmem_address : rows_vmem_address), .word_i(copy_busy ? copy_data : rows_vmem_data));
  pico_memory #(.WORDS(SMEM_WORDS)) smem (
    .clk_i, .read_i(copy_busy ? copy_smem : sequencer_smem), .word_o(smem_word),
    .we_i(copy_smem_we || sequencer_smem_we), .write_i(copy_busy ? copy_smem_address : sequencer_smem_write),
    .word_i(copy_busy ? copy_data : sequencer_smem_word));

  // Eight results of a mask make a row of it.
  logic [6:0] mask_bits_q;
  always_ff @(posedge clk_i) if (write_valid) mask_bits_q <= {y_result_word[0], mask_bits_q[6:1]};
  pico_files files (
    .clk_i, .rst_ni, .clear_i(clear), .place_i(clear_place[5:0]), .a_i(a_register), .b_i(b_register), .a_o(a_now),
    .b_o(b_now), .sreg_we_i(write_valid && write_file == FILE_S), .sreg_i(write_register[4:0]),
    .sreg_word_i(y_result_word), .pregs_o(pregs), .preg_we_i(write_valid && write_file == FILE_P),
    .preg_i(write_register[2:0]), .preg_bit_i(y_result_word[0]), .mask_a_i(rows_busy ? rows_mask : stream_mask),
    .mask_b_i(mask_b), .mask_a_o(mask_a_bits), .mask_b_o(mask_b_bits),
    .mreg_we_i(write_valid && write_file == FILE_M && write_element[2:0] == 3'd7),
    .mreg_i({write_register[2:0], write_element[5:3]}), .mreg_bits_i({y_result_word[0], mask_bits_q}),
    .flag_i(copy_flag_we ? copy_flag : flag_index[4:0]), .flag_o(flag), .flag_we_i(copy_flag_we || flag_we),
    .flag_adds_i(copy_flag_we || flag_adds), .flag_amount_i(copy_flag_we ? copy_flag_amount : n),
    .weight_i(weight), .weight_o(weight_word), .weight_we_i(weight_we), .swap_i(swap),
    .filling_i(weight_address), .filling_word_i(weight_data));
endmodule
