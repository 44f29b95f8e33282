// openMSP430 with its memories left to the program around it, and a view of the instruction that is decoded.
module bench(
  input  wire        clk,
  input  wire        reset_n,
  input  wire [`IRQ_NR-3:0] irq,
  output wire        pmem_cen,
  output wire [15:0] pmem_addr,
  input  wire [15:0] pmem_dout,
  output wire        dmem_cen,
  output wire [1:0]  dmem_wen,
  output wire [15:0] dmem_addr,
  output wire [15:0] dmem_din,
  input  wire [15:0] dmem_dout,
  output wire        entered,
  output wire [15:0] entered_pc
);
  openMSP430 core(
    .cpu_en(1'b1),
    .dbg_en(1'b0),
    .dbg_i2c_addr(7'h0),
    .dbg_i2c_broadcast(7'h0),
    .dbg_i2c_scl(1'b1),
    .dbg_i2c_sda_in(1'b1),
    .dbg_uart_rxd(1'b1),
    .dco_clk(clk),
    .dmem_addr(dmem_addr[`DMEM_MSB:0]),
    .dmem_cen(dmem_cen),
    .dmem_din(dmem_din),
    .dmem_dout(dmem_dout),
    .dmem_wen(dmem_wen),
    .dma_addr(15'h0),
    .dma_din(16'h0),
    .dma_en(1'b0),
    .dma_priority(1'b0),
    .dma_we(2'h0),
    .dma_wkup(1'b0),
    .irq(irq),
    .lfxt_clk(1'b0),
    .nmi(1'b0),
    .per_dout(16'h0),
    .pmem_addr(pmem_addr[`PMEM_MSB:0]),
    .pmem_cen(pmem_cen),
    .pmem_dout(pmem_dout),
    .reset_n(reset_n),
    .scan_enable(1'b0),
    .scan_mode(1'b0),
    .wkup(1'b0)
  );
  assign pmem_addr[15:`PMEM_MSB+1] = 0;
  assign dmem_addr[15:`DMEM_MSB+1] = 0;
  assign entered = core.frontend_0.decode;
  assign entered_pc = core.frontend_0.pc;
endmodule
