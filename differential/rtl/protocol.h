// The tester's side of a simulated core: commands over standard input, answers over standard
// output, as differential/simulators/simulator.c describes them. It knows LAYOUT, WRITE, SET, STEP,
// READ and DIGEST; the layout is the program counter alone, and setting it resets the core and lets
// it run to there.
//
// A core has `memory.at(address, length)`, `begin(address)`, `step()`, and as numbers `clocks` and
// `pc`. A state is that of the cycle in which the next instruction enters.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

using Bytes = std::vector<uint8_t>;

constexpr uint8_t kStepped = 0, kStuck = 4;

[[noreturn]] inline void fail(const char *message) {
    std::fprintf(stderr, "bench: %s\n", message);
    std::exit(3);
}

class Reader {
  public:
    explicit Reader(const Bytes &bytes) : bytes_(bytes) {
    }
    bool more() const {
        return position_ < bytes_.size();
    }
    const uint8_t *take(size_t length) {
        if (length > bytes_.size() - position_)
            fail("a batch is too short");
        position_ += length;
        return &bytes_[position_ - length];
    }
    uint32_t number(int length) {
        const uint8_t *bytes = take(length);
        uint32_t value = 0;
        for (int at = 0; at < length; at++)
            value |= uint32_t{bytes[at]} << 8 * at;
        return value;
    }

  private:
    const Bytes &bytes_;
    size_t position_ = 0;
};

inline void put(Bytes &answer, uint64_t value, int length) {
    for (int at = 0; at < length; at++)
        answer.push_back(value >> 8 * at);
}

template <class Core> uint8_t *mapped(Core &core, uint32_t address, uint32_t length) {
    uint8_t *bytes = core.memory.at(address, length);
    if (!bytes)
        fail("no memory lies there");
    return bytes;
}

template <class Core> void carry_out(Core &core, const Bytes &batch, Bytes &answer) {
    enum { kLayout = 1, kWrite, kSet, kStep, kRead = 6, kDigest };
    Reader reader(batch);
    while (reader.more()) {
        switch (reader.number(1)) {
        case kLayout: {
            reader.number(1);
            if (reader.number(2) != 1)
                fail("the layout is the program counter alone");
            reader.take(3);
            break;
        }
        case kWrite: {
            const uint32_t address = reader.number(4), length = reader.number(4);
            const uint8_t *bytes = reader.take(length);
            std::copy(bytes, bytes + length, mapped(core, address, length));
            break;
        }
        case kSet: {
            reader.number(2);
            if (!core.begin(reader.number(4)))
                fail("the core does not reach the program");
            break;
        }
        case kStep: {
            const uint32_t count = reader.number(4);
            Bytes states;
            uint32_t done = 0;
            for (bool going = true; going && done < count;) {
                going = core.step();
                done++;
                put(states, going ? kStepped : kStuck, 1);
                put(states, done, 4);
                put(states, core.clocks, 8);
                put(states, core.pc, 4);
            }
            put(answer, done, 4);
            answer.insert(answer.end(), states.begin(), states.end());
            break;
        }
        case kRead: {
            const uint32_t address = reader.number(4), length = reader.number(4);
            const uint8_t *bytes = mapped(core, address, length);
            answer.insert(answer.end(), bytes, bytes + length);
            break;
        }
        case kDigest: {
            const uint32_t address = reader.number(4), length = reader.number(4);
            const uint8_t *bytes = mapped(core, address, length);
            uint64_t hash = 0xcbf29ce484222325;
            for (uint32_t at = 0; at < length; at++)
                hash = (hash ^ bytes[at]) * 0x100000001b3;
            put(answer, hash, 8);
            break;
        }
        default:
            fail("no such command");
        }
    }
}

inline bool receive(void *bytes, size_t length) {
    return std::fread(bytes, 1, length, stdin) == length;
}

// Answers batches until there are no more.
template <class Core> int serve(Core &core) {
    uint32_t length = 0;
    while (receive(&length, 4)) {
        Bytes batch(length), answer;
        if (length && !receive(batch.data(), length))
            fail("a batch is too short");
        carry_out(core, batch, answer);
        const uint32_t answered = answer.size();
        std::fwrite(&answered, 4, 1, stdout);
        std::fwrite(answer.data(), 1, answered, stdout);
        std::fflush(stdout);
    }
    return 0;
}
