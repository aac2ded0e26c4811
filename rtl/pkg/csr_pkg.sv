// SPDX-License-Identifier: Apache-2.0
// CSR numbers and fields.

package csr_pkg;

  typedef enum logic [11:0] {
    CsrFflags = 12'h001,
    CsrFrm = 12'h002,
    CsrFcsr = 12'h003,
    CsrSstatus = 12'h100,
    CsrSie = 12'h104,
    CsrStvec = 12'h105,
    CsrScounteren = 12'h106,
    CsrSenvcfg = 12'h10a,
    CsrSscratch = 12'h140,
    CsrSepc = 12'h141,
    CsrScause = 12'h142,
    CsrStval = 12'h143,
    CsrSip = 12'h144,
    CsrSatp = 12'h180,
    CsrMstatus = 12'h300,
    CsrMisa = 12'h301,
    CsrMedeleg = 12'h302,
    CsrMideleg = 12'h303,
    CsrMie = 12'h304,
    CsrMtvec = 12'h305,
    CsrMcounteren = 12'h306,
    CsrMenvcfg = 12'h30a,
    CsrMcountinhibit = 12'h320,
    CsrMscratch = 12'h340,
    CsrMepc = 12'h341,
    CsrMcause = 12'h342,
    CsrMtval = 12'h343,
    CsrMip = 12'h344,
    CsrPmpcfg0 = 12'h3a0,
    CsrPmpcfg2 = 12'h3a2,
    CsrMcycle = 12'hb00,
    CsrMinstret = 12'hb02,
    CsrCycle = 12'hc00,
    CsrTime = 12'hc01,
    CsrInstret = 12'hc02,
    CsrMvendorid = 12'hf11,
    CsrMarchid = 12'hf12,
    CsrMimpid = 12'hf13,
    CsrMhartid = 12'hf14,
    CsrMconfigptr = 12'hf15
  } number_e;

  // Rows of 32 CSR numbers, by their upper bits: PMP; mcountinhibit and mhpmevent;
  // mcycle, minstret and mhpmcounter; cycle, time, instret and hpmcounter
  localparam logic [6:0] RowPmp = 7'b0011101;
  localparam logic [6:0] RowEvent = 7'b0011001;
  localparam logic [6:0] RowMcounter = 7'b1011000;
  localparam logic [6:0] RowCounter = 7'b1100000;

  localparam logic [63:0] MisaValue = 64'h8000_0000_0014_1105;  // RV64, A C I M S U
  localparam logic [63:0] MisaFloat = 64'h28;  // D, F

  // Implemented bits of mstatus and sstatus; the constant fields Uxl and Sxl. Without
  // floating point FS is 0.
  localparam logic [22:0] MstatusMask = 23'h7e_79aa;
  localparam logic [22:0] SstatusMask = 23'h0c_6122;
  localparam logic [63:0] Uxl = 64'h2_0000_0000;
  localparam logic [63:0] Sxl = 64'h8_0000_0000;

  // Interrupts, as bits of mip
  typedef enum logic [3:0] {
    IrqNone = 4'd0,
    IrqSs = 4'd1,
    IrqMs = 4'd3,
    IrqSt = 4'd5,
    IrqMt = 4'd7,
    IrqSe = 4'd9,
    IrqMe = 4'd11
  } irq_e;
  localparam logic [11:0] IrqSupervisor = 12'h222;
  localparam logic [11:0] IrqAll = 12'haaa;

  localparam logic [15:0] Delegable = 16'hb3ff;  // all but ecall from M and reserved codes

  // Events, by their bits in events_t. mhpmevent selects a set in bits 1:0, and events of that
  // set from bit 8 up. Sets and positions are Rocket's; set 3 is new.
  typedef enum int unsigned {
    MixException = 0,  // set 0: committed instructions, by kind
    MixLoad = 1,
    MixStore = 2,
    MixAmo = 3,
    MixSystem = 4,
    MixArith = 5,
    MixBranch = 6,
    MixJal = 7,
    MixJalr = 8,
    MixMul = 9,
    MixDiv = 10,
    MixFloatLoad = 11,
    MixFloatStore = 12,
    MixFloatAdd = 13,
    MixFloatMul = 14,
    MixFloatFma = 15,
    MixFloatDivide = 16,
    MixFloatOther = 17,
    HazardLoadUse = 18,  // set 1: stalls and redirects
    HazardLong = 19,
    HazardCsr = 20,
    HazardIcache = 21,
    HazardDcache = 22,
    HazardBranch = 23,
    HazardTarget = 24,
    HazardFlush = 25,
    HazardReplay = 26,  // only of the out-of-order core
    HazardMulDiv = 27,
    HazardFloat = 28,
    MissIcache = 29,  // set 2: caches and TLBs
    MissDcache = 30,
    MissRelease = 31,
    MissItlb = 32,
    MissDtlb = 33,
    SlotIssued = 34,  // set 3: issue slots of D
    SlotFetchStall = 35,
    SlotRecovery = 36,
    SlotFence = 37,
    SlotDispatched = 38,  // from here on only of the out-of-order core
    SlotBackend = 39,
    SlotLatency = 40,
    SlotRefetch = 41
  } event_e;

  // All events of the in-order core: a bit for each event_e, by set.
  typedef struct packed {
    logic [3:0]  slot;
    logic [4:0]  miss;
    logic [10:0] hazard;
    logic [17:0] mix;
  } events_t;
  localparam int unsigned EventBits = 38;
  localparam int unsigned EventBitsOoo = 42;

endpackage
