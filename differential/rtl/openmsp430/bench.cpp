// openMSP430's RTL as a reference of the tester. Both memories answer in the cycle behind the request. An instruction
// enters as it is decoded.
#include "../protocol.h"

#include "Vbench.h"
#include "verilated.h"

double sc_time_stamp() { return 0; }

namespace {

// Memories of the chip that build.sh makes.
constexpr uint32_t kData = 0x0200, kDataBytes = 0x4000;
constexpr uint32_t kCode = 0x5c00, kCodeBytes = 0xa400;
// Where the address of the first instruction stands.
constexpr uint32_t kReset = 0xfffe;
constexpr int kMostCycles = 1000;

class Memory {
  public:
    uint8_t *at(uint32_t address, uint32_t length) {
        if (address >= kCode && uint64_t{address} + length <= kCode + kCodeBytes) return &code_[address - kCode];
        if (address >= kData && uint64_t{address} + length <= kData + kDataBytes) return &data_[address - kData];
        return nullptr;
    }

    uint16_t word(uint32_t address) {
        const uint8_t *bytes = at(address, 2);
        if (!bytes) fail("no memory lies there");
        return bytes[0] | bytes[1] << 8;
    }

    void store(uint32_t address, uint16_t value, unsigned enabled) {
        uint8_t *bytes = at(address, 2);
        for (int lane = 0; lane < 2; lane++)
            if (enabled >> lane & 1) bytes[lane] = value >> 8 * lane;
    }

  private:
    Bytes code_ = Bytes(kCodeBytes), data_ = Bytes(kDataBytes);
};

class Core {
  public:
    Memory memory;
    // Since the program's first instruction was decoded.
    uint64_t clocks = 0;
    uint32_t pc = 0;

    // Resets the core, which begins at the address.
    bool begin(uint32_t address) {
        memory.store(kReset, address, 3);
        // The reset is an edge.
        for (int level : {1, 0, 0, 0, 1}) {
            top_.reset_n = level;
            cycle();
        }
        const bool begins = step() && pc == address;
        clocks = 0;
        return begins;
    }

    // Runs until the next instruction is decoded.
    bool step() {
        for (int count = 0; count < kMostCycles; count++) {
            cycle();
            clocks++;
            if (top_.entered) {
                pc = top_.entered_pc;
                return true;
            }
        }
        return false;
    }

  private:
    void cycle() {
        top_.clk = 0;
        top_.eval();
        const bool fetches = !top_.pmem_cen, accesses = !top_.dmem_cen;
        const uint32_t datum = kData + 2 * top_.dmem_addr;
        const uint16_t fetched = fetches ? memory.word(kCode + 2 * top_.pmem_addr) : top_.pmem_dout;
        const uint16_t loaded = accesses ? memory.word(datum) : top_.dmem_dout;
        if (accesses) memory.store(datum, top_.dmem_din, ~top_.dmem_wen & 3);
        top_.clk = 1;
        top_.eval();
        top_.pmem_dout = fetched;
        top_.dmem_dout = loaded;
        top_.eval();
    }

    Vbench top_;
};

}  // namespace

int main() {
    Core core;
    return serve(core);
}
