// SPDX-License-Identifier: Apache-2.0
// Counts the cycles at each value of a signal; those above the last column count there.
// Simulation only; cover.svh has the macros that make one.

`ifdef COVER_POINTS
module cover_histogram #(
  parameter string Name = "",
  parameter string Description = "",
  parameter string Names = "",  // of the values, separated by commas
  parameter int unsigned Width = 1,
  parameter int unsigned Top = 1  // the last column; with names at least that
) (
  input logic clk_i,
  input logic [Width-1:0] value_i
);

  // A power of two, so that no index is out of bounds.
  localparam int unsigned IndexWidth = Top > 0 ? $clog2(Top + 1) : 1;
  logic [63:0] count_q[1<<IndexWidth]  /*verilator public_flat_rd*/;

  if (Name == "all" || Name == "list") begin : gen_word
    $error("cover point %s: soc-sim --counters %s means something else", Name, Name);
  end
  if (Width > 64) begin : gen_too_wide
    $error("cover point %s: a signal of more than 64 bits", Name);
  end

  // The last column: the simulator sets it, which counts the names.
  int unsigned last  /*verilator public_flat_rw*/;
  initial cover_pkg::cover_declare(Name, Description, Width, Top + 1, Names);

  function automatic logic [IndexWidth-1:0] column(input logic [Width-1:0] value);
    column = 64'(value) < 64'(last) ? IndexWidth'(value) : IndexWidth'(last);
  endfunction

  // Only the simulator reads them, between edges.
  /* verilator lint_off BLKSEQ */
  always_ff @(posedge clk_i) begin
    if (cover_pkg::on) begin
      automatic logic [IndexWidth-1:0] i = column(value_i);
      count_q[i] = count_q[i] + 64'd1;
    end
  end
  /* verilator lint_on BLKSEQ */

endmodule
`endif
