"""`api.h` as NIST's calls for algorithms made it common: macros of sizes, and functions of fixed names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from steelyard.catalog.models import ForeignCall, Kind
from steelyard.catalog.trees.expression import NotANumber, is_name, value
from steelyard.catalog.trees.preprocess import Preprocessor, Unreadable
from steelyard.catalog.trees.sizeof import Types


class Sizes:
    """Values of the macros of `api.h`, whatever begins their names."""

    def __init__(self, headers: Preprocessor) -> None:
        self._headers = headers

    @cached_property
    def _types(self) -> Types:
        return Types(self._headers.text)

    def of(self, name: str) -> int:
        """Return a size in bytes; NotANumber says which macro has no value and why."""
        named = [one for one in self._headers.macros if one == name or one.endswith(f"_{name}")]
        if not named:
            raise NotANumber(f"its api.h defines no {name}")
        macro = min(named, key=len)
        try:
            size = value(self._headers.expand(macro), self._types.size)
        except (NotANumber, Unreadable) as error:
            raise NotANumber(f"{macro} of its api.h cannot be evaluated: {error}") from None
        if size < 0:
            raise NotANumber(f"{macro} of its api.h is {size}")
        return size


_KEM = (
    ("keypair", "crypto_kem_keypair", ("public-key", "secret-key")),
    ("encapsulate", "crypto_kem_enc", ("ciphertext", "shared-secret", "public-key")),
    ("decapsulate", "crypto_kem_dec", ("shared-secret", "ciphertext", "secret-key")),
)
_KEYPAIR = ("keypair", "crypto_sign_keypair", ("public-key", "secret-key"))
_SIGN = (
    _KEYPAIR,
    ("sign", "crypto_sign", ("signed", "count", "input", "input.bytes", "secret-key")),
    ("verify", "crypto_sign_open", ("output", "count", "signed", "signed.bytes", "public-key")),
)
_DETACHED = (
    _KEYPAIR,
    ("sign", "crypto_sign_signature", ("signature", "count", "input", "input.bytes", "secret-key")),
    ("verify", "crypto_sign_verify",
     ("signature", "signature.bytes", "input", "input.bytes", "public-key")),
)  # fmt: skip
"""Operation, function and arguments. Signature and message in one come first: benches measure these."""


class Interface:
    """Functions that `api.h` declares, under the names that macros and namespaces give them."""

    def __init__(self, headers: Preprocessor, kind: Kind, namespace: str) -> None:
        self._headers = headers
        self._namespace = namespace
        self._kind = kind
        self._text = [word for word in headers.text if word != " "]

    def calls(self) -> list[ForeignCall] | str:
        """Return the calls of all operations, or why there are none."""
        for wanted in (_KEM,) if self._kind == "kem" else (_SIGN, _DETACHED):
            listed = [self._call(*one) for one in wanted]
            if all(isinstance(one, ForeignCall) for one in listed):
                return [one for one in listed if isinstance(one, ForeignCall)]
            missing = next(one for one in listed if isinstance(one, str))
        return missing

    def _call(self, operation: str, function: str, arguments: Sequence[str]) -> ForeignCall | str:
        """Return a call as the macros of `api.h` make it, or why there is none."""
        placeholders = {f"steelyard_argument_{number}": one for number, one in enumerate(arguments)}
        for name in self._names(function):
            made = [w for w in self._headers.expand(f"{name}({', '.join(placeholders)})") if w != " "]
            parameters = self._parameters(made[0])
            if parameters is None or made[1:2] != ["("] or made[-1] != ")":
                continue
            given = _parted(made[2:-1])
            if len(given) != len(parameters):
                return f"its api.h declares {made[0]} with {len(parameters)} parameters"
            listed = [_argument(*pair, placeholders) for pair in zip(given, parameters, strict=True)]
            if None in listed:
                return f"its api.h calls {made[0]} with an argument that is not understood"
            return ForeignCall.model_validate(
                {
                    "operation": operation,
                    "function": made[0],
                    "arguments": tuple(listed),
                    "success": 0 if operation == "verify" else None,
                }
            )
        return f"its api.h declares no {function}"

    def _names(self, function: str) -> list[str]:
        behind = [word for word in self._text if word.endswith(f"_{function}") and is_name(word)]
        return list(dict.fromkeys((f"{self._namespace}{function}", function, *behind)))

    def _parameters(self, function: str) -> list[list[str]] | None:
        """Return the words of each parameter of a declared function."""
        for at, word in enumerate(self._text):
            if word == function and self._text[at + 1 : at + 2] == ["("] and ")" in self._text[at:]:
                return _parted(self._text[at + 2 : self._text.index(")", at)])
        return None


def _parted(listed: Sequence[str]) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    depth = 0
    for word in listed:
        depth += {"(": 1, ")": -1}.get(word, 0)
        if word == "," and not depth:
            parts.append([])
        else:
            parts[-1].append(word)
    return parts


def _argument(given: Sequence[str], parameter: Sequence[str], placeholders: Mapping[str, str]) -> str | None:
    """Return an argument of a call with the size that its parameter has, None for one that is not known."""
    plain = placeholders.get("".join(given))
    if plain is None:
        try:
            plain = str(value(given, unknown=0 if given == ["NULL"] else None))
        except NotANumber:
            return None
    if "*" in parameter or "[" in parameter:
        return "null" if plain == "0" else plain
    wide = "uint64_t" in parameter or list(parameter).count("long") == 2
    return plain + (":8" if wide else "")
