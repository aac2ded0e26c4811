// SPDX-License-Identifier: Apache-2.0
// Types shared by several modules. The constants of the machine are in soc_map_pkg,
// which make generates from sim/soc.h.
//
// yosys 0.23 supports types of a package in ports and variables, but not in structs of
// other scopes, and infers no memory from an array of structs: such arrays are of
// vectors, and a comment names the type.

package soc_pkg;

  // The unit that executes an instruction. Bit 3 marks F and D. Bits 2:0 are then those of
  // the unit that is handled alike, so that most logic ignores bit 3.
  typedef enum logic [3:0] {
    UnitAlu = 4'd0,
    UnitBranch = 4'd1,
    UnitJump = 4'd2,
    UnitMul = 4'd3,
    UnitDiv = 4'd4,
    UnitMem = 4'd5,
    UnitCsr = 4'd6,
    UnitSys = 4'd7,
    UnitFma = 4'd8,  // additions, subtractions, multiplications and multiply-adds
    UnitFpu = 4'd12,  // all other operations of the FPU
    UnitFloatMem = 4'd13
  } unit_e;

  // A register: 0 for none, 1 to 31 for x1 to x31, 32 to 63 for f0 to f31.
  typedef logic [5:0] rd_t;

  // Operations, by unit.
  typedef enum logic [3:0] {
    AluAdd = 4'd0,
    AluSub = 4'd1,
    AluSll = 4'd2,
    AluSlt = 4'd3,
    AluSltu = 4'd4,
    AluXor = 4'd5,
    AluSrl = 4'd6,
    AluSra = 4'd7,
    AluOr = 4'd8,
    AluAnd = 4'd9
  } alu_op_e;

  // funct3 of branches: {less than, unsigned, negated}.
  typedef enum logic [3:0] {
    BranchEq = 4'd0,
    BranchNe = 4'd1,
    BranchLt = 4'd4,
    BranchGe = 4'd5,
    BranchLtu = 4'd6,
    BranchGeu = 4'd7
  } branch_op_e;

  typedef enum logic [3:0] {
    JumpJal = 4'd0,
    JumpJalr = 4'd1
  } jump_op_e;

  typedef enum logic [1:0] {
    MulLow = 2'd0,
    MulHigh = 2'd1,
    MulHighSu = 2'd2,
    MulHighU = 2'd3
  } mul_op_e;

  // {remainder, unsigned}.
  typedef enum logic [1:0] {
    DivQuotient = 2'd0,
    DivQuotientU = 2'd1,
    DivRemainder = 2'd2,
    DivRemainderU = 2'd3
  } div_op_e;

  // Bit 0: writes. Bits 2:1: not a plain load or store.
  typedef enum logic [3:0] {
    MemLoad = 4'd0,
    MemStore = 4'd1,
    MemLr = 4'd2,
    MemSc = 4'd3,
    MemAmo = 4'd5,
    MemCopy = 4'd6  // reads its source, then writes its destination
  } mem_op_e;

  typedef enum logic [1:0] {
    CsrWrite = 2'd1,
    CsrSet = 2'd2,
    CsrClear = 2'd3
  } csr_op_e;

  typedef enum logic [3:0] {
    SysEcall = 4'd0,
    SysEbreak = 4'd1,
    SysMret = 4'd2,
    SysSret = 4'd3,
    SysWfi = 4'd4,
    SysSfence = 4'd5,
    SysFenceI = 4'd6
  } sys_op_e;

  // Kinds of operations of the FPU, for the event counters; the first three are of UnitFma.
  typedef enum logic [3:0] {
    FloatAdd = 4'd0,
    FloatMul = 4'd1,
    FloatFma = 4'd2,
    FloatDivide = 4'd3,  // and square roots
    FloatOther = 4'd4
  } float_op_e;

  typedef struct packed {
    logic [1:0] unused;
    mul_op_e    op;
  } mul_t;

  typedef struct packed {
    logic [1:0] unused;
    div_op_e    op;
  } div_t;

  typedef struct packed {
    logic    unused;
    logic    immediate;  // the operand is the immediate, else rs1
    csr_op_e op;
  } csr_t;

  typedef union packed {
    alu_op_e    alu;
    branch_op_e branch;
    jump_op_e   jump;
    mul_t       mul;
    div_t       div;
    float_op_e  fpu;
    mem_op_e    mem;
    csr_t       csr;
    sys_op_e    sys;
    logic [3:0] bits;
  } op_t;

  // Unit and operation of an instruction.
  typedef struct packed {
    logic  word;  // the 32-bit form
    unit_e unit;
    op_t   op;
  } action_t;

  // funct5 of AMOs.
  typedef enum logic [4:0] {
    AmoAdd = 5'b00000,
    AmoSwap = 5'b00001,
    AmoXor = 5'b00100,
    AmoOr = 5'b01000,
    AmoAnd = 5'b01100,
    AmoMin = 5'b10000,
    AmoMax = 5'b10100,
    AmoMinu = 5'b11000,
    AmoMaxu = 5'b11100
  } amo_op_e;

  // The size of an access, as log2 of bytes.
  typedef enum logic [1:0] {
    SizeByte = 2'd0,
    SizeHalf = 2'd1,
    SizeWord = 2'd2,
    SizeDouble = 2'd3
  } size_e;

  // Operations of the FPU.
  typedef enum logic [4:0] {
    FpuAdd = 5'd0,
    FpuSub = 5'd1,
    FpuMul = 5'd2,
    FpuMadd = 5'd3,
    FpuMsub = 5'd4,
    FpuNmsub = 5'd5,
    FpuNmadd = 5'd6,
    FpuDiv = 5'd7,
    FpuSqrt = 5'd8,
    FpuSgnj = 5'd9,
    FpuSgnjn = 5'd10,
    FpuSgnjx = 5'd11,
    FpuMin = 5'd12,
    FpuMax = 5'd13,
    FpuEq = 5'd14,
    FpuLt = 5'd15,
    FpuLe = 5'd16,
    FpuClass = 5'd17,
    FpuMoveToX = 5'd18,
    FpuMoveToF = 5'd19,
    FpuToInt = 5'd20,
    FpuFromInt = 5'd21,
    FpuToFloat = 5'd22  // fcvt.s.d, fcvt.d.s
  } fpu_op_e;

  // Rounding modes, as encoded in frm.
  typedef enum logic [2:0] {
    RoundNearestEven = 3'd0,
    RoundToZero = 3'd1,
    RoundDown = 3'd2,
    RoundUp = 3'd3,
    RoundNearestMax = 3'd4
  } rounding_e;

  // The register frm, and the field rm of instructions: a rounding_e or a reserved value; in
  // instructions also RoundDynamic, the mode in frm.
  typedef logic [2:0] frm_t;
  localparam frm_t RoundDynamic = 3'd7;

  // fflags.
  typedef struct packed {
    logic invalid;
    logic divide;
    logic overflow;
    logic underflow;
    logic inexact;
  } fflags_t;

  // Integer types of conversions: bits 1:0 of the field rs2 of fcvt.
  typedef enum logic [1:0] {
    IntW = 2'd0,
    IntWu = 2'd1,
    IntL = 2'd2,
    IntLu = 2'd3
  } integer_e;

  typedef struct packed {
    logic     is_double;
    integer_e int_kind;
    fpu_op_e  op;
  } fpu_t;

  // funct3 of loads and stores.
  typedef struct packed {
    logic  is_unsigned;
    size_e size;
  } width_t;

  // Fields of the expanded instruction that M needs. The upper 12 bits are the number of a
  // CSR.
  typedef struct packed {
    amo_op_e    amo;
    logic [1:0] aq_rl;
    logic [4:0] rs2;
    logic [4:0] rs1;
    width_t     width;
  } fields_t;

  // Exceptions detected before M. A fetch may fault on the second half of the
  // instruction.
  typedef enum logic [2:0] {
    BadNone = 3'd0,
    BadIllegal = 3'd1,
    BadAccess = 3'd4,
    BadAccessHalf = 3'd5,
    BadPage = 3'd6,
    BadPageHalf = 3'd7
  } bad_e;

  // An instruction between two stages; the struct is named after what the earlier stage has
  // done. Valid, unit and rd are separate signals: without an instruction unit is UnitAlu
  // and rd is 0. A struct of those three costs the simulator 2 % of all instructions,
  // since nearly every line of X, M and the forwarding reads one of them.
  //
  // A field begins at a multiple of 32 bits or lies within one word of 32 bits; otherwise
  // the simulator assembles it from two words, and needs 4 % more instructions.

  typedef struct packed {
    bad_e        bad;
    logic [31:0] insn;
    logic [63:0] next_pc;  // as predicted
    logic [63:0] pc;
  } fetched_t;

  typedef struct packed {
    logic        word;  // the 32-bit form
    op_t         op;
    bad_e        bad;
    fields_t     fields;
    logic [31:0] insn;
    logic [63:0] imm;
    logic [63:0] b;
    logic [63:0] a;
    logic [63:0] next_pc;  // as predicted
    logic [63:0] pc;
  } issued_t;

  // An operation of the FPU with its rounding mode.
  typedef struct packed {
    fpu_t      op;
    rounding_e rounding;
  } float_t;

  typedef struct packed {
    op_t         op;
    bad_e        bad;
    fields_t     fields;
    logic [31:0] insn;
    logic [63:0] b;
    logic [63:0] result;  // an address, or the operand of a CSR instruction
    logic [63:0] next_pc;  // of the instruction that follows it in memory
    logic [63:0] pc;
  } executed_t;

  // Privilege, as the specification numbers it.
  typedef enum logic [1:0] {
    PrivU = 2'd0,
    PrivS = 2'd1,
    PrivM = 2'd3
  } priv_e;

  // The implemented bits of mstatus and sstatus.
  typedef struct packed {
    logic       tsr;
    logic       tw;
    logic       tvm;
    logic       mxr;
    logic       sum;
    logic       mprv;
    logic [1:0] zero16_15;
    logic [1:0] fs;  // floating-point state: off, initial, clean, dirty
    priv_e      mpp;
    logic [1:0] zero10_9;
    logic       spp;
    logic       mpie;
    logic       zero6;
    logic       spie;
    logic       zero4;
    logic       mie;
    logic       zero2;
    logic       sie;
    logic       zero0;
  } mstatus_t;

  // satp, whose mode is Bare or Sv39.
  typedef struct packed {
    logic        translates;
    logic [2:0]  zero62_60;
    logic [15:0] asid;
    logic [43:0] root;  // page number of the first table
  } satp_t;

  // Exception codes (privileged specification, table of mcause).
  typedef enum logic [4:0] {
    CauseFetchAccess = 5'd1,
    CauseIllegal = 5'd2,
    CauseBreak = 5'd3,
    CauseLoadMisaligned = 5'd4,
    CauseLoadAccess = 5'd5,
    CauseStoreMisaligned = 5'd6,
    CauseStoreAccess = 5'd7,
    CauseEcallU = 5'd8,
    CauseEcallS = 5'd9,
    CauseEcallM = 5'd11,
    CauseFetchPage = 5'd12,
    CauseLoadPage = 5'd13,
    CauseStorePage = 5'd15,
    CauseFetchGuestPage = 5'd20,  // of the hypervisor extension, which this hart has not
    CauseLoadGuestPage = 5'd21,
    CauseVirtual = 5'd22,
    CauseStoreGuestPage = 5'd23
  } cause_e;

  // The cause of a trap: code is a cause_e, or with irq a csr_pkg::irq_e.
  typedef struct packed {
    logic       irq;
    logic [4:0] code;
  } trap_cause_t;

  // Kinds of access, for the walker and the PMP.
  typedef enum logic [1:0] {
    AccessFetch = 2'd0,
    AccessLoad = 2'd1,
    AccessStore = 2'd2
  } access_e;

  // Address spaces, which tag TLB entries: physical in M-mode; physical in S and U;
  // translated.
  typedef enum logic [1:0] {
    SpaceMachine = 2'd0,
    SpaceBare = 2'd1,
    SpaceSv39 = 2'd2
  } space_e;

  // Permissions of a TLB entry: modes and kinds of access.
  typedef struct packed {
    logic single_use;  // for this access only
    logic device;  // not RAM
    logic supervisor;
    logic user;
    logic xr;  // readable with MXR, since executable
    logic x;
    logic w;
    logic r;
  } tlb_flags_t;

  // Data of a TLB entry.
  typedef struct packed {
    tlb_flags_t  flags;
    logic [43:0] ppn;
  } tlb_entry_t;

  // The translated address of an access, from lsu_address.sv to lsu_queue.sv.
  typedef struct packed {
    logic        valid;  // translated, and allowed
    logic        single_use;  // this translation is for this access only
    logic        device;  // not RAM
    logic [55:0] pa;
  } translated_t;

  // The result of a walk.
  typedef struct packed {
    logic       fault;
    logic       page_fault;  // else an access fault
    logic       is_global;  // set in physical spaces
    logic       superpage;  // part of a superpage
    tlb_entry_t entry;
  } walk_result_t;

  // A request for a walk.
  typedef struct packed {
    logic [15:0] asid;  // 0 in physical spaces
    access_e     access;
    size_e       size;
    priv_e       priv;
    space_e      space;
    logic [63:0] va;
  } walk_req_t;

  // What the walker does.
  typedef enum logic [1:0] {
    WalkIdle = 2'd0,
    WalkStep = 2'd1,  // evaluates an entry
    WalkRead = 2'd2  // reads the next entry
  } walk_state_e;

  // Returns from traps.
  typedef enum logic [1:0] {
    XretNone = 2'd0,
    XretS = 2'd1,
    XretM = 2'd3
  } xret_e;

  // The scope of a TLB flush: all entries, or fewer.
  typedef struct packed {
    logic       page;  // only of one page, and of superpages
    logic       asid;  // not of global pages
    logic [5:0] index;  // low bits of the number of that page
  } tlb_flush_t;

  // What fences, and writes of some CSRs, invalidate.
  typedef struct packed {
    logic       icache;  // the L1I
    logic       tlb;  // both TLBs, within scope
    tlb_flush_t scope;
  } fence_t;

  // A check by the PMP, and the access that it allows.
  typedef struct packed {
    size_e       size;
    logic        machine;
    logic [55:0] pa;
  } pmp_check_t;

  typedef struct packed {
    logic split;  // for this access only: an entry covers part of the page
    logic x;
    logic w;
    logic r;
  } pmp_allow_t;

  // The kind of an instruction in the BTB.
  typedef enum logic [1:0] {
    KindNone = 2'd0,  // the entry is empty
    KindBranch = 2'd1,
    KindJump = 2'd2,
    KindReturn = 2'd3
  } kind_e;

  // The instructions that a hart commits in a cycle, at most: lanes of its trace port, LANES of the
  // loop of soc-sim, and commit_width in the header of a stream, whose cycles have as many slots.
  localparam int unsigned Commits = 32'd1;

  // The trace port; sim/verilated/pins.h and tests/modules/trace_port.cc repeat its
  // structs, and are compiled only with the same numbers of bits. Its settings.
  typedef struct packed {
    logic classes;  // the classes of lost cycles, and events, are counted
    logic full;  // all tokens are full
    logic on;  // the port is in use
  } trace_mode_t;

  // Events of the cycle that just ended.
  typedef struct packed {
    logic trap;  // a trap was entered
    logic valid;  // an instruction committed
  } trace_event_t;

  // The token of a committed instruction; with a trap, epc and the instruction there.
  typedef struct packed {
    logic [31:0] insn;
    logic [63:0] pc;
  } trace_token_t;

  // Details of full tokens and of traps: what an instruction does, its access to memory, and
  // the rest.
  typedef struct packed {
    rd_t  rd;  // 0: none written
    logic xret;
    logic satp_we;
    logic load;
    logic store;
  } trace_effect_t;

  typedef struct packed {
    size_e       size;
    logic        device;
    logic [55:0] addr;  // physical
    logic [63:0] wdata;
  } trace_access_t;

  typedef struct packed {
    priv_e         priv;  // the mode before
    trace_effect_t effect;
    trap_cause_t   cause;
    trace_access_t access;
    logic [63:0]   value;  // of rd, if it is an integer register; tval of a trap
  } trace_detail_t;

  // Bits of these structs and of class_e, for ports with one for each lane.
  localparam int unsigned TraceEventBits = 2;
  localparam int unsigned TraceTokenBits = 96;
  localparam int unsigned TraceDetailBits = 205;
  localparam int unsigned TraceClassBits = 5;

endpackage
