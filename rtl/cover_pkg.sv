// SPDX-License-Identifier: Apache-2.0
// What all cover points share: their clock, and how a point makes itself known to the
// simulator. Simulation only.

`ifdef COVER_POINTS
package cover_pkg;

  // The simulator drives it: it rises with clk_i while points count, and else stands still.
  // An edge counts once, also one that stands for several cycles: the simulator multiplies.
  bit clk  /*verilator public_flat_rw*/;

  // Once for each point, from its scope. names is empty for a number.
  import "DPI-C" context function void cover_declare(
    input string name,
    input string description,
    input int unsigned width,
    input int unsigned columns,
    input string names
  );

  // Once for each event: its group is an instance of cover_events beside it.
  import "DPI-C" context function void cover_declare_event(
    input string name,
    input string description,
    input string group,
    input int unsigned number
  );

endpackage
`endif
