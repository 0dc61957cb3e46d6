// Copies: checks a descriptor when its bundle is checked, and moves it, word by word, after that bundle's writes. A copy
// is complete before the next bundle, so none is ever in flight while a bundle is checked. docs/reference.md, section 5.
//
// check_i begins a check; checked_o is one cycle at its end, with trap_o. move_i begins to move what was checked last;
// moved_o is one cycle at its end. first_o: the scalar operand is that of the descriptor's address, else the offsets.
`default_nettype none

module pico_copy
  import tpu_pkg::*, pico_pkg::*;
(
  input  logic         clk_i, rst_ni,
  input  logic         check_i, move_i,
  output logic         checked_o, moved_o, trap_o, busy_o,
  output logic [7:0]   cause_o,
  output logic [31:0]  detail_o,
  input  logic [63:0]  bits_i,
  output logic         first_o,
  input  logic [31:0]  a_i, b_i,
  input  logic [63:0]  hbm_size_i, text_i,
  input  logic [31:0]  text_bundles_i,
  // Memory outside: held until ready
  output logic         mem_valid_o, mem_write_o,
  output logic [63:0]  mem_address_o,
  output logic [31:0]  mem_data_o,
  input  logic         mem_ready_i,
  input  logic [31:0]  mem_data_i,
  // Memories inside: a word one cycle after its address
  output logic [11:0]  smem_o, smem_address_o,
  output logic [13:0]  vmem_o, vmem_address_o,
  input  logic [31:0]  smem_i, vmem_i,
  output logic         smem_we_o, vmem_we_o,
  output logic [31:0]  data_o,
  // Sync flags
  output logic         flag_we_o,
  output logic [4:0]   flag_o,
  output logic [31:0]  flag_amount_o,
  // For who watches: what a copy does
  output logic [63:0]  source_o, destination_o
);
  typedef enum logic [3:0] {
    IDLE, ADDRESS, WORDS, OFFSETS, TERM, PRODUCT, BOX, READ, TAKE, WRITE, STRIDE, COUNT, FLAG, OTHER_FLAG
  } state_e;
  state_e state_q;

  // ---- the descriptor ------------------------------------------------------------------------------------------
  logic [31:0] words_q [16];  // for who watches, too
  logic [4:0]  read_q;        // the word that is asked for
  logic [3:0]  number, select;
  logic [31:0] address, word, selected;
  logic        aligned_word, count_word, word_wrong, chips;
  assign address = a_i + {23'b0, bits_i[31:27], 4'b0};
  assign number = 4'(read_q - 5'd1);
  assign word = smem_i;
  assign chips = words_q[0][0];  // version 1
  assign aligned_word = DESC_ALIGNED[number];
  assign count_word = DESC_NOT_NEGATIVE[number];
  always_comb begin
    word_wrong = (aligned_word && word[1:0] != 2'd0) || (count_word && word[31]);
    if (number == 4'd0)
      word_wrong = (word & DESC_ZERO_BITS) != 32'd0 || word[7:0] > 8'd1 || word[31:24] != 8'd0 || word[9:8] == 2'd3 ||
                   word[11:10] == 2'd3 || (word[0] && word[11:10] == 2'd2) || word[23:21] != 3'd0;
    if (number == 4'd1)
      word_wrong = chips ? word[15:0] == 16'd0 || word[23:21] != 3'd0 : word == 32'd0 || word[31];
  end
  assign selected = words_q[select];

  logic [63:0] source_q, destination_q;
  logic [31:0] length_q;
  logic [11:0] base_q;
  logic        nothing_q, word_is_there;
  assign word_is_there = state_q == WORDS && read_q != 5'd0;
  assign source_o = source_q;
  assign destination_o = destination_q;

  // ---- the bounding box: a product of a count and a stride, bit by bit -----------------------------------------
  logic               side_q;       // 0 source, 1 destination
  logic [1:0]         dimension_q;
  logic signed [65:0] low_q, high_q, term;
  logic [62:0]        product_q, addend_q;
  logic [30:0]        count_q;
  logic               stride_negative_q;
  logic [65:0]        size;
  logic [1:0]         space;
  logic               outside, hits_text;
  assign term = $signed({3'b0, product_q});
  assign space = side_q ? words_q[0][11:10] : words_q[0][9:8];
  assign size = space == MEMORY_HBM ? {2'b0, hbm_size_i} : space == MEMORY_VMEM ? 66'd65536 : 66'd16384;
  assign outside = low_q < 0 || high_q > $signed(size);
  assign hits_text = side_q && space == MEMORY_HBM && high_q > $signed({2'b0, text_i}) &&
                     low_q < $signed({2'b0, text_i} + {28'b0, text_bundles_i, 6'b0});

  // ---- moving: three nested loops around a run ------------------------------------------------------------------
  logic [63:0] read_at_q, write_at_q;            // of the next word
  logic [63:0] source_run_q [3], destination_run_q [3];  // where each dimension is
  logic [30:0] done_q [3];                       // steps of each dimension
  logic [31:0] left_q, data_q;
  logic [63:0] next_run;
  logic [1:0]  level_q;
  logic        stride_side_q, from_hbm, to_hbm, finished;
  assign from_hbm = words_q[0][9:8] == MEMORY_HBM;
  assign to_hbm = words_q[0][11:10] == MEMORY_HBM;
  assign finished = level_q == 2'd3;

  function automatic logic [3:0] count_at(input logic [1:0] dimension);
    count_at = dimension == 2'd0 ? DESC_INNER : dimension == 2'd1 ? DESC_MIDDLE : DESC_OUTER;
  endfunction

  // TERM reads the count, then the stride; so do COUNT and STRIDE.
  logic stride_next_q;
  always_comb begin
    unique case (state_q)
      TERM: select = count_at(dimension_q) + (stride_next_q ? 4'd1 + {3'b0, side_q} : 4'd0);
      STRIDE: select = count_at(level_q) + 4'd1 + {3'b0, stride_side_q};
      default: select = count_at(level_q);
    endcase
  end
  assign next_run = (stride_side_q ? destination_run_q[level_q] : source_run_q[level_q]) + {{32{selected[31]}}, selected};
  assign first_o = state_q == ADDRESS || state_q == IDLE;

  always_comb begin
    trap_o = 1'b0;
    cause_o = TRAP_BAD_DESCRIPTOR;
    detail_o = 32'd0;
    if (state_q == ADDRESS) begin
      trap_o = address >= SMEM_WORDS || address[3:0] != 4'd0;
      cause_o = address >= SMEM_WORDS ? TRAP_ADDRESS_RANGE : TRAP_BAD_DESCRIPTOR;
      detail_o = address >= SMEM_WORDS ? address : 32'd16;
    end else if (word_is_there) begin
      trap_o = word_wrong;
      detail_o = {28'b0, number};
    end else if (state_q == BOX) begin
      trap_o = outside || hits_text;
      cause_o = TRAP_ADDRESS_RANGE;
      detail_o = !outside ? 32'd5 : side_q ? 32'd4 : 32'd2;
    end
  end
  assign checked_o = trap_o || (state_q == OFFSETS && nothing_q) || (state_q == BOX && side_q);
  assign moved_o = (state_q == FLAG && !chips) || state_q == OTHER_FLAG;
  assign busy_o = state_q != IDLE;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) state_q <= IDLE;
    else
      unique case (state_q)
        ADDRESS: begin
          base_q <= address[11:0];
          {read_q, nothing_q} <= '0;
          state_q <= trap_o ? IDLE : WORDS;
        end
        WORDS: begin
          read_q <= read_q + 5'd1;
          if (word_is_there) begin
            words_q[number] <= word;
            unique case (number)
              DESC_SOURCE: source_q[31:0] <= word;
              DESC_SOURCE_HIGH: source_q[63:32] <= word;
              DESC_TARGET: destination_q[31:0] <= word;
              DESC_TARGET_HIGH: destination_q[63:32] <= word;
              DESC_LENGTH: length_q <= word;
              default: ;
            endcase
            if (count_word && word == 32'd0) nothing_q <= 1'b1;
            if (trap_o) state_q <= IDLE;
            else if (number == 4'd15) state_q <= OFFSETS;
          end
        end
        OFFSETS: begin
          source_q <= source_q + {30'b0, a_i, 2'b0};
          destination_q <= destination_q + {30'b0, b_i, 2'b0};
          {side_q, dimension_q, stride_next_q} <= '0;
          low_q <= {2'b0, source_q + {30'b0, a_i, 2'b0}};
          high_q <= {2'b0, source_q + {30'b0, a_i, 2'b0}} + {34'b0, length_q};
          state_q <= nothing_q ? IDLE : TERM;
        end
        TERM: begin  // the count, then the stride
          stride_next_q <= !stride_next_q;
          if (!stride_next_q) count_q <= selected[30:0] - 31'd1;
          else begin
            stride_negative_q <= selected[31];
            addend_q <= {31'b0, selected[31] ? -selected : selected};
            product_q <= 63'd0;
            state_q <= PRODUCT;
          end
        end
        PRODUCT: begin
          if (count_q[0]) product_q <= product_q + addend_q;
          addend_q <= addend_q << 1;
          count_q <= count_q >> 1;
          if (count_q == 31'd0) begin
            if (stride_negative_q) low_q <= low_q - term;
            else high_q <= high_q + term;
            dimension_q <= dimension_q + 2'd1;
            state_q <= dimension_q == 2'd2 ? BOX : TERM;
          end
        end
        BOX: begin
          side_q <= 1'b1;
          dimension_q <= 2'd0;
          low_q <= {2'b0, destination_q};
          high_q <= {2'b0, destination_q} + {34'b0, length_q};
          state_q <= checked_o ? IDLE : TERM;
        end
        READ: if (!from_hbm || mem_ready_i) begin
          data_q <= mem_data_i;
          state_q <= from_hbm ? WRITE : TAKE;
        end
        TAKE: begin
          data_q <= words_q[0][9:8] == MEMORY_VMEM ? vmem_i : smem_i;
          state_q <= WRITE;
        end
        WRITE: if (!to_hbm || mem_ready_i) begin
          read_at_q <= read_at_q + 64'd4;
          write_at_q <= write_at_q + 64'd4;
          left_q <= left_q - 32'd4;
          level_q <= 2'd0;
          state_q <= left_q == 32'd4 ? COUNT : READ;
        end
        COUNT: begin  // does this dimension go on?
          stride_side_q <= 1'b0;
          if (finished) state_q <= FLAG;
          else if ({1'b0, done_q[level_q]} + 32'd1 == selected) begin
            done_q[level_q] <= 31'd0;
            level_q <= level_q + 2'd1;
          end else begin
            done_q[level_q] <= done_q[level_q] + 31'd1;
            state_q <= STRIDE;
          end
        end
        STRIDE: begin  // to the next run: the source, then the destination
          stride_side_q <= 1'b1;
          left_q <= length_q;
          if (stride_side_q) write_at_q <= next_run;
          else read_at_q <= next_run;
          for (int unsigned i = 0; i < 3; ++i)
            if (i <= 32'(level_q)) begin
              if (stride_side_q) destination_run_q[i] <= next_run;
              else source_run_q[i] <= next_run;
            end
          if (stride_side_q) state_q <= READ;
        end
        FLAG: state_q <= chips ? OTHER_FLAG : IDLE;
        OTHER_FLAG: state_q <= IDLE;
        default: begin
          level_q <= 2'd0;
          left_q <= length_q;
          read_at_q <= source_q;
          write_at_q <= destination_q;
          for (int unsigned i = 0; i < 3; ++i) begin
            source_run_q[i] <= source_q;
            destination_run_q[i] <= destination_q;
            done_q[i] <= 31'd0;
          end
          if (check_i) state_q <= ADDRESS;
          else if (move_i) state_q <= nothing_q ? FLAG : READ;
        end
      endcase
  end

  assign mem_valid_o = (state_q == READ && from_hbm) || (state_q == WRITE && to_hbm);
  assign mem_write_o = state_q == WRITE;
  assign mem_address_o = state_q == WRITE ? write_at_q : read_at_q;
  assign mem_data_o = data_q;
  assign smem_o = state_q == WORDS ? base_q + {7'b0, read_q} : read_at_q[13:2];
  assign vmem_o = read_at_q[15:2];
  assign smem_address_o = write_at_q[13:2];
  assign vmem_address_o = write_at_q[15:2];
  assign smem_we_o = state_q == WRITE && words_q[0][11:10] == MEMORY_SMEM;
  assign vmem_we_o = state_q == WRITE && words_q[0][11:10] == MEMORY_VMEM;
  assign data_o = data_q;
  assign flag_we_o = state_q == FLAG || state_q == OTHER_FLAG;
  assign flag_o = state_q == FLAG ? words_q[0][20:16] : words_q[1][20:16];
  assign flag_amount_o = !chips ? words_q[1] : state_q == FLAG ? {16'b0, words_q[1][15:0]} : {24'b0, words_q[1][31:24]};
endmodule
