// SPDX-License-Identifier: Apache-2.0
// Words that several modules share. Choices of the machine are in soc_map_pkg,
// which make writes from sim/soc.h.

package soc_pkg;

  // What executes an instruction, and what it does there.
  localparam logic [2:0] UNIT_ALU = 3'd0;
  localparam logic [2:0] UNIT_BRANCH = 3'd1;  // op: funct3
  localparam logic [2:0] UNIT_JUMP = 3'd2;  // op: JUMP_*
  localparam logic [2:0] UNIT_MUL = 3'd3;  // op: funct3[1:0]
  localparam logic [2:0] UNIT_DIV = 3'd4;  // op: funct3[1:0]
  localparam logic [2:0] UNIT_MEM = 3'd5;  // op: MEM_*
  localparam logic [2:0] UNIT_CSR = 3'd6;  // op: {0, immediate operand, funct3[1:0]}
  localparam logic [2:0] UNIT_SYS = 3'd7;  // op: SYS_*

  localparam logic [3:0] ALU_ADD = 4'd0;
  localparam logic [3:0] ALU_SUB = 4'd1;
  localparam logic [3:0] ALU_SLL = 4'd2;
  localparam logic [3:0] ALU_SLT = 4'd3;
  localparam logic [3:0] ALU_SLTU = 4'd4;
  localparam logic [3:0] ALU_XOR = 4'd5;
  localparam logic [3:0] ALU_SRL = 4'd6;
  localparam logic [3:0] ALU_SRA = 4'd7;
  localparam logic [3:0] ALU_OR = 4'd8;
  localparam logic [3:0] ALU_AND = 4'd9;

  localparam logic [3:0] JUMP_JAL = 4'd0;
  localparam logic [3:0] JUMP_JALR = 4'd1;

  localparam logic [3:0] MEM_LOAD = 4'd0;
  localparam logic [3:0] MEM_STORE = 4'd1;
  localparam logic [3:0] MEM_LR = 4'd2;
  localparam logic [3:0] MEM_SC = 4'd3;
  localparam logic [3:0] MEM_AMO = 4'd4;

  localparam logic [3:0] SYS_ECALL = 4'd0;
  localparam logic [3:0] SYS_EBREAK = 4'd1;
  localparam logic [3:0] SYS_MRET = 4'd2;
  localparam logic [3:0] SYS_SRET = 4'd3;
  localparam logic [3:0] SYS_WFI = 4'd4;
  localparam logic [3:0] SYS_SFENCE = 4'd5;
  localparam logic [3:0] SYS_FENCE_I = 4'd6;

  // Why an instruction cannot do what it says, found before M.
  localparam logic [2:0] BAD_NONE = 3'd0;
  localparam logic [2:0] BAD_ILLEGAL = 3'd1;
  localparam logic [2:0] BAD_ACCESS = 3'd4;  // fetch faults; + 1: of the second half
  localparam logic [2:0] BAD_PAGE = 3'd6;

  // Privilege, as the specification numbers it.
  localparam logic [1:0] PRIV_U = 2'd0;
  localparam logic [1:0] PRIV_S = 2'd1;
  localparam logic [1:0] PRIV_M = 2'd3;

  // Exception codes (privileged specification, table of mcause).
  localparam logic [3:0] CAUSE_FETCH_ACCESS = 4'd1;
  localparam logic [3:0] CAUSE_ILLEGAL = 4'd2;
  localparam logic [3:0] CAUSE_BREAK = 4'd3;
  localparam logic [3:0] CAUSE_LOAD_MISALIGNED = 4'd4;
  localparam logic [3:0] CAUSE_LOAD_ACCESS = 4'd5;
  localparam logic [3:0] CAUSE_STORE_MISALIGNED = 4'd6;
  localparam logic [3:0] CAUSE_STORE_ACCESS = 4'd7;
  localparam logic [3:0] CAUSE_ECALL_U = 4'd8;
  localparam logic [3:0] CAUSE_FETCH_PAGE = 4'd12;
  localparam logic [3:0] CAUSE_LOAD_PAGE = 4'd13;
  localparam logic [3:0] CAUSE_STORE_PAGE = 4'd15;

  // Kinds of access, for the walker and the PMP.
  localparam logic [1:0] ACCESS_FETCH = 2'd0;
  localparam logic [1:0] ACCESS_LOAD = 2'd1;
  localparam logic [1:0] ACCESS_STORE = 2'd2;

  // Address spaces, as TLB entries are tagged: physical in M-mode; physical in S
  // and U; translated.
  localparam logic [1:0] SPACE_MACHINE = 2'd0;
  localparam logic [1:0] SPACE_BARE = 2'd1;
  localparam logic [1:0] SPACE_SV39 = 2'd2;

  // Why a cycle commits nothing: two levels of top-down, the second says which
  // part.
  localparam logic [4:0] CLASS_NONE = 5'd0;
  localparam logic [4:0] CLASS_FE_L2 = 5'd1;  // frontend: L1I miss, L2 answers
  localparam logic [4:0] CLASS_FE_DRAM = 5'd2;  // frontend: L1I miss, DRAM answers
  localparam logic [4:0] CLASS_FE_ITLB = 5'd3;  // frontend: page-table walk
  localparam logic [4:0] CLASS_FE_FETCH = 5'd4;  // frontend: second half of an instruction
  localparam logic [4:0] CLASS_BAD_BRANCH = 5'd5;  // recovery from a wrong prediction
  // after reset, xret, fence.i, sfence.vma, satp, pmp*
  localparam logic [4:0] CLASS_BAD_FLUSH = 5'd6;
  localparam logic [4:0] CLASS_BAD_TRAP = 5'd7;  // trap entry and recovery from it
  // backend: the L1D misses, or fills for the walker, answers a probe, clears itself
  localparam logic [4:0] CLASS_MEM_L2 = 5'd8;
  localparam logic [4:0] CLASS_MEM_DRAM = 5'd9;  // backend: the same, while DRAM answers
  localparam logic [4:0] CLASS_MEM_DTLB = 5'd10;  // backend: page-table walk
  localparam logic [4:0] CLASS_MEM_DEVICE = 5'd11;  // backend: a device answers
  localparam logic [4:0] CLASS_MEM_ATOMIC = 5'd12;  // backend: second half of an AMO
  // backend: what only M knows (load, CSR) is waited for
  localparam logic [4:0] CLASS_CORE_LOAD_USE = 5'd13;
  localparam logic [4:0] CLASS_CORE_MUL = 5'd14;
  localparam logic [4:0] CLASS_CORE_DIV = 5'd15;
  localparam logic [4:0] CLASS_IDLE = 5'd16;  // WFI

endpackage
