"""Headers of a tree read as a C preprocessor reads them: macros, conditions, and what then is declared.

Nothing is compiled, no file outside the tree is opened. Headers that are not in the tree, such as the
compiler's own, are passed over.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from steelyard.catalog.trees.expression import NotANumber, is_name, value, words
from steelyard.errors import UsageError
from steelyard.files import read_limited
from steelyard.nearest import printable

_LIMIT_BYTES = 4 << 20
_MOST_FILES = 500
_DEEPEST = 50
_MOST_EXPANSIONS = 100_000

_COMMENT = re.compile(
    r"""("(?:[^"\\\n]|\\.)*+"?|'(?:[^'\\\n]|\\.)*+'?)|//(?:\\\n|[^\n])*|/\*.*?(?:\*/|\Z)""", re.DOTALL
)
_DIRECTIVE = re.compile(r"\s*#\s*([a-z]+)\b(.*)", re.DOTALL)
_INCLUDED = re.compile(r"""\s*(?:"([^"\n]+)"|<([^>\n]+)>)""")
_DEFINED = re.compile(r"\s*([A-Za-z_]\w*)(\([^)]*\))?(.*)", re.DOTALL)
_ASKED = re.compile(r"\bdefined\s*(?:\(\s*([A-Za-z_]\w*)\s*\)|([A-Za-z_]\w*))")


class Unreadable(ValueError):
    """Headers that cannot be followed; the message is a clause that names file and line."""


@dataclass(frozen=True)
class Macro:
    """A macro; `parameters` is None for one without parentheses, and the last may be `...`."""

    parameters: tuple[str, ...] | None
    body: tuple[str, ...]


_Word = tuple[str, frozenset[str]]
"""A word, and the macros that it came out of, which do not apply to it again."""


