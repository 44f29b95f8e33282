// Ibex's RTL as a reference of the tester. Both memories are granted in the cycle of the request and answer in the next
// one. An instruction enters with the ID stage.
#include "../protocol.h"

#include "Vbench.h"
#include "verilated.h"

double sc_time_stamp() { return 0; }

namespace {

constexpr uint32_t kCode = 0x00100000, kCodeBytes = 0x100000;
// Data of the streams, and of the targets' images.
constexpr uint32_t kRam = 0x40000000, kRamBytes = 0x20000;
constexpr uint32_t kChip = 0x20000000, kChipBytes = 0x300000;
// A page that nothing else takes, and where in it Ibex starts.
constexpr uint32_t kBoot = kCode + kCodeBytes - 0x100, kReset = kBoot + 0x80;
constexpr int kMostCycles = 1000;

class Memory {
  public:
    uint8_t *at(uint32_t address, uint32_t length) {
        if (address >= kCode && uint64_t{address} + length <= kCode + kCodeBytes) return &code_[address - kCode];
        if (address >= kRam && uint64_t{address} + length <= kRam + kRamBytes) return &ram_[address - kRam];
        if (address >= kChip && uint64_t{address} + length <= kChip + kChipBytes) return &chip_[address - kChip];
        return nullptr;
    }

    uint32_t word(uint32_t address) {
        const uint8_t *bytes = at(address & ~3u, 4);
        if (!bytes) return 0;
        return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | uint32_t{bytes[3]} << 24;
    }

    void store(uint32_t address, uint32_t value, unsigned enabled) {
        uint8_t *bytes = at(address & ~3u, 4);
        for (int lane = 0; bytes && lane < 4; lane++)
            if (enabled >> lane & 1) bytes[lane] = value >> 8 * lane;
    }

  private:
    Bytes code_ = Bytes(kCodeBytes), ram_ = Bytes(kRamBytes), chip_ = Bytes(kChipBytes);
};

class Core {
  public:
    Memory memory;
    // Since the program's first instruction entered.
    uint64_t clocks = 0;
    uint32_t pc = 0;

    // Resets the core and lets it jump to the address.
    bool begin(uint32_t address) {
        const uint32_t distance = address - kReset;
        const uint32_t jump = 0x6f | (distance & 0x7fe) << 20 | (distance & 0x800) << 9 | (distance & 0xff000) |
                              (distance & 0x100000) << 11;
        memory.store(kReset, jump, 15);
        top_.boot_addr_i = kBoot;
        top_.instr_rvalid_i = top_.data_rvalid_i = 0;
        // The reset is an edge.
        top_.rst_ni = 1;
        cycle();
        top_.rst_ni = 0;
        cycle();
        cycle();
        top_.rst_ni = 1;
        for (int count = 0; count < 8; count++) {
            if (!step()) return false;
            if (pc == address) {
                clocks = 0;
                return true;
            }
        }
        return false;
    }

    // Runs until the next instruction enters the ID stage.
    bool step() {
        for (int count = 0; count < kMostCycles; count++) {
            cycle();
            clocks++;
            if (top_.entered_o) {
                pc = top_.entered_pc_o;
                return true;
            }
        }
        return false;
    }

  private:
    void cycle() {
        top_.clk_i = 0;
        top_.eval();
        const bool fetches = top_.rst_ni && top_.instr_req_o, accesses = top_.rst_ni && top_.data_req_o;
        const uint32_t fetched = fetches ? memory.word(top_.instr_addr_o) : 0;
        const uint32_t loaded = accesses && !top_.data_we_o ? memory.word(top_.data_addr_o) : 0;
        if (accesses && top_.data_we_o) memory.store(top_.data_addr_o, top_.data_wdata_o, top_.data_be_o);
        top_.clk_i = 1;
        top_.eval();
        top_.instr_rvalid_i = fetches;
        top_.instr_rdata_i = fetched;
        top_.data_rvalid_i = accesses;
        top_.data_rdata_i = loaded;
        top_.eval();
    }

    Vbench top_;
};

}  // namespace

int main() {
    Core core;
    return serve(core);
}
