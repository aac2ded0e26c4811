// SPDX-License-Identifier: Apache-2.0
// Names one bit of an event group (cover_events.sv). Simulation only; instantiated by
// `COVER_EVENT in cover.svh.

`ifdef COVER_POINTS
module cover_event #(
  parameter string Name = "",
  parameter string Description = "",
  parameter string Group = "",  // name of the cover_events instance in the same scope
  parameter int unsigned Bit = 0
);

  if (Name == "all" || Name == "list") begin : gen_word
    $error("cover point %s: soc-sim --counters %s means something else", Name, Name);
  end

  initial cover_pkg::cover_declare_event(Name, Description, Group, Bit);

endmodule
`endif