class Preprocessor:
    """Macros and declarations of headers below `root`, which are searched in `folders`.

    `text` holds the words of what is declared, with macros expanded; `#pragma pack` stays in it.
    """

    def __init__(self, root: Path, folders: Sequence[Path], defines: Mapping[str, str]) -> None:
        self._root = os.path.realpath(root)
        self._folders = tuple(folders)
        self._files = 0
        self._once: set[str] = set()
        self.macros = {name: Macro(None, _trimmed(words(body))) for name, body in defines.items()}
        self.text: list[str] = []

    def read(self, path: Path, depth: int = 0) -> None:
        """Read a header and what it includes; Unreadable names file and line."""
        real = os.path.realpath(path)
        if real in self._once:
            return
        self._files += 1
        if self._files > _MOST_FILES or depth > _DEEPEST:
            raise Unreadable(f"{self._shown(path)}: its headers include each other without end")
        try:
            content = read_limited(Path(real), _LIMIT_BYTES, "a header").decode("utf-8", "replace")
        except UsageError as error:
            raise Unreadable(str(error).rstrip(".")) from None
        self._File(self, path, depth).read(content)

    def expand(self, text: str) -> list[str]:
        """Return the words of a text with all macros expanded; Unreadable where that has no end."""
        return self._expanded(words(text))

    def _shown(self, path: Path) -> str:
        return printable(os.path.relpath(path, self._root), 200)

    def _found(self, includer: Path, name: str, quoted: bool) -> Path | None:
        folders = (includer.parent, *self._folders) if quoted else self._folders
        for folder in folders:
            path = Path(os.path.normpath(folder / name))
            if path.is_file():
                if not os.path.realpath(path).startswith(f"{self._root}/"):
                    raise Unreadable(f'{self._shown(includer)}: "{printable(name)}" leads out of the tree')
                return path
        return None

    def _expanded(self, listed: Sequence[str]) -> list[str]:
        steps = [0]
        return [word for word, _ in self._expansion([(word, frozenset()) for word in listed], steps)]

    def _expansion(self, listed: list[_Word], steps: list[int]) -> Iterator[_Word]:
        """Yield words with macros expanded, each of them but once within itself."""
        pending = list(reversed(listed))
        while pending:
            word, hidden = pending.pop()
            macro = self.macros.get(word)
            if macro is None or word in hidden:
                yield word, hidden
                continue
            steps[0] += 1
            if steps[0] > _MOST_EXPANSIONS:
                raise Unreadable(f"the macro {printable(word)} expands without end")
            if macro.parameters is None:
                body: list[_Word] = [(one, frozenset()) for one in macro.body]
                pending += reversed(_hiding(_pasted(body), hidden | {word}))
                continue
            arguments = _arguments(pending)
            if arguments is None:
                yield word, hidden
                continue
            body = self._substituted(macro, macro.parameters, arguments, steps)
            pending += reversed(_hiding(_pasted(body), hidden | {word}))

    def _substituted(
        self, macro: Macro, parameters: Sequence[str], arguments: Sequence[list[_Word]], steps: list[int]
    ) -> list[_Word]:
        """Return a body with its parameters replaced, those beside `#` and `##` unexpanded."""
        named = ["__VA_ARGS__" if one == "..." else one for one in parameters]
        given = dict(zip(named, [*arguments, *([] for _ in named)], strict=False))
        if named and named[-1] == "__VA_ARGS__":
            rest: list[_Word] = []
            for number, one in enumerate(arguments[len(named) - 1 :]):
                rest += [*([(",", frozenset[str]())] if number else []), *one]
            given["__VA_ARGS__"] = rest
        solid = [word for word in macro.body if word != " "]
        result: list[_Word] = []
        place = -1
        for word in macro.body:
            place += word != " "
            if word not in given:
                result.append((word, frozenset()))
                continue
            beside = solid[max(place - 1, 0) : place + 2]
            raw = "##" in beside or (place > 0 and solid[place - 1] == "#")
            result += given[word] if raw else self._expansion(given[word], steps)
        return result

    class _File:
        """A file that is being read: its conditions, and the lines that no directive ends."""

        def __init__(self, whole: Preprocessor, path: Path, depth: int) -> None:
            self._whole = whole
            self._path = path
            self._depth = depth
            self._line = 0
            # Of each open condition: whether its lines count now, and whether a branch was taken.
            self._open: list[tuple[bool, bool]] = []
            self._plain: list[str] = []

        def read(self, content: str) -> None:
            """Read all lines."""
            content = content.replace("\r\n", "\n")
            content = _COMMENT.sub(lambda match: match[1] or " " + "\n" * match[0].count("\n"), content)
            joined = ""
            for number, line in enumerate(content.split("\n"), start=1):
                self._line = self._line if joined else number
                if line.endswith("\\"):
                    joined += line[:-1] + " "
                    continue
                self._read_line(joined + line)
                joined = ""
            self._flush()

        @property
        def _counts(self) -> bool:
            return all(counts for counts, _ in self._open)

        def _failed(self, reason: str) -> Unreadable:
            return Unreadable(f"{self._whole._shown(self._path)}:{self._line}: {reason}")

        def _read_line(self, line: str) -> None:
            directive = _DIRECTIVE.match(line)
            if directive is None:
                if self._counts:
                    self._plain.append(line)
                return
            name, rest = directive[1], directive[2]
            if name in ("if", "ifdef", "ifndef", "elif", "else", "endif"):
                self._condition(name, rest)
            elif self._counts:
                self._flush()
                self._directive(name, rest)

        def _flush(self) -> None:
            if self._plain:
                self._whole.text += self._whole.expand("\n".join(self._plain))
                self._plain.clear()

        def _condition(self, name: str, rest: str) -> None:
            self._flush()
            if name in ("if", "ifdef", "ifndef"):
                taken = self._counts and self._holds(name, rest)
                self._open.append((taken, taken))
                return
            if not self._open:
                raise self._failed(f"#{name} without #if")
            _, before = self._open.pop()
            if name == "endif":
                return
            taken = not before and self._counts and (name == "else" or self._holds("if", rest))
            self._open.append((taken, before or taken))

        def _holds(self, name: str, rest: str) -> bool:
            macros = self._whole.macros
            if name != "if":
                return (rest.strip() in macros) == (name == "ifdef")
            asked = _ASKED.sub(lambda match: str(int((match[1] or match[2]) in macros)), rest)
            try:
                return value(self._whole.expand(asked), unknown=0) != 0
            except NotANumber as error:
                raise self._failed(f"#if {printable(rest.strip(), 60)}: {error}") from None

        def _directive(self, name: str, rest: str) -> None:
            whole = self._whole
            if name == "include":
                match = _INCLUDED.match(rest) or _INCLUDED.match("".join(whole.expand(rest)))
                if match is None:
                    raise self._failed(f"#include {printable(rest.strip(), 60)} names no file")
                path = whole._found(self._path, match[1] or match[2], match[1] is not None)
                if path is not None:
                    whole.read(path, self._depth + 1)
            elif name == "define":
                defined = _DEFINED.match(rest)
                if defined is None:
                    raise self._failed("#define without a name")
                parameters = defined[2]
                named = None if parameters is None else tuple(one.strip() for one in _listed(parameters))
                whole.macros[defined[1]] = Macro(named, _trimmed(words(defined[3])))
            elif name == "undef":
                whole.macros.pop(rest.strip(), None)
            elif name == "pragma":
                if rest.split() == ["once"]:
                    whole._once.add(os.path.realpath(self._path))
                elif rest.split("(")[0].split() == ["pack"]:
                    whole.text += ["#", "pragma", *whole.expand(rest)]
            elif name == "error":
                raise self._failed(f"#error {printable(rest.strip(), 100)}")


