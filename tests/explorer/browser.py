# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""A headless Chromium, driven through a pipe by the DevTools protocol.

    with Browser() as browser:
        page = browser.open(path)
        page.click("#tab-warp")
        assert page.evaluate("document.title").startswith("Warp")
        page.screenshot(picture)
        assert not page.errors
"""

import base64
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome")


def find_chromium():
    """The program, or None."""
    return next((found for found in map(shutil.which, NAMES) if found), None)


class Browser:
    def __init__(self, width=1280, height=860):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_child, self.output = os.pipe()
        self.input, from_child = os.pipe()
        command = [
            find_chromium(),
            "--headless=new",
            "--remote-debugging-pipe",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--hide-scrollbars",
            "--force-color-profile=srgb",
            f"--user-data-dir={self.folder.name}",
            f"--window-size={width},{height}",
        ]

        def connect():
            # Chromium reads commands from 3 and writes answers to 4.
            a, b = os.dup(to_child), os.dup(from_child)
            os.dup2(a, 3)
            os.dup2(b, 4)

        self.process = subprocess.Popen(
            command,
            close_fds=False,
            preexec_fn=connect,
            pass_fds=(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_child)
        os.close(from_child)
        self.buffer = b""
        self.number = 0
        self.events = []
        self.size = (width, height)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.input)
        os.close(self.output)
        self.folder.cleanup()

    def receive(self, seconds):
        """The next message."""
        end = time.monotonic() + seconds
        while b"\0" not in self.buffer:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.input], [], [], left)[0]:
                raise TimeoutError("no answer from Chromium")
            data = os.read(self.input, 1 << 20)
            if not data:
                raise ConnectionError("Chromium has ended")
            self.buffer += data
        message, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(message)

    def send(self, method, session=None, seconds=60, **parameters):
        """Calls a method, and returns its result."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.output, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive(seconds)
            if answer.get("id") != self.number:
                self.events.append(answer)
                continue
            if "error" in answer:
                raise RuntimeError(f"{method}: {answer['error']['message']}")
            return answer["result"]

    def open(self, path, fragment="", ready="document.documentElement?.dataset.ready"):
        """Opens a local file, and waits until the page says that it is ready."""
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session, target)
        page.send("Runtime.enable")
        page.send("Log.enable")
        page.send("Page.enable")
        page.send("Network.enable")
        page.resize(*self.size)
        page.go(path, fragment, ready)
        return page


class Page:
    def __init__(self, browser, session, target):
        self.browser, self.session, self.target = browser, session, target

    def send(self, method, **parameters):
        return self.browser.send(method, session=self.session, **parameters)

    def close(self):
        self.browser.send("Target.closeTarget", targetId=self.target)

    def resize(self, width, height):
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def go(self, path, fragment="", ready="document.documentElement?.dataset.ready"):
        began = time.monotonic()
        self.send("Page.navigate", url=pathlib.Path(path).resolve().as_uri() + fragment)
        self.wait(ready, 60)
        self.seconds = time.monotonic() - began

    def evaluate(self, expression):
        """The value of an expression, which may be a promise."""
        answer = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise AssertionError(details.get("exception", {}).get("description") or details["text"])
        return answer["result"].get("value")

    def wait(self, expression, seconds=20):
        end = time.monotonic() + seconds
        while not self.evaluate(f"!!({expression})"):
            if time.monotonic() > end:
                raise TimeoutError(f"never true: {expression}")
            time.sleep(0.02)

    def settle(self):
        """Waits for two frames."""
        self.evaluate("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(() => r(true))))")

    def center(self, selector):
        """The middle of the first element that fits, scrolled into sight."""
        place = self.evaluate(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); if (!e) return null;"
            " e.scrollIntoView({block: 'center'}); const r = e.getBoundingClientRect();"
            " return [r.x, r.y, r.width, r.height]; })()"
        )
        assert place, f"no element {selector}"
        return place

    def mouse(self, kind, x, y, **more):
        self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1, **more)

    def click(self, selector, x=None, y=None):
        """Clicks at (x, y) from the corner of an element; else in its middle."""
        left, top, width, height = self.center(selector)
        at = (left + (width / 2 if x is None else x), top + (height / 2 if y is None else y))
        self.mouse("mousePressed", *at)
        self.mouse("mouseReleased", *at)
        self.settle()

    def click_text(self, selector, text):
        """Clicks the first element that fits and has this text."""
        found = self.evaluate(
            f"(() => {{ const e = [...document.querySelectorAll({json.dumps(selector)})].find(e => e.textContent.includes({json.dumps(text)}));"
            " if (!e) return false; e.setAttribute('data-clicked', ''); return true; })()"
        )
        assert found, f"no {selector} with the text {text}"
        self.click("[data-clicked]")
        self.evaluate("document.querySelector('[data-clicked]')?.removeAttribute('data-clicked')")

    def drag(self, selector, start, end):
        left, top, _, _ = self.center(selector)
        self.mouse("mousePressed", left + start[0], top + start[1])
        self.mouse("mouseMoved", left + (start[0] + end[0]) / 2, top + (start[1] + end[1]) / 2, buttons=1)
        self.mouse("mouseMoved", left + end[0], top + end[1], buttons=1)
        self.mouse("mouseReleased", left + end[0], top + end[1])
        self.settle()

    def key(self, key, modifiers=0, text=None):
        codes = {"ArrowRight": 39, "ArrowLeft": 37, "ArrowDown": 40, "ArrowUp": 38, "Enter": 13, "Tab": 9, "Escape": 27}
        code = codes.get(key, ord(key[0].upper()))
        text = text if text is not None else (key if len(key) == 1 else "\r" if key == "Enter" else "")
        parameters = {"key": key, "modifiers": modifiers, "windowsVirtualKeyCode": code}
        self.send("Input.dispatchKeyEvent", type="keyDown", text=text, **parameters)
        self.send("Input.dispatchKeyEvent", type="keyUp", **parameters)
        self.settle()

    def type(self, selector, text):
        self.evaluate(f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.focus(); e.select(); }})()")
        self.send("Input.insertText", text=text)

    def screenshot(self, path):
        """Writes a picture; the ending of the name says of which format: png or webp."""
        self.settle()
        kind = pathlib.Path(path).suffix[1:]
        more = {"quality": 82} if kind == "webp" else {}
        pathlib.Path(path).write_bytes(base64.b64decode(self.send("Page.captureScreenshot", format=kind, **more)["data"]))

    @property
    def errors(self):
        """Exceptions, errors in the console, and requests of the network."""
        self.evaluate("1")
        found = []
        for event in self.browser.events:
            if event.get("sessionId") != self.session:
                continue
            method, data = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                details = data["exceptionDetails"]
                found.append(details.get("exception", {}).get("description") or details["text"])
            elif method == "Runtime.consoleAPICalled" and data["type"] in ("error", "warning", "assert"):
                found.append(f"console: {[a.get('value') for a in data['args']]}")
            elif method == "Log.entryAdded" and data["entry"]["level"] in ("error", "warning"):
                found.append(data["entry"]["text"])
            elif method == "Network.requestWillBeSent":
                url = data["request"]["url"]
                if not url.startswith(("file:", "data:", "blob:", "about:")):
                    found.append(f"a request: {url}")
        return found
