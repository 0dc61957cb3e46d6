// A bench around tpu_core: clock, reset, a memory that answers LATENCY cycles later, and a host that starts a
// program and reads the verdict of the checker that tpu_core_checked.sv binds to the core.
//
//   +elf=FILE       the program, as `tandem asm` writes it, for this machine
//   +in="a=a.npy b=b.npy"   its tensors
//   +level=all|copies|final  what is reported of it
//   +flip=N         bit 5 of the N-th beat that the memory returns is wrong
`default_nettype none

module tpu_core_bench;
  import tandem_checker_pkg::*;

  localparam int unsigned LANES = 8;
  localparam int unsigned HBM_WORDS = 1 << 18;  // 1 MiB
  localparam int unsigned LATENCY = 20;
  localparam int unsigned BEAT = LANES * 4;     // bytes

  // The registers that start a program (docs/registers.md).
  localparam logic [9:0] CONTROL = 10'd2, TEXT = 10'd6, TEXT_BUNDLES = 10'd8, ENTRY_PC = 10'd9, ARGUMENTS = 10'd10;
  localparam logic [9:0] HBM = 10'd12, ARGUMENT_WORDS = 10'd23;

  logic clk = 1'b0, rst_n = 1'b0;
  always #5 clk = !clk;

  logic        reg_write = 1'b0;
  logic [9:0]  reg_addr = '0;
  logic [31:0] reg_wdata = '0;
  logic [31:0] memory [HBM_WORDS];

  logic                rd_valid, rsp_valid = 1'b0, wr_valid, wdata_valid, wrsp_valid = 1'b0;
  logic [63:0]         rd_addr, wr_addr;
  logic [7:0]          rd_beats, wr_beats;
  logic [LANES*32-1:0] rsp_data = '0, wdata;
  logic [LANES*4-1:0]  wstrb;

  tpu_core #(.LANES(LANES), .VMEM_ROWS(2048), .SMEM_WORDS(4096), .ICACHE_BUNDLES(256)) dut (
    .clk_i(clk), .rst_ni(rst_n), .reg_write_i(reg_write), .reg_addr_i(reg_addr), .reg_wdata_i(reg_wdata),
    .mem_rd_valid_o(rd_valid), .mem_rd_ready_i(rst_n), .mem_rd_addr_o(rd_addr), .mem_rd_beats_o(rd_beats),
    .mem_rsp_valid_i(rsp_valid), .mem_rsp_data_i(rsp_data),
    .mem_wr_valid_o(wr_valid), .mem_wr_ready_i(rst_n), .mem_wr_addr_o(wr_addr), .mem_wr_beats_o(wr_beats),
    .mem_wdata_valid_o(wdata_valid), .mem_wdata_ready_i(rst_n), .mem_wdata_o(wdata), .mem_wstrb_o(wstrb),
    .mem_wrsp_valid_i(wrsp_valid), .mem_error_i(1'b0),
    .chip_i(8'd0), .chips_i(8'd1), .link_in_valid_i('0), .link_in_head_i('0), .link_in_data_i('0),
    .link_out_ready_i('0), .link_out_credit_i('0));

  // ---- memory: bursts in the order in which they were granted ------------------------------------------
  typedef struct packed {
    longint      ready;  // the first cycle in which it answers
    logic [63:0] addr;
    int unsigned beats;
  } burst_t;
  burst_t reads [$], writes [$];
  longint now = 0, beats_given = 0, flip = -1;

  function automatic logic [LANES*32-1:0] beat_at(logic [63:0] addr);
    logic [LANES*32-1:0] data;
    for (int unsigned i = 0; i < LANES; ++i) data[32*i +: 32] = memory[32'(addr / 4) % HBM_WORDS + i];
    return data;
  endfunction

  function automatic void put_beat(logic [63:0] addr);
    for (int unsigned i = 0; i < BEAT; ++i)
      if (wstrb[i]) memory[(32'(addr / 4) + i / 4) % HBM_WORDS][8*(i % 4) +: 8] = wdata[8*i +: 8];
  endfunction

  function automatic burst_t burst_of(logic [63:0] addr, logic [7:0] last);
    burst_t burst;
    burst.ready = now + longint'(LATENCY);
    burst.addr = addr;
    burst.beats = 32'(last) + 1;
    return burst;
  endfunction

  function automatic void answer_read();
    rsp_data = beat_at(reads[0].addr);
    if (beats_given == flip) rsp_data[5] = !rsp_data[5];
    ++beats_given;
    reads[0].addr += 64'(BEAT);
    --reads[0].beats;
    if (reads[0].beats == 0) void'(reads.pop_front());
  endfunction

  always @(negedge clk) begin  // between the edges that the core sees
    rsp_valid = 1'b0;
    wrsp_valid = 1'b0;
    if (reads.size() != 0 && reads[0].ready <= now) begin
      rsp_valid = 1'b1;
      answer_read();
    end
    if (writes.size() != 0 && writes[0].beats == 0 && writes[0].ready <= now) begin
      wrsp_valid = 1'b1;
      void'(writes.pop_front());
    end
  end
  always @(posedge clk) begin
    now = now + 1;
    if (rst_n && wdata_valid) begin
      for (int i = 0; i < writes.size(); ++i)
        if (writes[i].beats != 0) begin
          put_beat(writes[i].addr);
          writes[i].addr += 64'(BEAT);
          --writes[i].beats;
          break;
        end
    end
    if (rst_n && rd_valid) reads.push_back(burst_of(rd_addr, rd_beats));
    if (rst_n && wr_valid) writes.push_back(burst_of(wr_addr, wr_beats));
  end

  // ---- host ------------------------------------------------------------------------------------------------
  task automatic set_register(logic [9:0] number, logic [31:0] value);
    @(negedge clk);
    reg_write = 1'b1;
    reg_addr = number;
    reg_wdata = value;
    @(negedge clk);
    reg_write = 1'b0;
  endtask

  task automatic set_pair(logic [9:0] number, longint value);
    set_register(number, value[31:0]);
    set_register(number + 10'd1, value[63:32]);
  endtask

  task automatic start_program();
    longint text, arguments;
    int unsigned bundles, entry, words;
    dut.tandem.check.start(text, bundles, entry, arguments, words);
    set_pair(TEXT, text);
    set_register(TEXT_BUNDLES, bundles);
    set_register(ENTRY_PC, entry);
    set_pair(ARGUMENTS, arguments);
    set_register(ARGUMENT_WORDS, words);
    set_pair(HBM, longint'(HBM_WORDS) * 4);
    set_register(CONTROL, 32'd1);
  endtask

  function automatic level_e level_named(string name);
    if (name == "copies") return LEVEL_COPIES;
    return name == "final" ? LEVEL_FINAL : LEVEL_ALL;
  endfunction

  initial begin
    string elf, inputs, level;
    if ($value$plusargs("elf=%s", elf) == 0) $fatal(1, "+elf=FILE names the program");
    if ($value$plusargs("in=%s", inputs) == 0) inputs = "";
    if ($value$plusargs("level=%s", level) == 0) level = "all";
    if ($value$plusargs("flip=%d", flip) == 0) flip = -1;
    dut.tandem.check.open(elf, inputs, longint'(HBM_WORDS) * 4, level_named(level));
    for (int unsigned i = 0; i < HBM_WORDS; ++i) memory[i] = dut.tandem.check.initial_word(PART_HBM, longint'(i));
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    start_program();
    wait (dut.tandem.done_o);
    $write("%s", dut.tandem.check.report());
    if (dut.tandem.check.verdict() == VERDICT_HALTED || dut.tandem.check.verdict() == VERDICT_TRAPPED) $finish;
    else $fatal(1, "the checker is not content");
  end
endmodule
