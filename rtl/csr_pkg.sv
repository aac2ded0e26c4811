// SPDX-License-Identifier: Apache-2.0
// Numbers of the CSRs, and where their fields are.

package csr_pkg;

  localparam logic [11:0] SSTATUS = 12'h100;
  localparam logic [11:0] SIE = 12'h104;
  localparam logic [11:0] STVEC = 12'h105;
  localparam logic [11:0] SCOUNTEREN = 12'h106;
  localparam logic [11:0] SENVCFG = 12'h10a;
  localparam logic [11:0] SSCRATCH = 12'h140;
  localparam logic [11:0] SEPC = 12'h141;
  localparam logic [11:0] SCAUSE = 12'h142;
  localparam logic [11:0] STVAL = 12'h143;
  localparam logic [11:0] SIP = 12'h144;
  localparam logic [11:0] SATP = 12'h180;
  localparam logic [11:0] MSTATUS = 12'h300;
  localparam logic [11:0] MISA = 12'h301;
  localparam logic [11:0] MEDELEG = 12'h302;
  localparam logic [11:0] MIDELEG = 12'h303;
  localparam logic [11:0] MIE = 12'h304;
  localparam logic [11:0] MTVEC = 12'h305;
  localparam logic [11:0] MCOUNTEREN = 12'h306;
  localparam logic [11:0] MENVCFG = 12'h30a;
  localparam logic [11:0] MCOUNTINHIBIT = 12'h320;
  localparam logic [11:0] MSCRATCH = 12'h340;
  localparam logic [11:0] MEPC = 12'h341;
  localparam logic [11:0] MCAUSE = 12'h342;
  localparam logic [11:0] MTVAL = 12'h343;
  localparam logic [11:0] MIP = 12'h344;
  localparam logic [11:0] PMPCFG0 = 12'h3a0;
  localparam logic [11:0] PMPCFG2 = 12'h3a2;
  localparam logic [11:0] MCYCLE = 12'hb00;
  localparam logic [11:0] MINSTRET = 12'hb02;
  localparam logic [11:0] CYCLE = 12'hc00;
  localparam logic [11:0] TIME = 12'hc01;
  localparam logic [11:0] INSTRET = 12'hc02;
  localparam logic [11:0] MVENDORID = 12'hf11;
  localparam logic [11:0] MARCHID = 12'hf12;
  localparam logic [11:0] MIMPID = 12'hf13;
  localparam logic [11:0] MHARTID = 12'hf14;
  localparam logic [11:0] MCONFIGPTR = 12'hf15;

  // Rows of 32 numbers: the upper bits of those of the PMP, of mcountinhibit and
  // mhpmevent, of mcycle and so on, of cycle and so on
  localparam logic [6:0] ROW_PMP = 7'b0011101;
  localparam logic [6:0] ROW_EVENT = 7'b0011001;
  localparam logic [6:0] ROW_MCOUNTER = 7'b1011000;
  localparam logic [6:0] ROW_COUNTER = 7'b1100000;

  localparam logic [63:0] MISA_VALUE = 64'h8000_0000_0014_1105;  // RV64, A C I M S U

  // Bits of mstatus
  localparam int unsigned STATUS_SIE = 1;
  localparam int unsigned STATUS_MIE = 3;
  localparam int unsigned STATUS_SPIE = 5;
  localparam int unsigned STATUS_MPIE = 7;
  localparam int unsigned STATUS_SPP = 8;
  localparam int unsigned STATUS_MPP = 11;  // and 12
  localparam int unsigned STATUS_MPRV = 17;
  localparam int unsigned STATUS_SUM = 18;
  localparam int unsigned STATUS_MXR = 19;
  localparam int unsigned STATUS_TVM = 20;
  localparam int unsigned STATUS_TW = 21;
  localparam int unsigned STATUS_TSR = 22;

  // What there is of mstatus and of sstatus; UXL and SXL, which are constant.
  localparam logic [22:0] MSTATUS_MASK = 23'h7e_19aa;
  localparam logic [22:0] SSTATUS_MASK = 23'h0c_0122;
  localparam logic [63:0] UXL = 64'h2_0000_0000;
  localparam logic [63:0] SXL = 64'h8_0000_0000;

  // Interrupts, as bits of mip
  localparam logic [3:0] IRQ_SS = 4'd1;
  localparam logic [3:0] IRQ_MS = 4'd3;
  localparam logic [3:0] IRQ_ST = 4'd5;
  localparam logic [3:0] IRQ_MT = 4'd7;
  localparam logic [3:0] IRQ_SE = 4'd9;
  localparam logic [3:0] IRQ_ME = 4'd11;
  localparam logic [11:0] IRQ_SUPERVISOR = 12'h222;
  localparam logic [11:0] IRQ_ALL = 12'haaa;

  localparam logic [15:0] DELEGABLE = 16'hb3ff;  // no ecall from M, nothing reserved

  // What mhpmevent selects: a set in bits 7:0, and from bit 8 on which events of it.
  // The sets and places are Rocket's, and set 3 is new. Names of the bits of a set:
  localparam int unsigned MIX_EXCEPTION = 0;  // set 0: instructions that commit, by kind
  localparam int unsigned MIX_LOAD = 1;
  localparam int unsigned MIX_STORE = 2;
  localparam int unsigned MIX_AMO = 3;
  localparam int unsigned MIX_SYSTEM = 4;
  localparam int unsigned MIX_ARITH = 5;
  localparam int unsigned MIX_BRANCH = 6;
  localparam int unsigned MIX_JAL = 7;
  localparam int unsigned MIX_JALR = 8;
  localparam int unsigned MIX_MUL = 9;
  localparam int unsigned MIX_DIV = 10;
  localparam int unsigned HAZARD_LOAD_USE = 0;  // set 1: what holds up the pipeline
  localparam int unsigned HAZARD_LONG = 1;
  localparam int unsigned HAZARD_CSR = 2;
  localparam int unsigned HAZARD_ICACHE = 3;
  localparam int unsigned HAZARD_DCACHE = 4;
  localparam int unsigned HAZARD_BRANCH = 5;
  localparam int unsigned HAZARD_TARGET = 6;
  localparam int unsigned HAZARD_FLUSH = 7;  // 8 is Rocket's replay
  localparam int unsigned HAZARD_MUL_DIV = 9;
  localparam int unsigned MISS_ICACHE = 0;  // set 2: caches and TLBs
  localparam int unsigned MISS_DCACHE = 1;
  localparam int unsigned MISS_RELEASE = 2;
  localparam int unsigned MISS_ITLB = 3;
  localparam int unsigned MISS_DTLB = 4;
  localparam int unsigned SLOT_ISSUED = 0;  // set 3: where D could have issued
  localparam int unsigned SLOT_FETCH_STALL = 1;
  localparam int unsigned SLOT_RECOVERY = 2;
  localparam int unsigned SLOT_FENCE = 3;

  // All events side by side: where the sets begin.
  localparam int unsigned EVENT_MIX = 0;
  localparam int unsigned EVENT_HAZARD = 11;
  localparam int unsigned EVENT_MISS = 21;
  localparam int unsigned EVENT_SLOT = 26;
  localparam int unsigned EVENTS = 30;

endpackage
