// SPDX-License-Identifier: Apache-2.0
// Passes commits from a file (replay.awk) to the sink, up to NRET in a cycle: 1, 2, ... NRET,
// 1, 2, ... of them, and none in every fifth cycle. +commits=FILE, +last=N ends after N.
// Each lane without a commit has a class, and what was lost to which is printed at the end.
// With +unknown some are 0; +bad_class has one without a name. +abort=N fails an assertion and
// +exit=N calls exit in cycle N; +hang never ends.

module replay #(
  parameter int unsigned NRET = 4
);

  import "DPI-C" context function void exit(input int status);

  logic clk = 1'b0;
  always #1 clk = !clk;

  logic [NRET-1:0] valid, trap, intr;
  logic [NRET-1:0][ 1:0] mode;
  logic [NRET-1:0][63:0] pc, next_pc, rd_wdata, satp, cause;
  logic [NRET-1:0][31:0] insn;
  logic [NRET-1:0][ 4:0] rd_addr, lost_class;

  trace_sink #(
    .NRET(NRET),
    .XLEN(64),
    .HasCause(1'b1),
    .Classes("frontend.a,frontend.b,c")
  ) u_sink (
    .clk_i(clk),
    .hart_i(32'd0),
    .valid_i(valid),
    .trap_i(trap),
    .intr_i(intr),
    .mode_i(mode),
    .insn_i(insn),
    .pc_rdata_i(pc),
    .pc_wdata_i(next_pc),
    .rd_addr_i(rd_addr),
    .rd_wdata_i(rd_wdata),
    .satp_i(satp),
    .cause_i(cause),
    .cycle_i(64'd0),
    .lost_class_i(lost_class),
    .counters_i('0),
    .flags_i('0),
    .load_i('0),
    .load_addr_i('0),
    .load_cycles_i('0)
  );

  // Counts the same without the sink. A lost slot counts when the next commit comes.
  longint unsigned retired = 0, behind = 0, lost[4], waiting[4];
  bit begun = 1'b0;
  always @(posedge clk) begin
    if (!begun) waiting = '{default: 0};
    if (|valid) behind = 0;
    for (int unsigned i = 0; i < NRET; i++) begin
      if (valid[i]) begin
        begun = 1'b1;
        behind = 0;
        foreach (lost[k]) lost[k] += waiting[k];
        waiting = '{default: 0};
      end else begin
        behind += 64'(|valid);
        waiting[lost_class[i][1:0]] += 1;
      end
      if (valid[i] && trap[i]) lost[lost_class[i][1:0]] += 1;
      if (valid[i] && !trap[i]) retired += 1;
    end
  end
  final
    $display("slots %0d %0d %0d %0d %0d", retired, lost[0] + behind, lost[1], lost[2], lost[3]);

  string name;
  bit done = 1'b0;
  int file, fields;
  logic [63:0] word[10];
  int unsigned width = 0, abort_at, exit_at;
  longint unsigned cycle = 0, taken = 0, last;
  initial begin
    if ($value$plusargs("commits=%s", name) == 0) $fatal(1, "+commits=FILE is missing");
    if ($value$plusargs("last=%d", last) == 0) last = '1;
    if ($value$plusargs("abort=%d", abort_at) == 0) abort_at = '1;
    if ($value$plusargs("exit=%d", exit_at) == 0) exit_at = '1;
    file = $fopen(name, "r");
    valid = '0;
  end

  always @(negedge clk) begin
    cycle = cycle + 1;
    if (cycle == 64'(abort_at)) $fatal(1, "as requested");
    if (cycle == 64'(exit_at)) exit(3);
    width = width == NRET ? 1 : width + 1;
    valid = '0;
    for (int unsigned i = 0; i < NRET; i++)
      lost_class[i] = $test$plusargs("bad_class") ? 5'd4 : cycle % 10 == 0 ? 5'd1 : $test$plusargs("unknown") ?
                      5'((cycle / 4 + 64'(i)) % 4) : 5'(1 + (cycle / 4 + 64'(i)) % 3);
    if (done) $finish;
    for (int unsigned i = 0; i < width && cycle % 5 != 0; i++) begin
      fields = $fscanf(file, "%h %h %h %h %h %h %h %h %h %h\n", word[0], word[1], word[2], word[3], word[4],
                       word[5], word[6], word[7], word[8], word[9]);
      {pc[i], next_pc[i], insn[i]} = {word[0], word[1], word[2][31:0]};
      {mode[i], trap[i], intr[i]} = {word[3][1:0], word[4][0], word[5][0]};
      {rd_addr[i], rd_wdata[i], satp[i], cause[i]} = {word[6][4:0], word[7], word[8], word[9]};
      if (fields != 10 || taken == last) begin
        done = !$test$plusargs("hang");
        break;
      end
      valid[i] = fields == 10;
      taken = taken + 1;
    end
  end

endmodule
