// SPDX-License-Identifier: Apache-2.0
// What all cover points share: how many cycles the next edge counts for, and how a
// point makes itself known to the simulator. Simulation only.

`ifdef COVER_POINTS
package cover_pkg;

  // 0: nothing is counted. Else 1 + skip_i of the SoC: the simulator sets it.
  int unsigned weight  /*verilator public_flat_rw*/;

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
