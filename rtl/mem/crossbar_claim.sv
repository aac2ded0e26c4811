// SPDX-License-Identifier: Apache-2.0
// The transaction that an L1D or an L1I asks for. Combinational.

module crossbar_claim (
  input  mem_pkg::line_req_t req_i,
  output mem_pkg::claim_t    claim_o
);

  assign claim_o = {req_i.excl || req_i.upgrade, req_i.upgrade, 1'b0, req_i.addr[55:6]};

  // The place in the line, and the number of the miss
  logic unused;
  assign unused = ^{req_i.id, req_i.addr[5:0]};

endmodule
