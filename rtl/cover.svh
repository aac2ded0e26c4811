// SPDX-License-Identifier: Apache-2.0
// Cover points: one line in the RTL makes a counter of the simulator (see README.md).
//
//   `COVER(name, "description", signal)             adds the signal's value each cycle
//   `COVER(name, "description", signal, condition)  in cycles in which the condition holds
//   `COVER_HISTOGRAM(name, "description", value, top)
//                                  cycles at each value: name=0 to name=top, or more
//   `COVER_NAMED(name, "description", value, "a,b")
//                                  the same, as name.a and name.b, and name.other
//   `COVER_EVENTS(group, width, bits)               a vector of events of one bit each,
//   `COVER_EVENT(name, "description", group, bit)   of which this counts one
//
// Simulation only: in hardware they are nothing. They have a clock of their own, that of
// cover_pkg, which stands still while nothing counts, so their expressions are evaluated
// only while something does. What counts is the value before the edge of clk_i.

`ifndef COVER_SVH
`define COVER_SVH

`ifdef COVER_POINTS
`define COVER(name_, description_, signal_, condition_ = 1'b1) \
  cover_point #( \
    .Name(`"name_`"), .Description(description_), .Width($bits(signal_)) \
  ) u_cover_``name_ (); \
  always_ff @(posedge cover_pkg::clk) if (condition_) u_cover_``name_.add(signal_);
`define COVER_HISTOGRAM(name_, description_, value_, top_) \
  cover_histogram #( \
    .Name(`"name_`"), .Description(description_), .Width($bits(value_)), .Top(top_) \
  ) u_cover_``name_ (); \
  always_ff @(posedge cover_pkg::clk) u_cover_``name_.add(value_);
`define COVER_NAMED(name_, description_, value_, names_) \
  cover_histogram #( \
    .Name(`"name_`"), .Description(description_), .Width($bits(value_)), .Names(names_), \
    .Top($bits(names_) / 8 + 1) \
  ) u_cover_``name_ (); \
  always_ff @(posedge cover_pkg::clk) u_cover_``name_.add(value_);
`define COVER_EVENTS(group_, width_, bits_) \
  cover_events #(.Width(width_)) u_cover_``group_ (); \
  always_ff @(posedge cover_pkg::clk) u_cover_``group_.add(bits_);
`define COVER_EVENT(name_, description_, group_, bit_) \
  cover_event #( \
    .Name(`"name_`"), .Description(description_), .Group(`"u_cover_``group_`"), .Bit(bit_) \
  ) u_cover_``name_ ();
`else
`define COVER(name_, description_, signal_, condition_ = 1'b1)
`define COVER_HISTOGRAM(name_, description_, value_, top_)
`define COVER_NAMED(name_, description_, value_, names_)
`define COVER_EVENTS(group_, width_, bits_)
`define COVER_EVENT(name_, description_, group_, bit_)
`endif

`endif
