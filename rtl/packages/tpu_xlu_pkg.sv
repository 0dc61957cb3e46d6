// Shared by the operations of the cross-lane unit: a reduction combines {value, index} pairs, so
// that minimum, maximum and index of maximum are one comparison.
package tpu_xlu_pkg;

  // How a reduction combines.
  localparam logic [1:0] COMBINE_SUM_F32 = 2'd0;
  localparam logic [1:0] COMBINE_SUM_S32 = 2'd1;
  localparam logic [1:0] COMBINE_MAX = 2'd2;
  localparam logic [1:0] COMBINE_MIN = 2'd3;

  // {in order of fp32, result is an index, combine} of a reduction.
  function automatic logic [3:0] reduction(input tpu_pkg::cross_op_e op);
    case (op)
      tpu_pkg::OP_LSUM_F32, tpu_pkg::OP_SSUM_F32: reduction = {2'b00, COMBINE_SUM_F32};
      tpu_pkg::OP_LMAX_F32, tpu_pkg::OP_SMAX_F32: reduction = {2'b10, COMBINE_MAX};
      tpu_pkg::OP_LMIN_F32, tpu_pkg::OP_SMIN_F32: reduction = {2'b10, COMBINE_MIN};
      tpu_pkg::OP_LARGMAX_F32, tpu_pkg::OP_SARGMAX_F32: reduction = {2'b11, COMBINE_MAX};
      tpu_pkg::OP_LMAX_S32, tpu_pkg::OP_SMAX_S32: reduction = {2'b00, COMBINE_MAX};
      tpu_pkg::OP_LMIN_S32, tpu_pkg::OP_SMIN_S32: reduction = {2'b00, COMBINE_MIN};
      tpu_pkg::OP_LARGMAX_S32, tpu_pkg::OP_SARGMAX_S32: reduction = {2'b01, COMBINE_MAX};
      default: reduction = {2'b00, COMBINE_SUM_S32};
    endcase
  endfunction

  function automatic logic reduces_lanes(input tpu_pkg::cross_op_e op);
    case (op)
      tpu_pkg::OP_LSUM_F32, tpu_pkg::OP_LMAX_F32, tpu_pkg::OP_LMIN_F32, tpu_pkg::OP_LARGMAX_F32,
      tpu_pkg::OP_LSUM_S32, tpu_pkg::OP_LMAX_S32, tpu_pkg::OP_LMIN_S32,
      tpu_pkg::OP_LARGMAX_S32: reduces_lanes = 1'b1;
      default: reduces_lanes = 1'b0;
    endcase
  endfunction

  function automatic logic reduces_sublanes(input tpu_pkg::cross_op_e op);
    case (op)
      tpu_pkg::OP_SSUM_F32, tpu_pkg::OP_SMAX_F32, tpu_pkg::OP_SMIN_F32, tpu_pkg::OP_SARGMAX_F32,
      tpu_pkg::OP_SSUM_S32, tpu_pkg::OP_SMAX_S32, tpu_pkg::OP_SMIN_S32,
      tpu_pkg::OP_SARGMAX_S32: reduces_sublanes = 1'b1;
      default: reduces_sublanes = 1'b0;
    endcase
  endfunction

  // An element that enters a reduction. Ordered fp32 becomes its key; NaN becomes the extreme that
  // wins, so that any NaN decides and the first one is the index.
  function automatic logic [31:0] enter(
      input logic [31:0] x, input logic ordered, input logic [1:0] combine);
    enter = ordered ? tpu_fp_pkg::key(x) : x;
    if (ordered && tpu_fp_pkg::is_nan(x))
      enter = (combine == COMBINE_MIN) ? 32'h80000000 : 32'h7fffffff;
  endfunction

  // The right element replaces the left one; on ties the left one, of lower index, stays.
  function automatic logic right_wins(
      input logic [31:0] left, input logic [31:0] right, input logic [1:0] combine);
    right_wins = (combine == COMBINE_MAX) ? $signed(right) > $signed(left)
                                          : $signed(right) < $signed(left);
  endfunction

  // The result of a reduction from its {value, index} pair. No number has the keys of NaN, and they
  // convert back to NaNs with other patterns.
  function automatic logic [31:0] leave(
      input logic [31:0] value, input logic [31:0] index, input logic ordered,
      input logic wants_index);
    leave = ordered ? tpu_fp_pkg::unkey(value) : value;
    if (ordered && tpu_fp_pkg::is_nan(leave)) leave = tpu_fp_pkg::QNAN;
    if (wants_index) leave = index;
  endfunction
endpackage
