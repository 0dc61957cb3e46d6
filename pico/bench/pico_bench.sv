// A bench around pico: clock, a memory, and a host that starts a program and prints the verdict
// of the checker that pico_checked.sv binds to the core.
//
//   +elf=FILE       the program, as `tandem asm --preset nano` writes it
//   +in="a=a.npy b=b.npy"   its tensors
//   +level=all|copies|final  what is reported of it
//   +hbm=N          MiB of memory, 4096 by default
//   +latency=N      cycles until the memory answers, 1 by default
//   +uninitialised  never-written data may be used: random programs do
//   +limit=N        cycles after which it gives up (1,000,000,000)
`default_nettype none

module pico_bench;
  import tandem_checker_pkg::*;

  // The registers that start a program (docs/registers.md).
  localparam logic [9:0] CONTROL = 10'd2, TEXT = 10'd6, TEXT_BUNDLES = 10'd8, ENTRY_PC = 10'd9, ARGUMENTS = 10'd10;
  localparam logic [9:0] HBM = 10'd12, ARGUMENT_WORDS = 10'd23;

  logic clk = 1'b0, rst_n = 1'b0;
  always #5 clk = !clk;

  // The words that are not as the program begins, by their number.
  int unsigned memory [longint];
  longint      hbm_bytes = 64'h1_0000_0000;

  function automatic int unsigned word_at(longint number);
    return memory.exists(number) != 0 ? memory[number] : dut.tandem.check.initial_word(PART_HBM, number);
  endfunction

  logic        reg_write = 1'b0, mem_valid, mem_write, mem_ready = 1'b0;
  logic [9:0]  reg_address = '0;
  logic [31:0] reg_data = '0, mem_out, mem_in = '0;
  logic [63:0] mem_address;
  pico_core dut (
    .clk_i(clk), .rst_ni(rst_n), .reg_write_i(reg_write), .reg_address_i(reg_address), .reg_data_i(reg_data),
    .reg_data_o(), .running_o(), .halted_o(), .trapped_o(), .mem_valid_o(mem_valid), .mem_write_o(mem_write),
    .mem_address_o(mem_address), .mem_data_o(mem_out), .mem_ready_i(mem_ready), .mem_data_i(mem_in));

  int unsigned latency = 1, waited = 0;
  always @(posedge clk) begin
    mem_ready <= 1'b0;
    if (rst_n && mem_valid && !mem_ready) waited = waited + 1;
    if (waited >= latency) begin
      waited = 0;
      mem_ready <= 1'b1;
      if (mem_write) memory[longint'(mem_address >> 2)] = mem_out;
      else mem_in <= word_at(longint'(mem_address >> 2));
    end
  end

  // ---- host ------------------------------------------------------------------------------------------------
  task automatic set_register(logic [9:0] number, logic [31:0] value);
    @(negedge clk);
    reg_write = 1'b1;
    reg_address = number;
    reg_data = value;
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
    if (dut.tandem.check.start_copies() != 0)
      $fatal(1, "pico has no start copies: compile the program with --no-start-copies");
    set_pair(TEXT, text);
    set_register(TEXT_BUNDLES, bundles);
    set_register(ENTRY_PC, entry);
    set_pair(ARGUMENTS, arguments);
    set_register(ARGUMENT_WORDS, words);
    set_pair(HBM, hbm_bytes);
    set_register(CONTROL, 32'd1);
  endtask

  function automatic level_e level_named(string name);
    if (name == "copies") return LEVEL_COPIES;
    return name == "final" ? LEVEL_FINAL : LEVEL_ALL;
  endfunction

  longint limit = 1000000000;
  always @(posedge clk) if (dut.tandem.cycles == limit) $fatal(1, "no end after %0d cycles", limit);

  initial begin
    string elf, inputs, level;
    longint mebibytes;
    if ($value$plusargs("elf=%s", elf) == 0) $fatal(1, "+elf=FILE names the program");
    if ($value$plusargs("in=%s", inputs) == 0) inputs = "";
    if ($value$plusargs("level=%s", level) == 0) level = "all";
    if ($value$plusargs("hbm=%d", mebibytes) != 0) hbm_bytes = mebibytes << 20;
    void'($value$plusargs("limit=%d", limit));
    void'($value$plusargs("latency=%d", latency));
    dut.tandem.check.open(elf, inputs, hbm_bytes, level_named(level),
                          $test$plusargs("uninitialised") == 0);
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    start_program();
    wait (dut.tandem.done_o);
    $write("%s", dut.tandem.check.report());
    if (dut.tandem.check.verdict() == VERDICT_HALTED || dut.tandem.check.verdict() == VERDICT_TRAPPED) $finish;
    else $fatal(1, "the checker is not content");
  end
endmodule
