"""For all tests of data: a local HTTP server that serves bytes, and misbehaves as it is told."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest


@dataclass
class Faults:
    """What the server does wrong, and the requests that it saw (the start of the range, or 0)."""

    content: bytes
    cuts: int = 0  # so many answers end halfway
    status: int = 200
    failures: int = 0  # so many answers have `status`; -1: all
    pause: float = 0.0  # seconds after each block
    ranges: bool = True
    block: int = 1 << 14
    seen: list[int] = field(default_factory=list)
    url: str = ""


@contextmanager
def _serving(content: bytes, **told: Any) -> Iterator[Faults]:
    """A server on this machine hands out one file at `.url`; what it was asked is in `.seen`."""
    faults = Faults(content, **told)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            wanted = self.headers.get("Range", "bytes=0-")
            start = int(wanted.removeprefix("bytes=").rstrip("-")) if faults.ranges else 0
            faults.seen.append(start)
            if faults.failures:
                faults.failures -= 1
                self.send_error(faults.status)
                return
            if start and start >= len(faults.content):
                self.send_error(416)
                return
            body = faults.content[start:]
            self.send_response(206 if start else 200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if faults.cuts:
                faults.cuts -= 1
                body = body[: len(body) // 2]
            try:
                for i in range(0, len(body), faults.block):
                    self.wfile.write(body[i : i + faults.block])
                    time.sleep(faults.pause)
            except OSError:
                pass  # the client went away

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        faults.url = f"http://127.0.0.1:{server.server_port}/some/archive.zip"
        yield faults
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture
def serving() -> Callable[..., AbstractContextManager[Faults]]:
    """`with serving(content, cuts=2) as server:`"""
    return _serving
