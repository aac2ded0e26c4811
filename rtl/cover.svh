// SPDX-License-Identifier: Apache-2.0
// Cover points: one line in the RTL makes a counter of the simulator (see README.md).
//
//   `COVER(name, "description", signal)             adds the signal's value each cycle
//   `COVER(name, "description", signal, condition)  in cycles in which the condition holds
//   `COVER_HISTOGRAM(name, "description", value, top)
//                                  cycles at each value: name=0 to name=top, or more
//   `COVER_NAMED(name, "description", value, "a,b")
//                                  the same, as name.a and name.b, and name.other
//
// The module has a clock clk_i; what counts is the value before its edge. In hardware
// they are nothing, and so what they alone need is nothing.
//
// `COVER_ON says whether anything counts: what only points need can wait for it.

`ifndef COVER_SVH
`define COVER_SVH

`ifdef COVER_POINTS
`define COVER_ON cover_pkg::on
`define COVER(name_, description_, signal_, condition_ = 1'b1) \
  cover_point #( \
    .Name(`"name_`"), .Description(description_), .Width($bits(signal_)) \
  ) u_cover_``name_ (.clk_i, .value_i(signal_), .on_i(condition_));
`define COVER_HISTOGRAM(name_, description_, value_, top_) \
  cover_histogram #( \
    .Name(`"name_`"), .Description(description_), .Width($bits(value_)), .Top(top_) \
  ) u_cover_``name_ (.clk_i, .value_i(value_));
`define COVER_NAMED(name_, description_, value_, names_) \
  cover_histogram #( \
    .Name(`"name_`"), .Description(description_), .Width($bits(value_)), .Names(names_), \
    .Top($bits(names_) / 8 + 1) \
  ) u_cover_``name_ (.clk_i, .value_i(value_));
`else
`define COVER_ON 1'b0
`define COVER(name_, description_, signal_, condition_ = 1'b1)
`define COVER_HISTOGRAM(name_, description_, value_, top_)
`define COVER_NAMED(name_, description_, value_, names_)
`endif

`endif
