// SPDX-License-Identifier: Apache-2.0
// Sums the values of a signal. Simulation only; instantiated by the macros of cover.svh.

`ifdef COVER_POINTS
module cover_point #(
  parameter string Name = "",
  parameter string Description = "",
  parameter int unsigned Width = 1
);

  if (Name == "all" || Name == "list") begin : gen_word
    $error("cover point %s: soc-sim --counters %s means something else", Name, Name);
  end
  if (Width > 64) begin : gen_too_wide
    $error("cover point %s: a signal of more than 64 bits", Name);
  end

  logic [63:0] count_q  /*verilator public_flat_rd*/;

  initial cover_pkg::cover_declare(Name, Description, Width, 0, "");

  // Called in each cycle that counts.
  task automatic add(input logic [Width-1:0] value);
    if (Width > 1) count_q <= count_q + 64'(value);
    else if (value[0]) count_q <= count_q + 64'd1;
  endtask

endmodule
`endif
