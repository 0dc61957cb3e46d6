  // A wait holds exactly while its flag is below what it asks for, and a flag is what was set or added,
  // by instructions and by copies that completed or came, in its turn: any one flag is counted here once more.
  (* anyconst *) logic [tpu_pkg::FLAG_W-1:0] f_which;
  logic [31:0] f_flag_q, f_flag;
  wire  f_here = fire_i && (flag_i == f_which);
  wire  f_add = f_here && (slot_i[7:0] == tpu_pkg::OP_FADD);
  wire  f_set = f_here && (slot_i[7:0] == tpu_pkg::OP_FSET);
  wire  f_copy = done_i && (done_flag_i == f_which);
  wire  f_copy_here = done_i && (done_here_flag_i == f_which);
  wire  f_arrival = arrive_i && (arrive_flag_i == f_which);
  wire signed [31:0] f_distance = f_flag_q - n_i;
  always_comb begin
    f_flag = f_flag_q;
    if (f_set) f_flag = n_i;
    if (f_add) f_flag = f_flag + n_i;
    if (f_copy) f_flag = f_flag + done_amount_i;
    if (f_copy_here) f_flag = f_flag + {24'd0, done_here_amount_i};
    if (f_arrival) f_flag = f_flag + {16'd0, arrive_amount_i};
  end
  always_ff @(posedge clk_i) f_flag_q <= (!rst_ni || clear_i) ? 32'd0 : f_flag;

  always_comb
    if (f_begun_q) begin
      assert (flags_o[{f_which, 5'd0} +: 32] == f_flag_q);
      if (flag_i == f_which) assert (wait_met_o == (f_distance >= 0));
    end
