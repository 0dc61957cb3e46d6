// What happens when: pico executes one bundle after the other, and of a bundle one slot after the other.
//
//   fetch    16 words from memory
//   decode   each slot: is it legal, which register does it write, is it enabled
//   check    each slot with operands: does it trap
//   execute  each slot reads the state before the bundle; what it writes to registers waits in the results
//   commit   results to registers, slot by slot
//   copy     a copy moves its words
//
// Stores, accumulators, weights and SMEM are written during `execute`: no later slot of the bundle reads them. The
// units have start and done; a unit with more than one cycle of work is started once for its slot and waited for. Only
// slots that are enabled take part; each takes two cycles until its bits and its scalars are there.
`default_nettype none

module pico_sequencer
  import tpu_pkg::*, pico_pkg::*;
(
  input  logic          clk_i, rst_ni,
  // Host
  input  logic          start_i, stop_i,
  input  logic [63:0]   text_i, arguments_i,
  input  logic [31:0]   text_bundles_i, entry_i, argument_words_i,
  output logic          running_o, ended_o, halted_o,
  output trap_t         trap_o,
  output logic [31:0]   pc_o,
  // Memory outside
  output logic          mem_valid_o,
  output logic [63:0]   mem_address_o,
  input  logic          mem_ready_i,
  input  logic [31:0]   mem_data_i,
  // The slot at work, and what its bits say
  output logic [3:0]    slot_o,
  output logic [63:0]   bits_o,
  input  file_e         file_i,
  input  logic [5:0]    register_i,
  input  logic          illegal_i, enabled_i,
  input  logic [31:0]   a_i, b_i, y_i, smem_address_i, place_i, flag_index_i, n_i,
  // Units
  output logic          stream_start_o, rows_start_o, rows_check_o, eup_start_o, copy_check_o, copy_move_o,
  input  logic          stream_done_i, rows_done_i, rows_trap_i, eup_done_i, copy_checked_i, copy_moved_i, copy_trap_i,
  input  logic [31:0]   rows_detail_i, copy_detail_i,
  input  logic [7:0]    copy_cause_i,
  // State
  output logic          clear_o,
  output logic [11:0]   clear_place_o,
  output logic [11:0]   smem_o, smem_write_o,
  output logic          smem_we_o,
  output logic [31:0]   smem_word_o,
  input  logic [31:0]   smem_i, csr_i, flag_i,
  output logic          flag_we_o, flag_adds_o,
  output result_write_t result_o,
  output logic [8:0]    commit_o,        // the result that is asked for; its word comes one cycle later
  output logic          write_valid_o,   // a word of a register is written
  output file_e         write_file_o,
  output logic [5:0]    write_register_o, write_element_o,
  // For who watches
  output logic          issue_o,
  output logic [31:0]   sequence_o, next_pc_o,
  output logic [8:0]    enabled_o,
  output logic          smem_event_o
);
  typedef enum logic [3:0] {
    STOPPED, CLEAR, ARGUMENTS, ENTRY, FETCH, DECODE, CHECK, ISSUE, EXECUTE, COMMIT, COPY, NEXT, IDLING, END
  } state_e;
  localparam logic [8:0] CHECKED = 9'b1_0111_0010;  // slots whose instructions may trap, beside sa
  localparam logic [1:0] SETTLE = 2'd2;

  state_e      state_q;
  logic [3:0]  next_slot_q, slot_q;  // the slot that is read; that of bits_q
  logic [8:0]  todo_q;               // slots of this phase that come after
  logic [1:0]  settle_q;             // cycles until the slot's bits and scalars are there
  logic        started_q;            // the unit of this slot
  logic [11:0] count_q;
  logic [31:0] pc_q, next_pc_q, sequence_q, idle_q;
  logic [8:0]  enabled_q;
  logic        halt_q, stop_q, copy_q;
  trap_t       trap_q;

  // ---- the bundle ----------------------------------------------------------------------------------------------
  logic [31:0] even_q [8];  // words 0, 2, 4 ... and 1, 3, 5 ...
  logic [31:0] odd_q [8];
  logic [63:0] bits_q;
  logic        got, there;
  logic [2:0]  pair;
  assign got = state_q == FETCH && mem_ready_i;
  assign there = settle_q == 2'd0;
  assign pair = next_slot_q[3] ? 3'd7 : next_slot_q[2:0];
  always_ff @(posedge clk_i) if (got && !count_q[0]) even_q[count_q[3:1]] <= mem_data_i;
  always_ff @(posedge clk_i) if (got && count_q[0]) odd_q[count_q[3:1]] <= mem_data_i;
  always_ff @(posedge clk_i) begin
    slot_q <= next_slot_q;
    unique case (next_slot_q)
      SLOT_XU: bits_q <= {32'b0, even_q[pair]};
      SLOT_DMA: bits_q <= {32'b0, odd_q[pair]};
      default: bits_q <= {odd_q[pair], even_q[pair]};
    endcase
  end
  assign bits_o = bits_q;
  assign slot_o = slot_q;

  logic [7:0] opcode;
  logic       on;
  logic [8:0] writers_q;  // slots that write a register
  assign opcode = bits_o[7:0];
  assign on = enabled_q[slot_q] && there;

  function automatic logic [3:0] first_of(input logic [8:0] slots);
    first_of = 4'd0;
    for (int i = 8; i >= 0; --i) if (slots[i]) first_of = 4'(i);
  endfunction

  // ---- write conflicts -------------------------------------------------------------------------------------------
  logic [8:0] destinations_q [8];  // file and register of each slot before this one
  logic [8:0] destination, conflict_q;
  logic       discarded, conflicts, conflict_found_q;
  logic [3:0] conflict_slot_q;
  assign discarded = file_i == FILE_NONE || (file_i != FILE_V && register_i == 6'd0);
  assign destination = {file_i, register_i};
  always_comb begin
    conflicts = 1'b0;
    for (int unsigned i = 0; i < 8; ++i)
      if (i < 32'(slot_q) && destinations_q[i] == destination && !discarded) conflicts = 1'b1;
  end

  // ---- what a slot's check says ------------------------------------------------------------------------------------
  logic [31:0] next_pc;
  logic        taken, slot_checked, copies, has_rows, satisfied;
  trap_t       check;
  assign taken = on && (opcode == OP_BR || opcode == OP_CALL || opcode == OP_JUMP || opcode == OP_RET);
  assign next_pc = !taken ? pc_q + 32'd1 : opcode == OP_BR || opcode == OP_CALL ? bits_o[63:32] : a_i;
  assign copies = slot_q == SLOT_DMA && opcode == OP_COPY;
  assign has_rows = slot_q == SLOT_LD || slot_q == SLOT_ST;
  assign satisfied = !(32'(flag_i - n_i) >> 31 == 32'd1);

  always_comb begin
    check = '{cause: TRAP_NONE, slot: slot_q, detail: 32'd0};
    slot_checked = 1'b1;
    unique case (slot_q)
      SLOT_SA:
        if (on && opcode == OP_TRAP) {check.cause, check.detail} = {TRAP_EXPLICIT_TRAP, bits_o[63:32]};
        else if (!(on && opcode == OP_HALT) && next_pc >= text_bundles_i)
          {check.cause, check.detail} = {TRAP_JUMP_RANGE, next_pc};
      SLOT_SB:
        if (on && (opcode == OP_SLD || opcode == OP_SST || opcode == OP_SSTI) && smem_address_i >= SMEM_WORDS)
          {check.cause, check.detail} = {TRAP_ADDRESS_RANGE, smem_address_i};
      SLOT_LD, SLOT_ST: begin
        slot_checked = rows_done_i;
        if (on && rows_trap_i) {check.cause, check.detail} = {TRAP_ADDRESS_RANGE, rows_detail_i};
      end
      SLOT_MX:
        if (on && (opcode == OP_MXPUSH || opcode == OP_MXPUSHT)) begin
          if (place_i >= LANES || place_i[2:0] != 3'd0) {check.cause, check.detail} = {TRAP_ADDRESS_RANGE, place_i};
        end else if (on && place_i >= ACCS) {check.cause, check.detail} = {TRAP_ADDRESS_RANGE, place_i};
      SLOT_DMA:
        if (on && copies) begin
          slot_checked = copy_checked_i;
          if (copy_trap_i) {check.cause, check.detail} = {copy_cause_i, copy_detail_i};
        end else if (on && flag_index_i >= FLAGS) {check.cause, check.detail} = {TRAP_ADDRESS_RANGE, flag_index_i};
        else if (on && opcode == OP_WAIT && !satisfied) {check.cause, check.detail} = {TRAP_DEADLOCK, flag_index_i};
      default: ;
    endcase
  end

  // ---- execution: which unit has the slot ---------------------------------------------------------------------------
  logic streams, transcends, loads_smem, slot_done, alone;
  assign transcends = slot_q == SLOT_XU && opcode <= OP_TANH;
  assign loads_smem = slot_q == SLOT_SB && opcode == OP_SLD;
  always_comb begin
    unique case (slot_q)
      SLOT_SA, SLOT_SB: streams = opcode < OP_BR;
      SLOT_VA, SLOT_VB, SLOT_MX: streams = 1'b1;
      SLOT_XU: streams = !transcends;
      default: streams = 1'b0;
    endcase
    if (streams) slot_done = stream_done_i;
    else if (has_rows) slot_done = rows_done_i;
    else if (transcends) slot_done = eup_done_i;
    else slot_done = !loads_smem || started_q;
  end
  assign alone = state_q == EXECUTE && on && !started_q;
  assign stream_start_o = alone && streams;
  assign eup_start_o = alone && transcends;
  assign rows_start_o = on && has_rows && !started_q && (state_q == CHECK || state_q == EXECUTE);
  assign rows_check_o = state_q == CHECK;
  assign copy_check_o = state_q == CHECK && on && copies && !started_q;
  assign copy_move_o = state_q == COPY && !started_q;

  // Results, SMEM and flags of the slots that need no unit
  always_comb begin
    result_o = '{we: 1'b0, address: {slot_q[2:0], 6'd0}, data: pc_q + 32'd1};
    if (slot_q == SLOT_SA) result_o.we = state_q == EXECUTE && on && opcode == OP_CALL;
    else if (slot_q == SLOT_SB) begin
      result_o.we = state_q == EXECUTE && on && (opcode == OP_CSR || (loads_smem && started_q));
      result_o.data = loads_smem ? smem_i : csr_i;
    end
  end
  assign smem_event_o = state_q == EXECUTE && on && slot_q == SLOT_SB && (opcode == OP_SST || opcode == OP_SSTI);
  assign smem_o = smem_address_i[11:0];
  assign smem_write_o = state_q == CLEAR || state_q == ARGUMENTS ? count_q : smem_address_i[11:0];
  assign smem_we_o = state_q == CLEAR || (state_q == ARGUMENTS && mem_ready_i) || smem_event_o;
  always_comb begin
    unique case (state_q)
      CLEAR: smem_word_o = 32'd0;
      ARGUMENTS: smem_word_o = mem_data_i;
      default: smem_word_o = opcode == OP_SSTI ? bits_o[63:32] : b_i;
    endcase
  end
  assign flag_adds_o = opcode == OP_FADD;
  assign flag_we_o = state_q == EXECUTE && on && slot_q == SLOT_DMA && (flag_adds_o || opcode == OP_FSET);

  // ---- commit: a result is asked for, and written one cycle later ------------------------------------------------------
  logic       whole_register, asked_q;
  logic [5:0] element_q;
  assign whole_register = file_i == FILE_V || file_i == FILE_M;
  assign commit_o = {slot_q[2:0], count_q[5:0]};
  assign write_valid_o = state_q == COMMIT && asked_q;
  assign write_file_o = file_i;
  assign write_register_o = register_i;
  assign write_element_o = element_q;
  logic       commit_last;
  logic [8:0] to_commit;
  assign commit_last = write_valid_o && (!whole_register || element_q == 6'd63);
  assign to_commit = enabled_q & writers_q & ~(9'd1 << SLOT_DMA);

  // ---- memory outside ----------------------------------------------------------------------------------------------
  assign mem_valid_o = state_q == FETCH || state_q == ARGUMENTS;
  assign mem_address_o = state_q == FETCH ? text_i + {26'b0, pc_q, count_q[3:0], 2'b0}
                                          : arguments_i + {50'b0, count_q, 2'b0};

  assign clear_o = state_q == CLEAR;
  assign clear_place_o = count_q;
  assign running_o = state_q != STOPPED;
  assign ended_o = state_q == END;
  assign halted_o = halt_q && trap_q.cause == TRAP_NONE;
  assign trap_o = trap_q;
  assign pc_o = pc_q;
  assign issue_o = state_q == ISSUE;
  assign sequence_o = sequence_q;
  assign next_pc_o = trap_q.cause == TRAP_NONE ? next_pc_q : pc_q;
  assign enabled_o = enabled_q;

  logic has_arguments;
  assign has_arguments = argument_words_i != 32'd0 && argument_words_i <= SMEM_WORDS;

  // A phase is over when its last slot is done.
  logic [8:0] enabled, after;
  assign enabled = {enabled_i, enabled_q[7:0]};  // at the end of DECODE
  assign after = todo_q & ~(9'd1 << first_of(todo_q));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= STOPPED;
      {stop_q, started_q, settle_q, todo_q, next_slot_q} <= '0;
    end else begin
      if (stop_i) stop_q <= 1'b1;
      if (!there) settle_q <= settle_q - 2'd1;
      unique case (state_q)
        CLEAR: begin
          count_q <= count_q + 12'd1;
          if (count_q == 12'hfff) state_q <= has_arguments ? ARGUMENTS : ENTRY;
        end
        ARGUMENTS: if (mem_ready_i) begin
          count_q <= count_q + 12'd1;
          if ({20'b0, count_q} + 32'd1 == argument_words_i) state_q <= ENTRY;
        end
        ENTRY: begin
          pc_q <= entry_i;
          sequence_q <= 32'd0;
          {count_q, conflict_found_q, halt_q} <= '0;
          trap_q <= '0;
          state_q <= FETCH;
          if (entry_i >= text_bundles_i) begin
            trap_q <= '{cause: TRAP_JUMP_RANGE, slot: SLOT_SA, detail: entry_i};
            state_q <= END;
          end
        end
        FETCH: if (mem_ready_i) begin
          count_q <= count_q + 12'd1;
          next_slot_q <= 4'd0;
          settle_q <= 2'd1;
          if (count_q == 12'd15) state_q <= DECODE;
        end
        DECODE: begin  // a slot each cycle
          next_slot_q <= next_slot_q + 4'd1;
          if (there) begin
            enabled_q[slot_q] <= enabled_i;
            writers_q[slot_q] <= !discarded;
            destinations_q[slot_q[2:0]] <= destination;
            if (illegal_i && trap_q.cause == TRAP_NONE)
              trap_q <= '{cause: TRAP_ILLEGAL_ENCODING, slot: slot_q, detail: 32'd0};
            if (conflicts && (!conflict_found_q || destination < conflict_q)) begin
              conflict_found_q <= 1'b1;
              {conflict_q, conflict_slot_q} <= {destination, slot_q};
            end
            if (slot_q == SLOT_DMA) begin
              next_slot_q <= 4'd0;
              settle_q <= SETTLE;
              todo_q <= enabled & CHECKED;
              state_q <= trap_q.cause != TRAP_NONE || illegal_i ? ISSUE : CHECK;
              if (conflict_found_q && trap_q.cause == TRAP_NONE && !illegal_i) begin
                trap_q <= '{cause: TRAP_WRITE_CONFLICT, slot: conflict_slot_q,
                            detail: {21'b0, conflict_q[8:6], 2'b0, conflict_q[5:0]}};
                state_q <= ISSUE;
              end
            end
          end
        end
        CHECK: if (there) begin
          if (slot_q == SLOT_SA) begin
            next_pc_q <= next_pc;
            halt_q <= on && opcode == OP_HALT;
            idle_q <= on && opcode == OP_IDLE ? y_i : 32'd0;
          end
          started_q <= !slot_checked;
          if (slot_checked) begin
            next_slot_q <= first_of(todo_q);
            settle_q <= SETTLE;
            todo_q <= after;
            if (todo_q == 9'd0) state_q <= ISSUE;
            if (check.cause != TRAP_NONE) begin
              trap_q <= check;
              state_q <= ISSUE;
            end
          end
        end
        ISSUE: begin
          count_q <= 12'd0;
          copy_q <= enabled_q[SLOT_DMA] && slot_q == SLOT_DMA && copies;
          sequence_q <= sequence_q + 32'd1;
          next_slot_q <= first_of(enabled_q);
          settle_q <= SETTLE;
          todo_q <= enabled_q & ~(9'd1 << first_of(enabled_q));
          state_q <= trap_q.cause != TRAP_NONE ? END : enabled_q == 9'd0 ? NEXT : EXECUTE;
        end
        EXECUTE: if (there) begin
          started_q <= !slot_done;
          if (slot_done) begin
            next_slot_q <= first_of(todo_q);
            settle_q <= SETTLE;
            todo_q <= after;
            if (todo_q == 9'd0) begin
              next_slot_q <= first_of(to_commit);
              todo_q <= to_commit & ~(9'd1 << first_of(to_commit));
              state_q <= to_commit == 9'd0 ? (copy_q ? COPY : NEXT) : COMMIT;
            end
          end
        end
        COMMIT: if (there) begin
          asked_q <= !commit_last;
          element_q <= count_q[5:0];
          count_q <= count_q + 12'd1;
          if (commit_last) begin
            count_q <= 12'd0;
            next_slot_q <= first_of(todo_q);
            settle_q <= SETTLE;
            todo_q <= after;
            if (todo_q == 9'd0) state_q <= copy_q ? COPY : NEXT;
          end
        end
        COPY: begin
          started_q <= !copy_moved_i;
          if (copy_moved_i) state_q <= NEXT;
        end
        NEXT: begin
          {count_q, conflict_found_q} <= '0;
          if (!halt_q) pc_q <= next_pc_q;
          stop_q <= 1'b0;
          state_q <= halt_q || stop_q ? END : idle_q != 32'd0 ? IDLING : FETCH;
        end
        IDLING: begin
          idle_q <= idle_q - 32'd1;
          if (idle_q == 32'd1) state_q <= FETCH;
        end
        END: state_q <= STOPPED;
        default: begin
          {count_q, stop_q, asked_q, started_q} <= '0;
          if (start_i) state_q <= CLEAR;
        end
      endcase
    end
  end
endmodule
