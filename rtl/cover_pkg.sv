// SPDX-License-Identifier: Apache-2.0
// What all cover points share: whether they count, and how a point makes itself known
// to the simulator. Simulation only.

`ifdef COVER_POINTS
package cover_pkg;

  // The simulator sets it. An edge counts once, also one that stands for several cycles:
  // the simulator multiplies.
  bit on  /*verilator public_flat_rw*/;

  // Once for each point, from its scope. names is empty for a number.
  import "DPI-C" context function void cover_declare(
    input string name,
    input string description,
    input int unsigned width,
    input int unsigned columns,
    input string names
  );

endpackage
`endif
