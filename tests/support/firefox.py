"""Drives Firefox by the commands of WebDriver BiDi that tests need (https://w3c.github.io/webdriver-bidi)."""

import asyncio
import json
import shutil
import subprocess
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from threading import Thread
from time import sleep
from typing import Any

from tornado.websocket import websocket_connect

PATIENCE = 60
"""The timeout of a command, in seconds."""


class Firefox:
    """A window of Firefox."""

    def __init__(self, address: str) -> None:
        """Open a session; `address` is where the program listens."""
        self._loop, self._numbers = asyncio.new_event_loop(), count()
        self._thread = Thread(target=self._loop.run_forever, daemon=True)  # another loop may run here
        self._thread.start()
        self._socket = self._wait(lambda: websocket_connect(f"{address}/session", max_message_size=10**9))
        self._send("session.new", capabilities={})
        (window,) = self._send("browsingContext.getTree")["contexts"]
        self.window: str = window["context"]

    def open(self, url: str) -> None:
        """Open a page and wait until it is loaded."""
        self._send("browsingContext.navigate", context=self.window, url=url, wait="complete")

    def resize(self, width: int, height: int) -> None:
        """Set the size of the page in pixels."""
        viewport = {"width": width, "height": height}
        self._send("browsingContext.setViewport", context=self.window, viewport=viewport)

    def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        keyboard = {"type": "key", "id": "keyboard", "actions": actions}
        self._send("input.performActions", context=self.window, actions=[keyboard])

    def evaluate(self, expression: str) -> Any:
        """The value of a JavaScript expression, or of its promise, which must be JSON."""
        actual = self._send(
            "script.evaluate",
            expression=f"(async () => JSON.stringify((await ({expression})) ?? null))()",
            target={"context": self.window},
            awaitPromise=True,
        )
        assert actual["type"] == "success", actual
        return json.loads(actual["result"]["value"])

    def until(self, condition: str) -> None:
        """Wait until a JavaScript expression is true."""
        for _ in range(20 * PATIENCE):
            if self.evaluate(f"Boolean({condition})"):
                return
            sleep(0.05)
        raise AssertionError(f"it did not come about that {condition}")

    def _send(self, method: str, **parameters: Any) -> Any:
        number = next(self._numbers)
        message = json.dumps({"id": number, "method": method, "params": parameters})
        self._wait(lambda: self._socket.write_message(message))
        while True:
            answer = json.loads(self._wait(self._socket.read_message))
            if answer.get("id") == number:
                assert answer["type"] == "success", answer
                return answer["result"]

    def _wait(self, call: Callable[[], Awaitable[Any]]) -> Any:
        async def waited() -> Any:
            return await asyncio.wait_for(call(), PATIENCE)

        return asyncio.run_coroutine_threadsafe(waited(), self._loop).result()

    def close(self) -> None:
        """Close the connection."""
        self._loop.call_soon_threadsafe(self._socket.close)
        self._wait(self._socket.read_message)  # the message that it is closed
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


@contextmanager
def running(profile: Path) -> Iterator[Firefox]:
    """A window of Debian's Firefox, which `make test-slow` installs, with an empty profile."""
    program = shutil.which("firefox-esr") or "firefox"
    asked = [program, "--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port=0"]
    with subprocess.Popen(asked, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as process:
        try:
            assert process.stderr is not None
            line = next(line for line in process.stderr if "listening on ws://" in line)
            window = Firefox(line[line.index("ws://") :].strip())
            yield window
            window.close()
        finally:
            process.kill()
