// SPDX-License-Identifier: Apache-2.0
// Signals by which a hart shows its state to the simulator, and lets it set registers before the
// first cycle: see probe_pkg.sv. In a probe module, which is beside MODULE:
//
//   `PROBE(name, MODULE, signal)              a signal, or an array
//   `PROBE_FIELD(name, MODULE, signal, field) of a packed struct; it begins at a byte
//
// The signal must be public: the file of the same name with the extension vlt lists it.

`ifndef PROBE_SVH
`define PROBE_SVH

`define PROBE(name_, module_, signal_) \
  initial probe_pkg::probe_declare(`"name_`", `"module_`", `"signal_`", 0, $bits(module_.signal_));
`define PROBE_FIELD(name_, module_, signal_, type_, field_) \
  initial begin : probe_``name_ \
    automatic type_ mask = '0; \
    automatic logic [$bits(type_)-1:0] bits; \
    automatic int unsigned low = 0; \
    mask.field_ = '1; \
    bits = mask; \
    while (!bits[low]) low++; \
    probe_pkg::probe_declare(`"name_`", `"module_`", `"signal_`", low, $countones(bits)); \
  end

`endif
