"""The report at a loopback address: the page, nothing else, for this machine, until Ctrl-C."""

from __future__ import annotations

import signal
import subprocess
from http.client import HTTPConnection
from threading import Thread
from typing import Any

import pytest

from steelyard.errors import UsageError
from steelyard.report.serve import HOST, PageServer


def answer(port: int, path: str = "/", method: str = "GET", **headers: str) -> tuple[int, bytes]:
    connection = HTTPConnection(HOST, port, timeout=10)
    try:
        connection.request(method, path, headers=headers)
        got = connection.getresponse()
        return got.status, got.read()
    finally:
        connection.close()


def test_only_the_page_is_served_and_only_by_its_own_name() -> None:
    with PageServer(b"<p>page") as server:
        Thread(target=server.serve_forever, daemon=True).start()
        port = server.server_port
        assert server.server_address[0] == HOST
        assert answer(port) == (200, b"<p>page")
        assert answer(port, method="HEAD") == (200, b"")
        assert answer(port, Host=f"localhost:{port}")[0] == 200
        assert answer(port, "/etc/passwd")[0] == 404
        assert answer(port, Host="example.org")[0] == 421
        assert answer(port, method="POST")[0] == 501
        with pytest.raises(UsageError, match=f"--port {port}: cannot be served at: Address already in use"):
            PageServer(b"", port)
        server.shutdown()


def test_the_command_serves_until_ctrl_c(steelyard: Any) -> None:
    steelyard.run("measure", "--primitive", "rc4-128", "--target", "atmega128", "--toolchain", "clang")
    process: subprocess.Popen[str] = steelyard.start(
        "report", "--serve", "-o", "served.html", process_group=0
    )
    try:
        assert process.stderr is not None
        said = next(line for line in process.stderr if "report is at" in line)
        port = int(said.split(f"{HOST}:")[1].split("/")[0])
        status, page = answer(port)
        assert (status, page) == (200, (steelyard.folder / "served.html").read_bytes())
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=20) == 130
    finally:
        process.kill()
        process.communicate()
