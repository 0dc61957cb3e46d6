// Start copies: counts the words of a descriptor that the host writes while the machine is stopped.
//
// Each write shifts a word into the descriptor check (tpu_descriptor). With the sixteenth the check
// begins, `check_o`, and its verdict is valid in the next cycle, `push_o`, in which another word may
// come. A start forgets a descriptor whose words are not all there.
`default_nettype none

module tpu_startcopy (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic write_i,  // of a word
  input  logic start_i,
  output logic check_o,
  output logic push_o
);
  logic [3:0] count_q;
  assign check_o = write_i && (count_q == 4'd15);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      count_q <= 4'd0;
      push_o <= 1'b0;
    end else begin
      count_q <= start_i ? 4'd0 : count_q + {3'd0, write_i};
      push_o <= check_o;
    end
  end
endmodule

`default_nettype wire