def _listed(parameters: str) -> list[str]:
    inside = parameters[1:-1].strip()
    return inside.split(",") if inside else []


def _trimmed(listed: list[str]) -> tuple[str, ...]:
    while listed and listed[0] == " ":
        listed.pop(0)
    while listed and listed[-1] == " ":
        listed.pop()
    return tuple(listed)


def _arguments(pending: list[_Word]) -> list[list[_Word]] | None:
    """Take a call's arguments from the end of a reversed list; None, and nothing taken, without any."""
    at = len(pending) - 1
    while at >= 0 and pending[at][0] == " ":
        at -= 1
    if at < 0 or pending[at][0] != "(":
        return None
    depth = 0
    arguments: list[list[_Word]] = [[]]
    for place in range(at, -1, -1):
        word = pending[place]
        depth += {"(": 1, ")": -1}.get(word[0], 0)
        if not depth:
            del pending[place:]
            return [_without_ends(one) for one in arguments]
        if word[0] == "," and depth == 1:
            arguments.append([])
        elif place != at:
            arguments[-1].append(word)
    return None


def _without_ends(listed: list[_Word]) -> list[_Word]:
    solid = [place for place, (word, _) in enumerate(listed) if word != " "]
    return listed[solid[0] : solid[-1] + 1] if solid else []


def _pasted(body: list[_Word]) -> list[_Word]:
    """Return a body whose words beside `##` are one word."""
    if all(word != "##" for word, _ in body):
        return body
    result: list[_Word] = []
    joining = False
    for word, hidden in body:
        if word == "##":
            while result and result[-1][0] == " ":
                result.pop()
            joining = True
        elif joining and word == " ":
            continue
        elif joining and result:
            before, others = result.pop()
            result += [(one, hidden & others) for one in words(before + word)]
            joining = False
        else:
            result.append((word, hidden))
            joining = False
    return result


def _hiding(listed: list[_Word], names: frozenset[str]) -> list[_Word]:
    return [(word, hidden | names) if is_name(word) else (word, hidden) for word, hidden in listed]
