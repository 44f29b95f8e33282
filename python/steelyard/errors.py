"""Errors that end a command with one sentence and an exit status of the command line's contract."""

from __future__ import annotations


class SteelyardError(Exception):
    """Base class: the message is one clear sentence for the user; `exit_status` is the command's."""

    exit_status = 1


class UsageError(SteelyardError):
    """The request or an input is wrong: an unknown name, a malformed file, an impossible option."""

    exit_status = 2


class EnvironmentProblem(SteelyardError):
    """The machine lacks something: a compiler, disk space, a readable store."""

    exit_status = 3
