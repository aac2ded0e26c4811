// SPDX-License-Identifier: Apache-2.0
// Assertions, checked at each clock edge outside reset. A build with ASSERTIONS defined
// (make test-assert) checks them; in other builds the macros are empty.
//
//   `ASSERT(name, property)
//   `ASSERT_IF(name, property, condition)
//   `ASSERT_HELD(name, request, answer, operands)
//                          a request and its operands are stable until the answer
//
// The module needs a clock clk_i and a reset rst_ni. The assertions are immediate ones in a
// clocked block, since soc-sim evaluates the clock edge alone: concurrent assertions would
// use values sampled earlier.

`ifndef ASSERT_SVH
`define ASSERT_SVH

`ifdef ASSERTIONS
`define ASSERT_IF(name_, property_, condition_) \
  always_ff @(posedge clk_i) begin \
    if (rst_ni && (condition_)) \
      assert_``name_ : assert (property_) else $error(`"name_`"); \
  end
`define ASSERT(name_, property_) `ASSERT_IF(name_, property_, 1'b1)
`define ASSERT_HELD(name_, request_, answer_, operands_) \
  logic held_``name_``_q; \
  logic [$bits(operands_)-1:0] past_``name_``_q; \
  always_ff @(posedge clk_i) begin \
    held_``name_``_q <= rst_ni && (request_) && !(answer_); \
    past_``name_``_q <= (operands_); \
  end \
  `ASSERT_IF(name_, (request_) && past_``name_``_q == (operands_), held_``name_``_q)
`else
`define ASSERT_IF(name_, property_, condition_)
`define ASSERT(name_, property_)
`define ASSERT_HELD(name_, request_, answer_, operands_)
`endif

`endif
