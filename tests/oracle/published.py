"""Compare the oracles of ML-KEM and ML-DSA with published files of answers, as they are.

`python tests/oracle/published.py FILE...` takes JSON files of NIST's ACVP server (internalProjection.json of
keyGen, encapDecap, sigGen and sigVer) and of Wycheproof (testvectors_v1/mlkem_*, mldsa_*), and prints how
many answers of each were right. The files are too large to be kept here.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from steelyard.oracle import ml_dsa, ml_kem

Test = dict[str, Any]


def answers(path: Path) -> Iterator[tuple[str, bool]]:
    """Yield the name of each test of a file, and whether the oracle says what the file says."""
    file = json.loads(path.read_text())
    schema = file.get("schema", "")
    for group in file["testGroups"]:
        for test in group["tests"]:
            asked = {"mode": file.get("mode"), "algorithm": file.get("algorithm")} | group | test
            name = f"{asked.get('parameterSet') or asked['algorithm']} {asked['tcId']}"
            if "testGroups" in file and schema:
                yield name, _wycheproof(schema, asked)
            else:
                right = _acvp(asked)
                if right is not None:
                    yield name, right


def _wycheproof(schema: str, asked: Test) -> bool:
    valid = asked["result"] == "valid"
    try:
        said = _says_wycheproof(schema, asked)
    except ValueError:
        return not valid
    return said == valid


def _says_wycheproof(schema: str, asked: Test) -> bool:
    if schema.startswith("mlkem"):
        sizes = ml_kem.SETS[asked["parameterSet"].lower()]
        if schema == "mlkem_encaps_test_schema.json":
            found = ml_kem.encapsulate(sizes, _hex(asked, "ek"), _hex(asked, "m"))
            return found == (_hex(asked, "c"), _hex(asked, "K"))
        if schema == "mlkem_semi_expanded_decaps_test_schema.json":
            found = ml_kem.decapsulate(sizes, _hex(asked, "dk"), _hex(asked, "c"))
            return "K" not in asked or found == _hex(asked, "K")
        public, secret = ml_kem.keypair(sizes, _hex(asked, "seed"))
        if schema == "mlkem_keygen_seed_test_schema.json":
            return (public, secret) == (_hex(asked, "ek"), _hex(asked, "dk"))
        found = ml_kem.decapsulate(sizes, secret, _hex(asked, "c"))
        return public == _hex(asked, "ek") and found == _hex(asked, "K")
    sizes = ml_dsa.SETS[asked["algorithm"].lower()]
    signature = _hex(asked, "sig")
    context = _hex(asked, "ctx")
    if schema == "mldsa_verify_schema.json":
        public = _hex(asked, "publicKey")
        if "msg" not in asked:
            return ml_dsa.verify_representative(sizes, public, _hex(asked, "mu"), signature)
        return ml_dsa.verify(sizes, public, _hex(asked, "msg"), signature, context)
    rnd = _hex(asked, "rnd") if "rnd" in asked else bytes(32)
    if "privateSeed" in asked:
        public, secret = ml_dsa.keypair(sizes, _hex(asked, "privateSeed"))
        if public != _hex(asked, "publicKey"):
            return False
    else:
        secret = _hex(asked, "privateKey")
    if "msg" not in asked:
        return ml_dsa.sign_representative(sizes, secret, _hex(asked, "mu"), rnd) == signature
    return ml_dsa.sign(sizes, secret, _hex(asked, "msg"), rnd, context) == signature


def _acvp(asked: Test) -> bool | None:
    """Return whether an answer is right; None for pre-hashed messages, which no oracle here signs."""
    name = asked["parameterSet"].lower()
    match asked["mode"], asked.get("function"):
        case "keyGen", _ if asked["algorithm"] == "ML-KEM":
            found = ml_kem.keypair(ml_kem.SETS[name], _hex(asked, "d") + _hex(asked, "z"))
            return found == (_hex(asked, "ek"), _hex(asked, "dk"))
        case "keyGen", _:
            found = ml_dsa.keypair(ml_dsa.SETS[name], _hex(asked, "seed"))
            return found == (_hex(asked, "pk"), _hex(asked, "sk"))
        case _, "encapsulation":
            found = ml_kem.encapsulate(ml_kem.SETS[name], _hex(asked, "ek"), _hex(asked, "m"))
            return found == (_hex(asked, "c"), _hex(asked, "k"))
        case _, "decapsulation":
            shared = ml_kem.decapsulate(ml_kem.SETS[name], _hex(asked, "dk"), _hex(asked, "c"))
            return shared == _hex(asked, "k")
        case _, "encapsulationKeyCheck" | "decapsulationKeyCheck":
            return _accepts_key(ml_kem.SETS[name], asked) == asked["testPassed"]
    return _acvp_signature(ml_dsa.SETS[name], asked)


def _accepts_key(sizes: ml_kem.Parameters, asked: Test) -> bool:
    try:
        if asked["function"] == "encapsulationKeyCheck":
            ml_kem.encapsulate(sizes, _hex(asked, "ek"), bytes(32))
        else:
            ml_kem.decapsulate(sizes, _hex(asked, "dk"), bytes(sizes.ciphertext_bytes))
    except ValueError:
        return False
    return True


def _acvp_signature(sizes: ml_dsa.Parameters, asked: Test) -> bool | None:
    if asked.get("preHash") == "preHash":
        return None
    message = _hex(asked, "message")
    if asked.get("signatureInterface") == "external":
        message = ml_dsa.formatted(message, _hex(asked, "context"))
    mu = _hex(asked, "mu") if asked.get("externalMu") else None
    if asked["mode"] == "sigGen":
        secret, rnd = _hex(asked, "sk"), _hex(asked, "rnd") or bytes(32)
        if mu is None:
            return ml_dsa.sign_internal(sizes, secret, message, rnd) == _hex(asked, "signature")
        return ml_dsa.sign_representative(sizes, secret, mu, rnd) == _hex(asked, "signature")
    public, signature = _hex(asked, "pk"), _hex(asked, "signature")
    if mu is None:
        mu = ml_dsa.representative(public, message)
    return ml_dsa.verify_representative(sizes, public, mu, signature) == asked["testPassed"]


def _hex(asked: Test, name: str) -> bytes:
    return bytes.fromhex(asked.get(name) or "")


def main() -> int:
    """Check the files of the command line."""
    wrong = 0
    for path in map(Path, sys.argv[1:]):
        said = list(answers(path))
        wrong += sum(not right for _, right in said)
        print(f"{path}: {sum(right for _, right in said)} of {len(said)} right")
        for name, right in said:
            if not right:
                print(f"  wrong: {name}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
