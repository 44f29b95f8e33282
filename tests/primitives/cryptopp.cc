// Answers "name rounds key iv data" in hexadecimal ("-" for nothing), a line each, by Crypto++:
// data is one block, or a message of a stream cipher.
#define CRYPTOPP_ENABLE_NAMESPACE_WEAK 1
#include <cryptopp/algparam.h>
#include <cryptopp/cast.h>
#include <cryptopp/hight.h>
#include <cryptopp/lea.h>
#include <cryptopp/mars.h>
#include <cryptopp/modes.h>
#include <cryptopp/rc2.h>
#include <cryptopp/rc5.h>
#include <cryptopp/rc6.h>
#include <cryptopp/salsa.h>
#include <cryptopp/seal.h>
#include <cryptopp/serpent.h>
#include <cryptopp/simon.h>
#include <cryptopp/speck.h>
#include <cryptopp/tea.h>
#include <cryptopp/twofish.h>

#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <vector>

using namespace CryptoPP;
using Bytes = std::vector<byte>;
using Cipher = std::function<void(int rounds, const Bytes &key, const Bytes &iv, Bytes &data)>;

/* As a mode: a single call for a block of SIMON128 or SPECK128 is wrong in the Crypto++ 8.7 of
 * Debian 12. */
template <class C> void with(const NameValuePairs &parameters, const Bytes &key, Bytes &data) {
    typename ECB_Mode<C>::Encryption cipher;
    cipher.SetKey(key.data(), key.size(), parameters);
    cipher.ProcessData(data.data(), data.data(), data.size());
}

template <class C> void block(int, const Bytes &key, const Bytes &, Bytes &data) {
    with<C>(g_nullNameValuePairs, key, data);
}

template <class C> void rounds_given(int rounds, const Bytes &key, const Bytes &, Bytes &data) {
    with<C>(MakeParameters("Rounds", rounds), key, data);
}

void rc2(int, const Bytes &key, const Bytes &, Bytes &data) {
    with<RC2>(MakeParameters("EffectiveKeyLength", (int)(8 * key.size())), key, data);
}

template <class C> void stream(int, const Bytes &key, const Bytes &iv, Bytes &data) {
    typename C::Encryption cipher;
    cipher.SetKeyWithIV(key.data(), key.size(), iv.data(), iv.size());
    cipher.ProcessData(data.data(), data.data(), data.size());
}

static Bytes bytes(const std::string &text) {
    Bytes out;
    for (size_t i = 0; text != "-" && i < text.size(); i += 2) {
        out.push_back((byte)std::stoi(text.substr(i, 2), nullptr, 16));
    }
    return out;
}

int main() {
    const std::map<std::string, Cipher> ciphers = {
        {"CAST-128", block<CAST128>},
        {"HIGHT", block<HIGHT>},
        {"LEA", block<LEA>},
        {"MARS", block<MARS>},
        {"RC2", rc2},
        {"RC5", rounds_given<RC5>},
        {"RC6", rounds_given<RC6>},
        {"Serpent", block<Serpent>},
        {"SIMON-64", block<SIMON64>},
        {"SIMON-128", block<SIMON128>},
        {"SPECK-64", block<SPECK64>},
        {"SPECK-128", block<SPECK128>},
        {"TEA", block<TEA>},
        {"Twofish", block<Twofish>},
        {"XTEA", block<XTEA>},
        {"Salsa20", stream<Salsa20>},
        {"SEAL-3.0-BE", stream<SEAL<BigEndian>>},
    };
    std::string name, key, iv, data;
    int rounds;
    while (std::cin >> name >> rounds >> key >> iv >> data) {
        Bytes message = bytes(data);
        ciphers.at(name)(rounds, bytes(key), bytes(iv), message);
        for (byte one : message) {
            printf("%02x", one);
        }
        printf("%s\n", message.empty() ? "-" : "");
    }
}
