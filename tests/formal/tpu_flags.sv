  // A wait holds exactly while its flag is below the requested value, and a flag is the sum of what
  // was set or added, by instructions and by copies that completed or came, in its turn: any one
  // flag is counted here once more.
  (* anyconst *) logic [tpu_pkg::FLAG_W-1:0] f_which;
  logic [31:0] f_flag_q, f_flag;
  wire  f_here = fire_i && (flag_i == f_which);
  wire  f_add = f_here && (slot_i[7:0] == tpu_pkg::OP_FADD);
  wire  f_set = f_here && (slot_i[7:0] == tpu_pkg::OP_FSET);
  wire  f_copy = done_i && (done_flag_i == f_which);
  wire  f_copy_here = done_i && (done_here_flag_i == f_which);
  wire  f_arrival = arrive_i && (arrive_flag_i == f_which);
  wire signed [31:0] f_distance = f_flag_q - n_i;
  // Sums in the order of the module's: the solver knows no law of addition.
  wire [31:0] f_before = f_set ? 32'd0 : f_flag_q;
  wire [31:0] f_of_slot = (f_add || f_set) ? n_i : 32'd0;
  wire [31:0] f_of_copy = f_copy ? done_amount_i : 32'd0;
  wire [31:0] f_of_copy_here = f_copy_here ? {24'd0, done_here_amount_i} : 32'd0;
  wire [31:0] f_of_arrival = f_arrival ? {16'd0, arrive_amount_i} : 32'd0;
  assign f_flag = (f_before + f_of_slot) + ((f_of_copy + f_of_copy_here) + f_of_arrival);
  always_ff @(posedge clk_i) f_flag_q <= (!rst_ni || clear_i) ? 32'd0 : f_flag;

  // The proof is divided by the event at the flag in a cycle: CASE selects it. A run of which the
  // flag is wrong is looked at until it is wrong first; in the cycles before, it is right.
  wire  f_right = flags_o[{f_which, 5'd0} +: 32] == f_flag_q;
  logic [3:0] f_case_q;
  always_ff @(posedge clk_i) f_case_q <= {f_add || f_set, f_copy, f_copy_here, f_arrival};
  (* anyseq *) logic f_last;
  logic f_over_q;
  always_ff @(posedge clk_i) f_over_q <= f_begun_q && f_last;

  always_comb
    if (f_begun_q) begin
      assume (!f_over_q && (f_last || f_right));
      if (f_last && (f_case_q == 4'(`CASE))) assert (f_right);
      if (f_right && (flag_i == f_which)) assert (wait_met_o == (f_distance >= 0));
    end
