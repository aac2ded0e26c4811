// SPDX-License-Identifier: Apache-2.0
// The classes of lost cycles, or of lost slots.

package class_pkg;

  // Why a cycle commits nothing: classes of the second level of top-down analysis, with
  // their first level.
  typedef enum logic [4:0] {
    ClassNone = 5'd0,
    ClassFeL2 = 5'd1,  // frontend: L1I miss, not known to be in DRAM
    ClassFeDram = 5'd2,  // frontend: L1I miss that DRAM answers
    ClassFeItlb = 5'd3,  // frontend: page-table walk
    ClassFeFetch = 5'd4,  // frontend: second half of an instruction
    ClassBadBranch = 5'd5,  // bad speculation: recovery from a misprediction
    ClassBadFlush = 5'd6,  // the same: reset, xret, fence.i, sfence.vma, satp, pmp*
    ClassBadTrap = 5'd7,  // the same: trap entry and recovery from it
    // backend: M waits for the L1D: miss, line of the walker, probe, clearing after reset
    ClassMemL2 = 5'd8,
    ClassMemDram = 5'd9,  // backend: the same, DRAM answers
    ClassMemDtlb = 5'd10,  // backend: page-table walk
    ClassMemDevice = 5'd11,  // backend: device access
    ClassMemAtomic = 5'd12,  // backend: second half of an AMO
    ClassCoreLoadUse = 5'd13,  // backend: D waits for a value known only in M
    ClassCoreMul = 5'd14,
    ClassCoreDiv = 5'd15,
    ClassIdle = 5'd16,  // WFI
    ClassCoreFloat = 5'd17,  // backend: the FPU, or a hazard of F and D
    // Of the out-of-order core alone (ooo_classes.sv)
    ClassBadClear = 5'd18,  // bad speculation: recovery from what was no misprediction
    ClassMemStore = 5'd19,  // backend: a load waits for an older store
    ClassCoreDependency = 5'd20,  // backend: a value of an ALU
    ClassCorePorts = 5'd21,  // backend: ready, but its port is taken
    ClassCoreSerial = 5'd22  // backend: instructions that execute alone
  } class_e;

endpackage
