// Which rows of a load or store can be accessed in this cycle: the first row of each bank that is
// still to do, and every other one that is the same VMEM row. Combinational. Repeated, it takes as
// many cycles as the fullest bank has distinct rows.
`default_nettype none

module tpu_bankpick #(
  parameter int unsigned AW = 14
) (
  input  logic [7:0]      todo_i,
  input  logic [8*AW-1:0] row_i,
  output logic [7:0]      pick_o
);
  logic [7:0]      taken;       // banks with a row
  logic [8*AW-1:0] bank_row;    // that row
  logic [AW-1:0]   row;
  always_comb begin
    pick_o = 8'd0;
    taken = 8'd0;
    bank_row = '0;
    row = '0;
    if (todo_i != 8'd0) begin
      for (int unsigned r = 0; r < 8; r = r + 1) begin
        row = row_i[r*AW +: AW];
        if (todo_i[r]) begin
          if (!taken[row[2:0]]) begin
            taken[row[2:0]] = 1'b1;
            bank_row[32'(row[2:0])*AW +: AW] = row;
          end
          pick_o[r] = bank_row[32'(row[2:0])*AW +: AW] == row;
        end
      end
    end
  end
endmodule

`default_nettype wire
