// SPDX-License-Identifier: Apache-2.0
// Names a bit of a group of events (cover_events.sv). Simulation only; cover.svh has the
// macro that makes one.

`ifdef COVER_POINTS
module cover_event #(
  parameter string Name = "",
  parameter string Description = "",
  parameter string Group = "",  // the instance, beside this one
  parameter int unsigned Bit = 0
);

  if (Name == "all" || Name == "list") begin : gen_word
    $error("cover point %s: soc-sim --counters %s means something else", Name, Name);
  end

  initial cover_pkg::cover_declare_event(Name, Description, Group, Bit);

endmodule
`endif
