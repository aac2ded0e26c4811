// SPDX-License-Identifier: Apache-2.0
// Two machines with the same program, of which the second has a slower memory. Both sinks
// write one stream. The first that powers off ends both.

module two_harts;

  testbench #(
    .HartId(32'd0)
  ) u_first ();

  testbench #(
    .HartId(32'd1),
    .MoreWaits(1)
  ) u_second ();

endmodule
