// SPDX-License-Identifier: Apache-2.0
// Shared by all cover points: their clock, and the functions that register a point with the
// simulator. Simulation only.

`ifdef COVER_POINTS
package cover_pkg;

  // Driven by the simulator: rises with clk_i while points count, and is stopped otherwise.
  // An edge that stands for several cycles counts once; the simulator multiplies.
  bit clk  /*verilator public_flat_rw*/;

  // Registers a point; called once per point, from its scope. columns is 0 for a sum; names
  // is empty if the values have no names.
  import "DPI-C" context function void cover_declare(
    input string name,
    input string description,
    input int unsigned width,
    input int unsigned columns,
    input string names
  );

  // Registers an event; called once per event. group is the cover_events instance in the
  // same scope, number the bit.
  import "DPI-C" context function void cover_declare_event(
    input string name,
    input string description,
    input string group,
    input int unsigned number
  );

endpackage
`endif
