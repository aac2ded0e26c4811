// SPDX-License-Identifier: Apache-2.0
// Cover points: one line in the RTL adds a counter to the simulator (see README.md).
//
//   `COVER(name, "description", signal)             adds the signal's value each cycle
//   `COVER(name, "description", signal, condition)  in cycles in which the condition holds
//   `COVER_HISTOGRAM(name, "description", value, top)
//                                  counts cycles at each value: name=0 to name=top (or more)
//   `COVER_NAMED(name, "description", value, "a,b")
//                                  the same, named name.a, name.b and name.other
//   `COVER_NAMED_LANES(name, "description", lanes, width, value, "a,b")
//                                  the sum of such histograms, of each `lane`
//   `COVER_EVENTS(group, width, bits)               a vector of one-bit events,
//   `COVER_COUNTS(group, width, lanes, bits)        the sum of such vectors, of each `lane`
//   `COVER_EVENT(name, "description", group, bit)   of which this counts one bit
//
// Simulation only: in hardware the macros are empty. Cover points have their own clock,
// cover_pkg::clk, which is stopped while nothing counts, so that their expressions are not
// evaluated then. The value before the edge of clk_i is counted.

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
`define COVER_NAMED_LANES(name_, description_, lanes_, width_, value_, names_) \
  cover_histogram #( \
    .Name(`"name_`"), .Description(description_), .Width(width_), .Names(names_), \
    .Top($bits(names_) / 8 + 1) \
  ) u_cover_``name_ (); \
  always_ff @(posedge cover_pkg::clk) \
    for (int unsigned lane = 0; lane < lanes_; lane++) u_cover_``name_.add(value_);
`define COVER_EVENTS(group_, width_, bits_) \
  cover_events #(.Width(width_)) u_cover_``group_ (); \
  always_ff @(posedge cover_pkg::clk) u_cover_``group_.add(bits_);
`define COVER_COUNTS(group_, width_, lanes_, bits_) \
  cover_events #(.Width(width_)) u_cover_``group_ (); \
  always_ff @(posedge cover_pkg::clk) \
    for (int unsigned lane = 0; lane < lanes_; lane++) u_cover_``group_.add(bits_);
`define COVER_EVENT(name_, description_, group_, bit_) \
  cover_event #( \
    .Name(`"name_`"), .Description(description_), .Group(`"u_cover_``group_`"), .Bit(bit_) \
  ) u_cover_``name_ ();
`else
`define COVER(name_, description_, signal_, condition_ = 1'b1)
`define COVER_HISTOGRAM(name_, description_, value_, top_)
`define COVER_NAMED(name_, description_, value_, names_)
`define COVER_NAMED_LANES(name_, description_, lanes_, width_, value_, names_)
`define COVER_EVENTS(group_, width_, bits_)
`define COVER_COUNTS(group_, width_, lanes_, bits_)
`define COVER_EVENT(name_, description_, group_, bit_)
`endif

`endif
