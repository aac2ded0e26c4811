// SPDX-License-Identifier: Apache-2.0
// Types of the network interface. Its registers are in nic.md.

package nic_pkg;

  localparam int unsigned Entries = 64;  // of each queue
  localparam int unsigned MaxFrame = 10240;  // bytes
  localparam int unsigned SendWords = 4096;  // of 8 bytes, in the send buffer: 32 KiB
  localparam int unsigned SendFrames = 64;
  localparam int unsigned ReceiveWords = 8192;  // 64 KiB
  localparam int unsigned ReceiveFrames = 256;

  // A word of the link: `bytes` is the number of valid ones less one, 7 unless it is the
  // last of a frame. The first byte is in the lowest bits.
  typedef struct packed {
    logic        last;
    logic [2:0]  bytes;
    logic [63:0] data;
  } link_t;

  // Inputs of the network interface that are not data: a beat that DMA has read, a line that it
  // has written, a word of the link; then the levels of the link. One struct, since a
  // simulator registers it in every cycle.
  typedef struct packed {
    logic dma_rsp;
    logic dma_done;
    logic link_rx;
    logic link_up;
    logic link_ready;
  } input_t;

  // The checksum of a frame to send; both positions are even.
  localparam int unsigned CsumBits = 27;
  typedef struct packed {
    logic        on;
    logic [13:1] offset;
    logic [13:1] start;
  } csum_t;

  // An entry of SEND, with the checksum if it is the first of its frame.
  localparam int unsigned SendBits = 91;
  typedef struct packed {
    csum_t       csum;
    logic        partial;
    logic [14:0] length;
    logic [47:0] addr;
  } send_t;

  // An entry of RECV.
  localparam int unsigned RecvBits = 64;
  typedef struct packed {
    logic [15:0] size;
    logic [47:0] addr;
  } recv_t;

  // A frame in the send buffer.
  localparam int unsigned SendFrameBits = 44;
  typedef struct packed {
    logic        on;
    logic [13:1] offset;
    logic [15:0] sum;
    logic [13:0] length;
  } send_frame_t;

  // A frame in the receive buffer, and an entry of RECEIVED.
  localparam int unsigned ReceivedBits = 32;
  typedef struct packed {
    logic [15:0] sum;
    logic        good;
    logic        known;
    logic [13:0] length;
  } received_t;

  // Drops of the receiver: the buffer was full, the frame too long, the receiver off.
  typedef struct packed {
    logic full;
    logic size;
    logic off;
  } drop_t;

endpackage
