// SPDX-License-Identifier: Apache-2.0
// Counts the cycles at each value of a signal; the last column includes all values above.
// Simulation only; instantiated by the macros of cover.svh.

`ifdef COVER_POINTS
module cover_histogram #(
  parameter string Name = "",
  parameter string Description = "",
  parameter string Names = "",  // names of the values, separated by commas
  parameter int unsigned Width = 1,
  parameter int unsigned Top = 1  // the last column; with Names an upper bound of it
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

  // The last column if the values have names; set by the simulator, which counts them.
  int unsigned last  /*verilator public_flat_rw*/;
  initial cover_pkg::cover_declare(Name, Description, Width, Top + 1, Names);

  // Called in each cycle that counts. Blocking assignments: only the simulator reads the
  // counts, between edges.
  /* verilator lint_off BLKSEQ */
  task automatic add(input logic [Width-1:0] value);
    if (64'(value) < (Names == "" && Top > 0 ? 64'(Top) : 64'(last)))
      count_q[IndexWidth'(value)] = count_q[IndexWidth'(value)] + 64'd1;
    else count_q[IndexWidth'(last)] = count_q[IndexWidth'(last)] + 64'd1;
  endtask
  /* verilator lint_on BLKSEQ */

endmodule
`endif
