  // The ports' ready signals match the document (rtl/README.md): a push takes 2 cycles; after the
  // third newest swap, in s, it may start from s + row + 7, transposed from s + L; a multiply takes
  // as many cycles as it has rows.
  logic [7:0] f_push_q, f_mul_q;           // cycles since each began, up to 255
  logic [7:0] f_swap_q, f_swap_2_q, f_swap_3_q;  // and since the newest swaps did
  logic [3:0] f_rows_q;
  function automatic logic [7:0] f_older(input logic [7:0] age);
    f_older = (age == 8'd255) ? 8'd255 : age + 8'd1;
  endfunction
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      f_push_q <= 8'd255;
      f_swap_q <= 8'd255;
      f_swap_2_q <= 8'd255;
      f_swap_3_q <= 8'd255;
      f_mul_q <= 8'd255;
      f_rows_q <= 4'd1;
    end else begin
      f_push_q <= push_start_i ? 8'd1 : f_older(f_push_q);
      f_mul_q <= mul_start_i ? 8'd1 : f_older(f_mul_q);
      if (mul_start_i && mul_swap_i) begin
        f_swap_q <= 8'd1;
        f_swap_2_q <= f_older(f_swap_q);
        f_swap_3_q <= f_older(f_swap_2_q);
      end else begin
        f_swap_q <= f_older(f_swap_q);
        f_swap_2_q <= f_older(f_swap_2_q);
        f_swap_3_q <= f_older(f_swap_3_q);
      end
      if (mul_start_i) f_rows_q <= {1'b0, mul_rows_i} + 4'd1;
    end
  end
  wire f_writing = f_push_q < 2;
  wire f_wave = push_transposed_i ? (f_swap_3_q < LANES)
              : (f_swap_3_q < LANES) && ({1'b0, f_swap_3_q} < {2'd0, push_row_i} + 9'd7);

  always_comb begin
    assume (!push_start_i || (push_valid_i && push_ready_o));
    assume (!mul_start_i || (mul_valid_i && mul_ready_o));
    assume (!(push_start_i && mul_start_i));
    assume (!read_start_i || (read_valid_i && read_ready_o));
    if (f_begun_q) begin
      assert ((f_push_q != 0) && (f_mul_q != 0) && (f_swap_q != 0));
      assert ((f_swap_2_q != 0) && (f_swap_3_q != 0));
      assert ((f_rows_q >= 1) && (f_rows_q <= 8));
      assert (push_left_q == ((f_push_q > 2) ? 2'd0 : 2'd3 - f_push_q[1:0]));
      assert (first_age_q == ((f_swap_q < LANES) ? f_swap_q : 8'(LANES)));
      assert (second_age_q == ((f_swap_2_q < LANES) ? f_swap_2_q : 8'(LANES)));
      assert (third_age_q == ((f_swap_3_q < LANES) ? f_swap_3_q : 8'(LANES)));
      assert (left_rows_q == ((f_mul_q > f_rows_q) ? 4'd0 : f_rows_q + 4'd1 - f_mul_q[3:0]));

      assert (push_ready_o == !(f_writing || f_wave));
      assert (mul_ready_o == !(f_mul_q < f_rows_q));
    end
  end
