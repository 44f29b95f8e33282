// Ibex with its memories left to the program around it, and a view of the instruction that enters the ID stage.
module bench
  import ibex_pkg::*;
#(
  parameter bit Maxperf = 1'b0
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [31:0] boot_addr_i,
  output logic        instr_req_o,
  input  logic        instr_rvalid_i,
  output logic [31:0] instr_addr_o,
  input  logic [31:0] instr_rdata_i,
  output logic        data_req_o,
  input  logic        data_rvalid_i,
  output logic        data_we_o,
  output logic [3:0]  data_be_o,
  output logic [31:0] data_addr_o,
  output logic [31:0] data_wdata_o,
  input  logic [31:0] data_rdata_i,
  output logic        entered_o,
  output logic [31:0] entered_pc_o
);
  ibex_top #(
    .RV32M          (Maxperf ? RV32MSingleCycle : RV32MFast),
    .RV32B          (RV32BNone),
    .RV32ZC         (Maxperf ? RV32ZcaZcbZcmp : RV32Zca),
    .BranchTargetALU(Maxperf),
    .WritebackStage (Maxperf)
  ) top (
    .clk_i,
    .rst_ni,
    .scan_rst_ni(1'b1),
    .boot_addr_i,
    .instr_req_o,
    .instr_gnt_i(1'b1),
    .instr_rvalid_i,
    .instr_addr_o,
    .instr_rdata_i,
    .data_req_o,
    .data_gnt_i(1'b1),
    .data_rvalid_i,
    .data_we_o,
    .data_be_o,
    .data_addr_o,
    .data_wdata_o,
    .data_rdata_i,
    .cheriot_enable_i(IbexMuBiOff),
    .fetch_enable_i(IbexMuBiOn),
    .mcounteren_writable_i(IbexMuBiOff)
  );
  assign entered_o = top.u_ibex_core.instr_new_id;
  assign entered_pc_o = top.u_ibex_core.pc_id;
endmodule
