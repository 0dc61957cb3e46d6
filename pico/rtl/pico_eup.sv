// exp2, log2, rcp, rsqrt and tanh of the 64 elements of a register, one after the other: the table, three or four
// products by the multiplier of the arithmetic unit, and its rounding. docs/numerics.md, "EUP", has the rules and the
// names.
//
// start_i begins; done_o is one cycle at the end.
`default_nettype none

module pico_eup
  import tpu_pkg::*, pico_pkg::*;
(
  input  logic          clk_i, rst_ni,
  input  logic          start_i,
  output logic          busy_o, done_o,
  input  logic [63:0]   bits_i,
  output logic [11:0]   vreg_o,  // the word comes one cycle later
  input  logic [31:0]   vreg_i,
  output logic [31:0]   x_o, y_o,     // of the multiplier
  input  logic [63:0]   product_i,    // three cycles later
  output round_t        inject_o,
  input  logic [31:0]   rounded_i,    // three cycles later
  output result_write_t result_o
);
  typedef enum logic [3:0] {
    IDLE, READ, TAKE, CLASSIFY, LOOKUP, SQUARE, SECOND, FIRST, SUM, FINAL, PACK, WRITE
  } state_e;
  localparam logic [1:0] LAST_WAIT = 2'd3;

  state_e      state_q;
  logic [1:0]  wait_q;
  logic [5:0]  element_q;
  logic [31:0] a_q;
  logic        waited;
  assign waited = wait_q == LAST_WAIT;
  assign busy_o = state_q != IDLE;
  assign done_o = state_q == WRITE && element_q == 6'd63;
  assign vreg_o = {bits_i[23:18], element_q};

  // ---- the input: special cases, segment and position in it ------------------------------------------------------
  logic [7:0]         exponent, n, rsqrt_h;
  logic [34:0]        fixed;
  logic signed [35:0] x;
  logic               special, one_and_half, odd;
  logic [31:0]        value;
  logic [23:0]        v;
  logic [24:0]        log2_x;
  logic [2:0]         table_number;
  logic [7:0]         index;
  logic [19:0]        dx;
  logic signed [11:0] round_exponent;
  assign exponent = a_q[30:23];
  assign n = exponent - 8'd123;
  assign fixed = !n[7] ? {11'b0, 24'(significand(a_q))} << n[3:0]
                       : n < 8'd225 ? 35'd0 : {11'b0, 24'(significand(a_q))} >> 5'(-n);
  assign x = a_q[31] ? -$signed({1'b0, fixed}) : $signed({1'b0, fixed});
  assign one_and_half = a_q[22];
  assign log2_x = one_and_half ? {2'b0, a_q[22:0]} - 25'h800000 : {1'b0, a_q[22:0], 1'b0};
  assign v = 24'(log2_x) + 24'h400000;
  assign odd = !a_q[23];
  assign rsqrt_h = 8'($signed({1'b0, exponent} - 9'd127 - {8'b0, odd}) >>> 1);

  always_comb begin
    special = 1'b1;
    value = NAN;
    table_number = 3'd0;
    index = {1'b0, x[26:20]};
    dx = x[19:0];
    round_exponent = 12'(x[35:27]) + 12'sd162;
    unique case (bits_i[7:0])
      OP_EXP2: begin
        round_exponent = 12'($signed(x[35:27])) + 12'sd162;
        if (is_nan(a_q)) value = NAN;
        else if (exponent >= 8'd135) value = a_q[31] ? 32'd0 : {1'b0, INF};
        else special = 1'b0;
      end
      OP_LOG2: begin
        table_number = 3'd1;
        index = {1'b0, v[23:17]};
        dx = {v[16:0], 3'b0};
        round_exponent = 12'sd138;
        if (is_nan(a_q)) value = NAN;
        else if (exponent == 8'd0) value = {1'b1, INF};
        else if (a_q[31]) value = NAN;
        else if (is_inf(a_q)) value = {1'b0, INF};
        else special = 1'b0;
      end
      OP_RCP: begin
        table_number = 3'd2;
        index = {1'b0, a_q[22:16]};
        dx = {a_q[15:0], 4'b0};
        round_exponent = 12'sd288 - 12'({4'b0, exponent});
        if (is_nan(a_q)) value = NAN;
        else if (exponent == 8'd0) value = {a_q[31], INF};
        else if (is_inf(a_q)) value = {a_q[31], 31'b0};
        else special = 1'b0;
      end
      OP_RSQRT: begin
        table_number = 3'd3;
        index = {odd, a_q[22:16]};
        dx = {a_q[15:0], 4'b0};
        round_exponent = 12'sd161 - 12'($signed(rsqrt_h));
        if (is_nan(a_q)) value = NAN;
        else if (exponent == 8'd0) value = {a_q[31], INF};
        else if (a_q[31]) value = NAN;
        else if (is_inf(a_q)) value = 32'd0;
        else special = 1'b0;
      end
      default: begin  // tanh
        if (is_nan(a_q)) value = NAN;
        else if (exponent >= 8'd131) value = {a_q[31], 31'h3f800000};
        else special = 1'b0;
        if (exponent >= 8'd127) begin
          table_number = 3'd5;
          index = {2'(exponent - 8'd127), a_q[22:17]};
          dx = {a_q[16:0], 3'b0};
          round_exponent = 12'sd162;
        end else begin
          table_number = 3'd4;
          index = {1'b0, fixed[26:20]};
          dx = fixed[19:0];
          round_exponent = 12'({4'b0, exponent}) + 12'sd12;
        end
      end
    endcase
  end

  // ---- the table: two cycles -----------------------------------------------------------------------------------
  logic [2:0]  table_q;
  logic [7:0]  index_q;
  logic [19:0] dx_q;
  logic [29:0] c0;
  logic [23:0] c1;
  logic [16:0] c2;
  pico_eup_tables tables (.clk_i(clk_i), .table_i(table_q), .index_i(index_q), .c0_o(c0), .c1_o(c1), .c2_o(c2));

  // ---- products -------------------------------------------------------------------------------------------------
  logic [15:0]        square_q;
  logic signed [51:0] b_q, c_q;
  logic [29:0]        p_q, p;
  logic               scaled;  // the segment's value is a factor of the result
  logic [23:0]        c1_magnitude;
  logic [16:0]        c2_magnitude;
  logic [24:0]        x_magnitude;
  assign c1_magnitude = c1[23] ? -c1 : c1;
  assign c2_magnitude = c2[16] ? -c2 : c2;
  assign x_magnitude = log2_x[24] ? -log2_x : log2_x;
  assign p = 30'(($signed({2'b0, c0, 20'b0}) + b_q + c_q) >>> 20);
  assign scaled = bits_i[7:0] == OP_LOG2 || (bits_i[7:0] == OP_TANH && exponent < 8'd127);
  always_comb begin
    unique case (state_q)
      SQUARE: {x_o, y_o} = {16'b0, dx_q[19:4], 16'b0, dx_q[19:4]};
      SECOND: {x_o, y_o} = {15'b0, c2_magnitude, 16'b0, square_q};
      FIRST: {x_o, y_o} = {8'b0, c1_magnitude, 12'b0, dx_q};
      default: {x_o, y_o} = {bits_i[7:0] == OP_LOG2 ? {7'b0, x_magnitude} : significand(a_q), 2'b0, p_q};
    endcase
  end

  logic signed [63:0] log2_sum, log2_product;
  logic signed [8:0]  log2_k;
  assign log2_k = $signed({1'b0, exponent} - 9'd127 + {8'b0, one_and_half});
  assign log2_product = log2_x[24] ? -$signed(product_i) : $signed(product_i);
  assign log2_sum = ($signed({{55{log2_k[8]}}, log2_k}) <<< 52) + log2_product;

  logic [63:0] magnitude_q;
  logic        negative_q;
  assign inject_o = '{valid: state_q == PACK, negative: negative_q, exponent: round_exponent, magnitude: magnitude_q};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) state_q <= IDLE;
    else begin
      wait_q <= waited || state_q < SQUARE ? 2'd0 : wait_q + 2'd1;
      unique case (state_q)
        READ: state_q <= TAKE;
        TAKE: begin
          a_q <= vreg_i;
          state_q <= CLASSIFY;
        end
        CLASSIFY: begin
          {table_q, index_q, dx_q} <= {table_number, index, dx};
          state_q <= special ? WRITE : LOOKUP;
        end
        LOOKUP: state_q <= SQUARE;
        SQUARE: if (waited) begin
          square_q <= product_i[31:16];
          state_q <= SECOND;
        end
        SECOND: if (waited) begin
          c_q <= (c2[16] ? -$signed({19'b0, product_i[32:0]}) : $signed({19'b0, product_i[32:0]})) <<< 4;
          state_q <= FIRST;
        end
        FIRST: if (waited) begin
          b_q <= c1[23] ? -$signed(product_i[51:0]) : $signed(product_i[51:0]);
          state_q <= SUM;
        end
        SUM: begin
          p_q <= p;
          magnitude_q <= {34'b0, p};
          negative_q <= a_q[31] && bits_i[7:0] != OP_EXP2;
          wait_q <= 2'd0;
          state_q <= scaled ? FINAL : PACK;
        end
        FINAL: if (waited) begin
          magnitude_q <= bits_i[7:0] != OP_LOG2 ? product_i : log2_sum[63] ? -log2_sum : log2_sum;
          negative_q <= bits_i[7:0] == OP_LOG2 ? log2_sum[63] : a_q[31];
          state_q <= PACK;
        end
        PACK: if (waited) state_q <= WRITE;
        WRITE: begin
          element_q <= element_q + 6'd1;
          state_q <= done_o ? IDLE : READ;
        end
        default: begin
          element_q <= 6'd0;
          if (start_i) state_q <= READ;
        end
      endcase
    end
  end
  assign result_o = '{we: state_q == WRITE, address: {SLOT_XU[2:0], element_q}, data: special ? value : rounded_i};
endmodule
