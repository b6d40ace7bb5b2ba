# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""lsp_test.py SERVER: speaks with mercator-lsp-server as an editor does."""

import json
import subprocess
import sys

MLIR = """\
module attributes {mhlo.num_partitions = 1 : i32} {
  func.func @main(%x: tensor<4x8xf32>) -> tensor<8xf32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    // \U0001d6fc: two units of UTF-16
    %t = stablehlo.transpose %x, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
    %sums = stablehlo.reduce(%t init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<8xf32>
    return %sums : tensor<8xf32>
  }
}
"""
HLO = """\
HloModule m
ENTRY e {
  x = f32[4,8] parameter(0)
  ROOT t = f32[8,4] transpose(x), dimensions={1,0}
}
"""


class Editor:
    def __init__(self, server):
        self.process = subprocess.Popen([server], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.next = 0
        self.published = {}

    def send(self, method, params, **more):
        text = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(text), text))
        self.process.stdin.flush()

    def receive(self):
        length = None
        while (line := self.process.stdout.readline().strip()) != b"":
            name, value = line.split(b":")
            if name.lower() == b"content-length":
                length = int(value)
        return json.loads(self.process.stdout.read(length))

    def ask(self, method, params):
        self.next += 1
        self.send(method, params, id=self.next)
        while True:
            message = self.receive()
            if message.get("id") == self.next:
                return message.get("result")
            if message.get("method") == "textDocument/publishDiagnostics":
                self.published[message["params"]["uri"]] = message["params"]["diagnostics"]

    def open(self, uri, text):
        item = {"uri": uri, "languageId": "mlir", "version": 1, "text": text}
        self.send("textDocument/didOpen", {"textDocument": item})

    def change(self, uri, *changes):
        self.send(
            "textDocument/didChange",
            {"textDocument": {"uri": uri, "version": 2}, "contentChanges": list(changes)},
        )

    def hover(self, uri, line, character):
        where = {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}
        result = self.ask("textDocument/hover", where)
        return result["contents"]["value"] if result else ""


failed = 0


def check(what, good, got=""):
    global failed
    print(f"{'ok  ' if good else 'FAIL'} {what}{'' if good else f': got {got!r}'}")
    failed += not good


def place(line, character):
    return {"line": line, "character": character}


editor = Editor(sys.argv[1])
capabilities = editor.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
check("hover is offered", capabilities["capabilities"]["hoverProvider"])

editor.open("file:///t.mlir", MLIR)
text = editor.hover("file:///t.mlir", 5, 6)
check("the map of a definition", "`%sums` reads\n- `%t`: `(d0)[s0] -> (d0, s0)`, d0 in 0..7" in text, text)
check("what MLIR says stays", "stablehlo.reduce" in text, text)
text = editor.hover("file:///t.mlir", 5, 31)
check("the map of an operand", "- `%x`: `(d0, d1) -> (d1, d0)`" in text, text)
editor.change("file:///t.mlir", {"range": {"start": place(4, 41), "end": place(4, 45)}, "text": "1, 0"})
# From behind a character of two units into the next line.
editor.change("file:///t.mlir", {"range": {"start": place(3, 9), "end": place(4, 5)}, "text": "\n    %"})
text = editor.hover("file:///t.mlir", 4, 5)
check("after a change", "`(d0, d1) -> (d1, d0)`" in text, text)
editor.change("file:///t.mlir", {"range": {"start": place(4, 9), "end": place(4, 28)}, "text": "stablehlo.nothing"})
text = editor.hover("file:///t.mlir", 4, 5)
check("no map in a program with errors", "reads" not in text, text)
check("MLIR shows the error", editor.published.get("file:///t.mlir"), editor.published)

editor.open("file:///t.hlo", HLO)
text = editor.hover("file:///t.hlo", 3, 7)
check("HLO text", text == "`t` reads\n- `x`: `(d0, d1) -> (d1, d0)`, d0 in 0..7, d1 in 0..3", text)
check("no errors in it", editor.published["file:///t.hlo"] == [], editor.published)
editor.change("file:///t.hlo", {"text": HLO.replace("f32[8,4]", "f32[8,4")})
text = editor.hover("file:///t.hlo", 3, 7)
found = editor.published["file:///t.hlo"]
check("an error in it", len(found) == 1 and found[0]["range"]["start"]["line"] == 3, found)
check("the error says what was expected", "expected" in found[0]["message"], found)
for junk in ({"textDocument": {"uri": 3}}, {"textDocument": None}, [], None):
    editor.send("textDocument/didChange", junk)
editor.change("file:///t.hlo", {"range": {"start": {"line": -1}}, "text": "x"}, 7, {"text": 3})
editor.change("file:///none.hlo", {"text": "x"})
check("messages that are none do not end it", editor.hover("file:///none.mlir", 1, 1) == "", "")

editor.ask("shutdown", None)
editor.send("exit", None)
editor.process.stdin.close()
check("it ends with 0", editor.process.wait(timeout=20) == 0, editor.process.returncode)
sys.exit(1 if failed else 0)
