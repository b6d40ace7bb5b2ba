# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""page_test.py [--pictures=FOLDER] [--large] BUILD-FOLDER: the pages of `mercator explore` in Chromium.

The page evaluates maps, composes them, and counts the sectors of warps: each is
compared with what the library and the commands say. Every view is clicked through.
With --large, also a model of 3 MB. With --pictures, writes the pictures of
docs/explorer.md there.
"""

import argparse
import collections
import html
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import browser

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
SHARED = pathlib.Path(os.environ.get("MERCATOR_SHARED", ROOT.parent / "shared")) / "data"
VIEWS = ("program", "elements", "warp", "boundaries", "schedule", "shards", "timeline", "simplifier", "proof", "diff")
MOST_BYTES = 400_000  # of a page without its data
OPEN_SECONDS, CLICK_MS = 2.0, 50.0
BUSY = 20  # without --large, which measures: only a freeze fails

failures = []
cases = 0


def check(condition, what):
    global cases
    cases += 1
    if not condition:
        failures.append(what)
        print(f"FAILED: {what}", flush=True)


class Pages:
    """Writes pages, and opens them."""

    def __init__(self, build, folder, chromium):
        self.mercator, self.folder, self.chromium = build / "bin" / "mercator", folder, chromium
        self.count = 0

    def ask(self, *words):
        done = subprocess.run([self.mercator, *map(str, words)], cwd=ROOT, capture_output=True, text=True, check=False)
        return done.stdout if done.returncode in (0, 3, 4) else None

    def write(self, file, *options):
        self.count += 1
        path = self.folder / f"{self.count}.html"
        done = subprocess.run(
            [self.mercator, "explore", str(file), *options, "-o", path], cwd=ROOT, capture_output=True, text=True, check=False
        )
        check(done.returncode == 0, f"explore {file}: {done.stderr}")
        return path

    def open(self, file, *options, fragment=""):
        return self.chromium.open(self.write(file, *options), fragment)

    def text(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path


def check_errors(page, what):
    for error in page.errors:
        check(False, f"{what}: {error}")


# What the page computes.


def check_points(pages, build):
    """The elements of random maps, from their structure and from their text."""
    count = 500
    golden = json.loads(subprocess.run([build / "bin" / "explorer-points", str(count)], capture_output=True, check=True).stdout)
    page = pages.open(EXAMPLES / "softmax.hlo")
    answer = page.evaluate(
        """(cases => {
          const bad = []; let points = 0, sets = 0;
          const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
          for (const c of cases) {
            const parsed = mercator.parseNotation(c.map);
            if (parsed.error) bad.push([c.seed, c.map, parsed.error]);
            for (const structure of [c.structure, parsed.map ?? c.structure])
              for (const [point, element] of c.points) {
                ++points;
                const got = mercator.evaluate(structure, point);
                if (!same(got, element)) bad.push([c.seed, c.map, point, element, got]);
              }
            if (!c.elements) continue;
            ++sets;
            const box = c.structure.variables.filter(v => v.kind === "dimension").map(v => v.interval);
            const got = mercator.reads(c.structure, box);
            const texts = list => [...new Set(list.map(e => e.join()))].sort();
            if (typeof got === "string" || !same(texts(got ?? []), texts(c.elements))) bad.push([c.seed, c.map, "set", got]);
          }
          return {bad: bad.slice(0, 5), points, sets};
        })(%s)"""
        % json.dumps(golden)
    )
    for bad in answer["bad"]:
        check(False, f"a map: {json.dumps(bad)}")
    check(answer["points"] >= 20_000 and answer["sets"] > 400, f"few points: {answer}")
    print(f"points: {answer['points']}, sets of elements: {answer['sets']}", flush=True)
    page.close()


def rows_of_rules():
    """The left sides of tests/indexing/simplify/rules as maps; its README has the form."""
    for file in sorted((ROOT / "tests" / "indexing" / "simplify" / "rules").glob("*.rules")):
        for line in file.read_text().splitlines():
            left = line.removeprefix("same:").removeprefix("normal:").split(" => ")[0].strip()
            if not left or left[0] == "#" or re.fullmatch(r"\[[A-Za-z]+\]", left):
                continue
            if "->" not in left and "mapsto" not in left:
                expression, _, domain = left.partition("|")
                signature = ""
                for prefix, brackets in (("d", "()"), ("s", "[]"), ("rt", "{}")):
                    indices = [int(n) for n in re.findall(rf"(?<![A-Za-z]){prefix}(\d+)", left)]
                    names = ", ".join(f"{prefix}{i}" for i in range(max(indices, default=-1) + 1))
                    signature += brackets[0] + names + brackets[1]
                left = f"{signature} -> ({expression.strip()}), domain: {domain.strip()}"
            # The page leaves bounds before a map, and LaTeX, to the command.
            if left.startswith("("):
                yield left


SIMPLIFIED_IN_PAGE = """(cases => {
  const bad = [], count = {equal: 0, empty: 0, checked: 0, random: 0, verdicts: 0, undecided: 0}, rules = {};
  for (const [n, c] of cases.entries()) {
    const say = (...what) => bad.length < 5 && bad.push([c.seed, c.map, ...what]);
    const got = mercator.simplifyText(c.map);
    if (got.error || !c.simplified) {
      if (!got.error || c.simplified) say(got.error ?? "read, but the command does not");
      continue;
    }
    const isChecked = n %% 5 === 0;
    if (isChecked && c.other) {
      const maps = [c.map, c.other].map(m => mercator.parseNotation(m).map);
      const {verdict} = mercator.compareMaps(...maps);
      ++count[verdict === "undecided" ? "undecided" : "verdicts"];
      if (verdict !== "undecided" && c.verdict !== "undecided" && verdict !== c.verdict) say("prove", c.other, verdict, c.verdict);
    }
    if (isChecked) {
      const {verdict, reason} = mercator.compareMaps(...got.maps);
      if (verdict === "different") say("after", got.after, reason);
    }
    const wanted = c.simplified.rules.map(r => [r.name, r.rewrite, r.condition, r.before, r.after].join(" ; "));
    const own = got.rules.map(r => [r.name, r.rewrite, r.condition, r.before, r.after].join(" ; "));
    for (const {name, before, after, ...step} of got.rules) {
      rules[name] = 1;
      const check = isChecked ? step.check() : null;
      if (check?.differs) say("step", name, before, after, check.differs);
      if (check) ++count[check.all && check.compared ? "checked" : "random"];
    }
    if (got.after === c.simplified.after && own.join("\\n") === wanted.join("\\n")) ++count.equal;
    // The command asks a solver whether a domain is empty.
    else if (!got.isComplete && c.simplified.after === "KNOWN EMPTY") ++count.empty;
    else say(got.after, c.simplified.after, own.find((r, i) => r !== wanted[i]), wanted.find((r, i) => r !== own[i]));
  }
  return {bad, count, rules: Object.keys(rules)};
})(%s)"""


def check_simplifier(pages, build, count):
    """The page simplifies as the command does: the text, and each step with its rule.

    Each step keeps all values, and where the page says equal or different, so does the command.
    """
    file = pages.text("maps.txt", "\n".join(rows_of_rules()))
    golden = json.loads(subprocess.run([build / "bin" / "explorer-points", str(count), file], capture_output=True, check=True).stdout)
    page = pages.open(EXAMPLES / "softmax.hlo")
    total, rules = collections.Counter(), set()
    for begin in range(0, len(golden), 1000):
        answer = page.evaluate(SIMPLIFIED_IN_PAGE % json.dumps(golden[begin : begin + 1000]))
        for bad in answer["bad"]:
            check(False, f"a simplified map (MERCATOR_SEED={bad[0]}): {json.dumps(bad[1:])}")
        total.update(answer["count"])
        rules.update(answer["rules"])
    check(total["equal"] + total["empty"] == len(golden) and total["empty"] * 100 < count, f"simplified: {total}")
    check(total["checked"] > count / 10 and total["verdicts"] > count / 10, f"few are checked: {total}")
    table = (ROOT / "mercator" / "indexing" / "simplify" / "Rules.def").read_text()
    missing = set(re.findall(r"^RULE\((\w+)", table, re.M)) - rules
    check(not missing, f"rules that no map used: {missing}")
    print(f"simplified: {dict(total)}, seed {golden[0]['seed']}", flush=True)
    page.close()


def check_walks(pages):
    """What a walk through the program reaches, and the maps that the library composes."""
    compared = 0
    for name in ("softmax.hlo", "transpose_add.hlo", "reshape_chain.hlo", "gather.hlo", "conv_net.mlir", "layer.mlir", "heads.mlir", "pad_reduce_window.hlo"):
        page = pages.open(EXAMPLES / name)
        records = json.loads(pages.ask("map", EXAMPLES / name, "--fused", "--computations", "--json"))["records"]
        for record in records:
            path = f"{record['computation']}/{record['instruction']}"
            if "element" in record["from"] or record["from"]["result"] != 0:
                continue
            answer = page.evaluate(
                """((path, to) => {
                  if (mercator.app.program.find(path) === undefined) return null;
                  const type = mercator.app.program.type(mercator.app.program.find(path));
                  if (!type?.sizes || type.sizes.includes(0)) return null;
                  const box = type.sizes.map((s, i) => { const low = Math.floor((s ?? 16) / 3); return [low, Math.min((s ?? 16) - 1, low + i)]; });
                  const reached = mercator.walk(path, box, true);
                  const bad = []; let compared = 0;
                  for (const end of to) {
                    const own = reached.find(r => r.name === end.name);
                    if (own?.isBox || own?.over || own?.elements.length >= 20000 || end.element !== undefined) continue;
                    const wanted = new Set();
                    let isKnown = true;
                    for (const m of end.maps) {
                      const reads = m.exact ? mercator.reads(m.structure, box) : "";
                      if (typeof reads === "string") isKnown = false;
                      else for (const e of reads ?? []) wanted.add(e.join());
                    }
                    if (!isKnown) continue;
                    ++compared;
                    const got = own?.elements ?? [];
                    if (got.length !== wanted.size || got.some(e => !wanted.has(e))) bad.push([path, box, end.name, got.length, wanted.size]);
                  }
                  return {bad, compared};
                })(%s, %s)"""
                % (json.dumps(path), json.dumps(record["to"]))
            )
            if answer is None:
                continue
            compared += answer["compared"]
            for bad in answer["bad"]:
                check(False, f"{name}: a walk: {bad}")
        check_errors(page, name)
        page.close()
    # Through a tuple and one of its members.
    tuples = pages.text("tuples.hlo", """HloModule tuples
ENTRY main {
  a = f32[4] parameter(0)
  b = f32[4,8] parameter(1)
  both = (f32[4], f32[4,8]) tuple(a, b)
  second = f32[4,8] get-tuple-element(both), index=1
  ROOT r = f32[8,4] transpose(second), dimensions={1,0}
}
""")
    page = pages.open(tuples)
    reached = page.evaluate("mercator.walk('main/r', [[3, 3], [1, 1]], true).map(r => [r.name, r.elements])")
    check(["b", ["1,3"]] in reached and not any(name == "a" for name, _ in reached), f"through a tuple: {reached}")
    back = page.evaluate("mercator.walk('main/b', [[1, 1], [3, 3]], false).map(r => [r.name, r.elements])")
    check(["r", ["3,1"]] in back, f"down through a tuple: {back}")
    page.close()
    check(compared >= 15, f"only {compared} walks were compared")
    print(f"walks: {compared} parameters compared", flush=True)


def check_warps(pages):
    """The numbers of a warp, and those of `mercator access`."""
    compared = 0
    options = (
        {},
        {"device": "h100"},
        {"device": "h100", "vector": "4"},
        {"device": "h100", "lanes": "8", "along": "0"},
        {"device": "h100", "block": "128"},
    )
    for name in ("transpose_add.hlo", "softmax.hlo", "heads.mlir", "conv_net.mlir", "pad_reduce_window.hlo"):
        page = pages.open(EXAMPLES / name)
        for chosen in options:
            words = [f"--device={chosen['device']}"] if "device" in chosen else []
            if "along" in chosen:
                words.append(f"--lanes=d{chosen['along']}:{chosen['lanes']}")
            words += [f"--{key}={chosen[key]}" for key in ("vector", "block") if key in chosen]
            access = json.loads(pages.ask("access", EXAMPLES / name, *words, "--json"))
            for instruction in access["instructions"][:10]:
                path = f"{instruction['computation']}/{instruction['instruction']}"
                for number, operand in enumerate(instruction["operands"]):
                    for which, own in enumerate(operand["accesses"]):
                        state = {"view": "warp", "at": path, "operand": str(number), "map": str(which), **chosen}
                        got = page.evaluate(
                            "(state => { mercator.app.state = new Map(Object.entries(state)); return mercator.app.program.find(state.at) === undefined ? 'no' : mercator.warp(150000); })(%s)"
                            % json.dumps(state)
                        )
                        if isinstance(got, str) or "loads" not in own or got["sampled"]:
                            continue
                        if any(kind != "exact" for kind in own["exactness"].values()):
                            continue
                        for a, b in ((own, got), (own.get("block"), got["block"])):
                            if not a or not b or b["sampled"]:
                                continue
                            compared += 1
                            for key in ("loads", "used_bytes", "fetched_bytes", "needed_sectors"):
                                check(a[key] == b[key], f"{name}: {state}: {key}: {b[key]}, access says {a[key]}")
                            for key in ("sectors", "lines"):
                                wanted = [[c["count"], c["loads"]] for c in a[key]]
                                check(wanted == b[key], f"{name}: {state}: {key}: {b[key]}, access says {wanted}")
        page.close()
    check(compared >= 60, f"only {compared} accesses were compared")
    print(f"warps: {compared} accesses compared", flush=True)


def check_kernels(pages):
    """The loads and stores of XLA's kernels, and those that `mercator access` counts."""
    files = [EXAMPLES / "columns_before.hlo"]
    shared = pathlib.Path(os.environ.get("MERCATOR_SHARED", ROOT.parent / "shared")) / "data/gpu/xla"
    files += [f for name in ("colsum_f32", "argmax_rows", "cond_while") if (f := shared / f"{name}.hlo").exists()]
    compared = 0
    for file in files:
        page = pages.open(file)
        for k, kernel in enumerate(page.evaluate("mercator.app.program.data.kernels")):
            for number, access in enumerate(kernel["accesses"]):
                got = page.evaluate(
                    "([i, access]) => { mercator.app.state = new Map([['view', 'warp'], ['at', mercator.app.program.path(i)], ['access', access]]); return mercator.warp(300000); }".join("()")
                    + f"([{kernel['instruction']}, '{number}'])"
                )
                check(not isinstance(got, str), f"{file.name}: kernel {k}: {got}")
                if isinstance(got, str) or got["sampled"]:
                    continue
                compared += 1
                sectors = sum(count * loads for count, loads in got["sectors"])
                check(
                    (got["loads"], sectors) == (access["loads"], access["sectors"]),
                    f"{file.name}: kernel {k}, access {number}: {got['loads']} of {sectors} sectors, access says {access}",
                )
        check_errors(page, file.name)
        page.close()
    check(compared >= (4 if shared.exists() else 2), f"only {compared} accesses of kernels were compared")
    print(f"kernels: {compared} accesses compared", flush=True)


# What the page shows.


def click_through(pages, file, *options):
    """Each view by a click on its tab: it has something, and nothing fails."""
    name = pathlib.Path(file).name
    page = pages.open(file, *options)
    for view in VIEWS:
        page.click(f"#tab-{view}")
        check(page.evaluate("document.querySelector('#view').textContent.trim().length") > 20, f"{name}: {view} is empty")
        check(page.evaluate("document.getElementById('view').dataset.view") == view, f"{name}: no view {view}")
    # Each instruction in the views that depend on one.
    bad = page.evaluate(
        """(() => {
          const bad = [];
          const count = mercator.app.program.instructions.length;
          for (let k = 0; k < Math.min(count, 12); ++k) {
            const i = Math.floor(k * count / Math.min(count, 12));
            for (const patch of [{view: "elements", to: null}, {view: "elements", to: "up"}, {view: "elements", to: "down"}, {view: "warp", to: null}, {view: "program"}])
              try {
                mercator.app.state = new Map([["at", mercator.app.program.path(i)], ...Object.entries(patch).filter(([, v]) => v)]);
                mercator.app.render();
              }
              catch (error) { bad.push([mercator.app.program.path(i), patch, String(error.stack)]); }
          }
          return bad.slice(0, 3);
        })()"""
    )
    for each in bad:
        check(False, f"{name}: {each}")
    page.settle()
    check_errors(page, name)
    page.close()


def check_clicks(pages):
    """The reads of a cell and of a tile, links, keys, and what can be copied."""
    page = pages.open(EXAMPLES / "transpose_add.hlo", fragment="#view=elements&at=main/y")
    summary = "[...document.querySelectorAll('.cards .summary')].map(e => e.textContent).join(' | ')"
    page.click(".chosen canvas", 100, 60)
    tile = page.evaluate("new URLSearchParams(location.hash.slice(1)).get('tile')")
    check(tile not in (None, "0:1,0:1"), f"a click chose {tile}")
    check("2 of 16,384 elements" in page.evaluate(summary), f"a cell reads {page.evaluate(summary)}")
    page.drag(".chosen canvas", (60, 40), (160, 90))
    dragged = page.evaluate("new URLSearchParams(location.hash.slice(1)).get('tile')")
    low, high = map(int, dragged.split(",")[0].split(":"))
    check(high - low > 2, f"a drag chose {dragged}")
    page.evaluate("document.querySelector('.chosen canvas').focus()")
    page.key("ArrowRight")
    moved = page.evaluate("new URLSearchParams(location.hash.slice(1)).get('tile')")
    check(moved != dragged, "an arrow key moves the tile")
    check("reads" in page.evaluate("document.getElementById('live').textContent"), "the reads are announced")
    # A link to this state opens the same.
    link = page.evaluate("location.hash")
    page.go(page_path(page), link)
    check(page.evaluate("new URLSearchParams(location.hash.slice(1)).get('tile')") == moved, "a link keeps the tile")
    # What is copied is a command that works.
    for view in VIEWS[:5]:
        page.click(f"#tab-{view}")
        command = page.evaluate("mercator.app.view().command(mercator.app)")
        done = subprocess.run(command.replace("mercator", str(pages.mercator), 1), shell=True, cwd=ROOT, capture_output=True, text=True, check=False)
        check(done.returncode == 0, f"{command}: {done.stderr}")
    # Keys: 1 to 9 are views, / searches, arrows move among tabs.
    page.evaluate("document.activeElement.blur()")
    page.key("3")
    check(page.evaluate("mercator.app.view().id") == "warp", "key 3 is the third view")
    page.key("/")
    check(page.evaluate("document.activeElement.id") == "search", "/ goes to the search")
    page.type("#search", "transpose")
    page.key("Enter")
    page.wait("mercator.app.view().id === 'program' && mercator.app.at() === mercator.app.program.find('fused/t')")
    page.evaluate("document.getElementById('tab-program').focus()")
    page.key("ArrowRight")
    check(page.evaluate("document.activeElement.id") == "tab-elements", "arrows move among tabs")
    # Every control has a name.
    for view in VIEWS:
        page.click(f"#tab-{view}")
        unnamed = page.evaluate(
            "[...document.querySelectorAll('button, input, select, textarea, canvas, [role=listbox]')]"
            ".filter(e => !(e.getAttribute('aria-label') || e.textContent.trim() || e.closest('label')?.textContent.trim())).length"
        )
        check(unnamed == 0, f"{view}: {unnamed} controls without a name")
    page.click("#tab-elements")
    svg = page.evaluate("mercator.svgOfView()")
    errors = page.evaluate(f"new DOMParser().parseFromString({json.dumps(svg)}, 'image/svg+xml').querySelectorAll('parsererror').length")
    check(svg.startswith("<svg") and errors == 0, "the SVG is no XML")
    for label, key, value in (("Dark", "theme", "dark"), ("Colors for color-blind readers", "palette", "safe")):
        page.click(f"[aria-label='{label}']")
        check(page.evaluate(f"document.documentElement.dataset.{key}") == value, f"{label} is {value}")
        page.click(f"[aria-label='{label}']")  # the pages after this one are light
    # A small window has the tabs below.
    page.resize(420, 800)
    page.click("#tab-warp")
    check(page.evaluate("mercator.app.view().id === 'warp' && document.querySelector('.tabs').clientWidth > 300"), "tabs of a small window")
    check(page.evaluate("document.documentElement.scrollWidth") <= 420, "a small window scrolls in one direction")
    check_errors(page, "clicks")
    page.close()


def page_path(page):
    return page.evaluate("decodeURIComponent(location.pathname)")


def check_graph(pages):
    """The graph: a click on a box chooses, a click twice goes inside, the table sorts."""
    page = pages.open(EXAMPLES / "softmax.hlo")
    page.wait("document.querySelector('canvas.graph')")
    page.click("canvas.graph")
    page.key("Enter")
    page.wait("mercator.app.state.get('level') === '1' || mercator.app.program.instructions[mercator.app.at()].computation === 1", 5)
    page.click_text(".segmented button", "Table")
    page.wait("document.querySelectorAll('.table .row').length > 3")
    page.click_text(".row.head button", "bytes")
    page.click_text(".row.head button", "bytes")
    page.wait("document.querySelector('.table .rows .row')")
    check("768 KiB" in page.evaluate("document.querySelector('.table .rows .row').textContent"), "the table sorts by bytes")
    page.click_text(".table .rows .row", "row_max_b")
    check(page.evaluate("mercator.app.program.path(mercator.app.at())") == "fused/row_max_b", "a click on a row chooses it")
    check(page.evaluate("document.querySelector('.row.head').scrollWidth <= document.querySelector('.long-list.table').clientWidth"), "all columns are seen")
    check_errors(page, "graph")
    page.close()
    # The text shows the line of what is chosen, also when the page opens.
    page = pages.open(EXAMPLES / "transformer_block.mlir")
    page.wait("document.querySelector('.side .line.chosen')", 5)
    page.close()


def check_boundaries(pages):
    """The term that stands against one dispatch is marked in the map that has it."""
    page = pages.open(EXAMPLES / "conv_net.mlir", "--device=zen5", fragment="#view=boundaries")
    marks = page.evaluate("[...document.querySelectorAll('mark')].map((m) => m.textContent)")
    check(marks == ["d0 * 256 + d2 * 16 + d3"], f"marked: {marks}")
    check_errors(page, "boundaries")
    page.close()


def check_bench(pages):
    """Typed maps: equal, different with the point, wrong with a caret."""
    page = pages.open(EXAMPLES / "reshape_chain.hlo", fragment="#view=proof")
    text = "document.querySelector('#view').textContent"
    check("equal all 32 points agree" in page.evaluate(text).replace("  ", " "), "the first proof")
    page.type("#field-second", "(d0) -> (d0 + d0 floordiv 31), domain: d0 in [0, 31]")
    page.wait(f"{text}.includes('different')")
    check("at (d0=31), element" in page.evaluate(text), f"the point: {page.evaluate(text)}")
    page.type("#field-second", "(d0) -> (d1), domain: d0 in [0, 31]")
    page.wait(f"{text}.includes('1:10: expected a variable of the map, got \\'d1\\'')")
    # A runtime variable is one variable of both maps; a name is that of a parameter.
    for first, second, wanted in (
        ("(d0){rt0} -> (rt0), domain: d0 in [0, 0], rt0 in [0, 3]", "(d0){rt0} -> (3 - rt0), domain: d0 in [0, 0], rt0 in [0, 3]", "at (d0=0, rt0=0)"),
        ("(d0)<a, b> -> (a - b), domain: d0 in [0, 3], a in [0, 3], b in [0, 3]", "(d0)<b, a> -> (a - b), domain: d0 in [0, 3], a in [0, 3], b in [0, 3]", "equal"),
        ("(d0) -> (d0 mod 4), domain: d0 in [0, 2000000000]", "(d0) -> (d0 - d0 / 4 * 4), domain: d0 in [0, 2000000000]", "undecided"),
        ("(d0) -> (d0 * 1000000000000000000), domain: d0 in [0, 9]", "(d0) -> (d0 * 1000000000000000001), domain: d0 in [0, 9]", "undecided"),
        ("(d0) -> (d0), domain: d0 in [5, 4]", "KNOWN EMPTY", "equal"),
    ):
        page.type("#field-first", first)
        page.type("#field-second", second)
        page.wait(f"{text}.includes({json.dumps(second)}) && !{text}.includes('comparing')")
        check(wanted in page.evaluate(text), f"{first} and {second}: {page.evaluate(text)}")
    # Many points are compared in slices, and the page answers meanwhile.
    page.type("#field-first", "(d0, d1) -> (d0 * 400 + d1), domain: d0 in [0, 499], d1 in [0, 399]")
    page.type("#field-second", "(d0, d1) -> (d0 * 400 + d1 mod 400), domain: d0 in [0, 499], d1 in [0, 399]")
    page.wait(f"{text}.includes('comparing') || {text}.includes('all 200,000 points agree')")
    page.wait(f"{text}.includes('all 200,000 points agree')")
    page.click("#tab-simplifier")
    check("found by mercator" in page.evaluate(text), "a simplification of the program")
    rules = "[...document.querySelectorAll('.rules .badge')].map(b => b.textContent).join()"
    # Rule by rule with its condition, and the values of each step.
    page.type("#field-map", "(d0, d1) -> ((d0 * 50 + d1) floordiv 50), domain: d0 in [0, 9], d1 in [0, 49]")
    page.wait(f"{text}.includes('after(d0, d1) -> (d0), domain')")
    shown = page.evaluate(text)
    for part in ("QuotientWindow x / c => k if x in [k*c, k*c + c - 1]", "(d0 * 50 + d1) / 50 ⇒ d0", "same value at all 500 points", "equal all 500 points agree"):
        check(part in shown, f"{part} in {shown}")
    page.type("#field-map", "(d0)[s0] -> (s0, 7), domain: d0 in [0, 9], d0 - s0 in [0, 0], 2 * d0 in [0, 9]")
    page.wait(f"{rules}.includes('RangeSolved')")
    check("after(d0) -> (d0, 7), domain: d0 in [0, 4]" in page.evaluate(text), f"an equation: {page.evaluate(text)}")
    page.type("#field-map", "(d0) -> (d0 * 2), domain: d0 in [0, 3]")
    page.wait(f"{text}.includes('there is nothing to simplify')")
    check("d0=3(6)" in page.evaluate(text), f"values: {page.evaluate(text)}")
    page.type("#field-map", "(d0, d1, d2)[s0] -> (s0), domain: d0 * d1 - d2 * s0 in [5, 5]")
    page.wait(f"{text}.includes('whether the domain has a point')")
    check("undecided" in page.evaluate(text) and ".badge.exact" not in page.evaluate(text), "what is not known")
    for wrong, message in (
        ("(d0) -> (d0 +), domain: d0 in [0, 3]", "1:14: expected an expression, got ')'"),
        ("(d0) -> (d0,\n  e0), domain: d0 in [0, 3]", "2:3: expected a variable of the map, got 'e0'"),
        ("(d0) -> (d0 / 0)", "1:15: expected a divisor other than zero"),
        ("(d0, d0) -> (d0)", "1:6: expected a name that is not taken, got 'd0'"),
        ("(d0) -> (d0), domain: d0 in [0; 3]", "1:31: expected ',', got ';'"),
        ("(d0) -> (9223372036854775808)", "1:10: expected an integer of 64 bits"),
        ("", "1:1: expected a map, got the end of the text"),
    ):
        page.type("#field-map", wrong)
        page.wait(f"document.querySelector('#view .error')?.textContent.startsWith({json.dumps(message)})")
    check_errors(page, "bench")
    page.close()


def check_odd_programs(pages):
    script = pages.text("script.mlir", 'module @"</script><b>" {\n  func.func @"</script>"(%a: tensor<4xf32>) -> tensor<4xf32> {\n    %0 = stablehlo.add %a, %a : tensor<4xf32>\n    return %0 : tensor<4xf32>\n  }\n}\n')
    click_through(pages, script)
    page = pages.open(script)
    check(page.evaluate("document.querySelectorAll('b').length") == 0, "a name is no markup")
    check("</script>" in page.evaluate("document.querySelector('.brand').textContent"), "the name is shown")
    page.close()
    none = pages.text("none.hlo", "HloModule none\nENTRY main {\n  ROOT c = f32[4] iota(), iota_dimension=0\n}\n")
    click_through(pages, none)
    # Damaged data.
    whole = pages.write(EXAMPLES / "softmax.hlo").read_text()
    start = whole.index('id="data">') + len('id="data">')
    for kind, text in (
        ("cut", whole[:start] + whole[start : start + 900] + whole[whole.index("</script>", start) :]),
        ("another schema", whole.replace("mercator.explore/1", "mercator.explore/9", 1)),
        ("no instructions", whole.replace('"instructions":[', '"instructionz":[', 1)),
        ("a wrong number", whole.replace('"operands":[[0,0]]', '"operands":[[777,0]]', 1)),
    ):
        check(text != whole, f"{kind} damages nothing")
        page = pages.chromium.open(pages.text("damaged.html", text), ready="document.querySelector('.fatal')")
        check("This page is damaged" in page.evaluate("document.body.textContent"), f"{kind}: no message")
        check_errors(page, kind)
        page.close()


def check_frame(pages):
    """A notebook shows the page in a frame without an address."""
    whole = pages.write(EXAMPLES / "softmax.hlo").read_text()
    frame = f'<!doctype html><iframe srcdoc="{html.escape(whole)}" style="width:1200px;height:800px"></iframe>'
    ready = "document.querySelector('iframe')?.contentDocument?.documentElement?.dataset.ready"
    page = pages.chromium.open(pages.text("frame.html", frame), ready=ready)
    inside = "document.querySelector('iframe').contentDocument"
    page.evaluate(f"{inside}.getElementById('tab-elements').click()")
    check(page.evaluate(f"{inside}.getElementById('view').dataset.view") == "elements", "a click in a frame")
    check_errors(page, "frame")
    page.close()


def check_schedule(pages):
    """The loops of a kernel have its time: those on the outside, and the call."""
    page = pages.open(EXAMPLES / "layer.mlir", fragment="#view=schedule")
    rows = "Array.from(document.querySelectorAll('.loop-nest tr')).slice(1)"
    check(page.evaluate(f"{rows}.length") > 5, "the loops of a product")
    shares = f"{rows}.filter((r) => r.cells[0].style.paddingLeft === '8px').map((r) => parseInt(r.cells[2].textContent))"
    check(98 <= page.evaluate(f"{shares}.reduce((a, b) => a + b, 0)") <= 102, "the outer loops have all of the time")
    check_errors(page, "schedule")
    page.close()


def check_shards(pages):
    """What the devices receive, with a link to the instruction."""
    page = pages.open(EXAMPLES / "sharded_mlp.mlir", fragment="#view=shards")
    check("8 devices: data=2, model=4" in page.evaluate("document.getElementById('view').textContent"), "the mesh")
    check(page.evaluate("document.querySelectorAll('.card .link').length") == 1, "one operation receives")
    page.evaluate("document.querySelector('.card .link').click()")
    check("view=program" in page.evaluate("location.hash"), "its instruction is shown")
    check_errors(page, "shards")
    page.close()


def check_traces_and_changes(pages, pictures):
    trace = pages.folder / "trace.json"
    check(pages.ask("run", EXAMPLES / "conv_net.mlir", "--input=random:1", f"--trace={trace}") is not None, "a run with a trace")
    page = pages.open(EXAMPLES / "conv_net.mlir", f"--trace={trace}", fragment="#view=timeline")
    check(page.evaluate("document.querySelectorAll('.time-bar.measured').length") > 0, "the timeline has bars")
    picture(page, pictures, "timeline")
    page.close()
    folder = ROOT / "tests/tools/driver/Inputs"
    page = pages.open((folder / "diff_before.mlir").relative_to(ROOT), f"--diff={(folder / 'diff_after.mlir').relative_to(ROOT)}", fragment="#view=diff")
    check(page.evaluate("document.querySelectorAll('.diff-pane .line.chosen').length") > 0, "a change is marked")
    sides = "[...document.querySelectorAll('.diff-pane')].map((p) => [parseInt(p.querySelector('h3 span').textContent), p.querySelectorAll('.line.marked, .line.chosen').length])"
    check(all(lines == shown for lines, shown in page.evaluate(sides)), f"lines that differ, and marked: {page.evaluate(sides)}")
    picture(page, pictures, "diff")
    check_errors(page, "diff")
    page.close()


# How fast.


def check_speed(page, what, seconds, slack):
    check(seconds < slack * OPEN_SECONDS, f"{what}: opened in {seconds:.2f} s")
    slowest = {}
    for name, call in (
        ("choose", "mercator.app.select(Math.floor(mercator.app.program.instructions.length * 0.7))"),
        ("elements", "mercator.app.set({view: 'elements', to: null})"),
        ("tile", "mercator.app.set({tile: '0:1,2:3'}, true)"),
        ("up", "mercator.app.set({to: 'up'})"),
        ("warp", "mercator.app.set({view: 'warp'})"),
        ("table", "mercator.app.set({view: 'program', mode: 'table'})"),
        ("row", "mercator.app.select(Math.floor(mercator.app.program.instructions.length * 0.71))"),
    ):
        times = page.evaluate(f"(() => {{ const t = []; for (let i = 0; i < 3; ++i) {{ const a = performance.now(); {call}; t.push(performance.now() - a); }} return t; }})()")
        slowest[name] = min(times)
        check(min(times) < slack * CLICK_MS, f"{what}: {name} took {min(times):.0f} ms")
    print(f"{what}: opened in {seconds:.2f} s; in ms: " + ", ".join(f"{k} {v:.0f}" for k, v in slowest.items()), flush=True)


def large_data(count):
    """The data of a program with so many instructions: layers of a chain with shortcuts."""
    maps = [{"map": "(d0, d1) -> (d0, d1), domain: d0 in [0, 63], d1 in [0, 63]", "exact": True, "runtime_variables": [], "structure": {
        "variables": [{"name": f"d{i}", "kind": "dimension", "interval": [0, 63]} for i in (0, 1)], "results": ["d0", "d1"], "constraints": []}}]
    record = [{"from": {"number": 0, "type": 0}, "to": [{"number": k, "type": 0, "maps": [0]} for k in (0, 1)]}]
    instructions = [{"name": "%x", "computation": 0, "line": 1, "types": [0]}]
    for i in range(1, count):
        instructions.append({"name": f"%v{i}", "computation": 0, "operation": "stablehlo.add", "line": i + 1, "types": [0], "operands": [[i - 1, 0], [max(0, i - 1 - i % 7), 0]], "reads": 0, "bytes": 49152})
    return {
        "schema": "mercator.explore/1", "module": "large", "file": "large.mlir", "text": "\n".join(f"  %v{i} = stablehlo.add" for i in range(count)),
        "devices": [{"name": "h100", "title": "H100", "lanes": 32, "sector_bytes": 32, "line_bytes": 128, "banks": 32, "bank_bytes": 4}], "sources": [],
        "types": [{"text": "tensor<64x64xf32>", "sizes": [64, 64], "element": "f32", "bits": 32, "minor_to_major": [1, 0]}], "maps": maps, "accesses": [],
        "computations": [{"name": "main", "entry": True, "results": [[count - 1, 0]]}], "instructions": instructions, "records": [record], "dispatches": [], "no_dispatches": "", "simplified": [],
    }


def check_large(pages, is_large):
    whole = pages.write(EXAMPLES / "softmax.hlo").read_text()
    start = whole.index('id="data">') + len('id="data">')
    end = whole.index("</script>", start)
    check(len(whole) - (end - start) < MOST_BYTES, f"the page without data has {len(whole) - (end - start)} bytes")
    print(f"page without data: {len(whole) - (end - start)} bytes", flush=True)
    page = pages.chromium.open(pages.text("large.html", whole[:start] + json.dumps(large_data(100_000)) + whole[end:]))
    seconds = page.seconds
    page.wait("document.querySelector('canvas.graph')")
    page.settle()
    check_speed(page, "100,000 instructions", seconds, 1 if is_large else BUSY)
    check_errors(page, "large")
    page.close()
    model = SHARED / "models" / "llama31_8b.hlo"
    if not is_large or not model.exists():
        return
    page = pages.open(model)
    check_speed(page, "Llama 8B", page.seconds, 1)
    check_errors(page, "Llama 8B")
    page.close()


# Pictures.


def picture(page, folder, name):
    if folder:
        page.screenshot(folder / f"{name}.webp")


def take_pictures(pages, folder):
    views = (
        ("program", EXAMPLES / "conv_net.mlir", "#view=program"),
        ("elements", EXAMPLES / "conv_net.mlir", "#view=elements&at=main/%25conv&tile=0:1,3:5,4:6,2:3"),
        ("warp", EXAMPLES / "transpose_add.hlo", "#view=warp&at=fused/t&device=h100"),
        ("boundaries", EXAMPLES / "conv_net.mlir", "#view=boundaries"),
        ("schedule", EXAMPLES / "layer.mlir", "#view=schedule"),
        ("simplifier", EXAMPLES / "reshape_chain.hlo", "#view=simplifier"),
        ("proof", EXAMPLES / "softmax.hlo", "#view=proof&second=(d0)+->+(d0+%2B+d0+floordiv+31),+domain:+d0+in+[0,+31]"),
    )
    for name, file, fragment in views:
        page = pages.open(file.relative_to(ROOT), "--device=zen5", fragment=fragment)
        time.sleep(0.3)
        picture(page, folder, name)
        page.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pictures", type=pathlib.Path)
    parser.add_argument("--large", action="store_true")
    parser.add_argument("build", type=pathlib.Path)
    arguments = parser.parse_args()
    if not browser.find_chromium():
        print("skipped: there is no Chromium")
        return 77
    build = arguments.build.resolve()
    began = time.monotonic()

    def timed(what):
        print(f"[{time.monotonic() - began:.1f} s] {what}", flush=True)

    with tempfile.TemporaryDirectory() as folder, browser.Browser() as chromium:
        pages = Pages(build, pathlib.Path(folder), chromium)
        if arguments.pictures:
            arguments.pictures.mkdir(exist_ok=True)
            take_pictures(pages, arguments.pictures)
        timed("maps")
        check_points(pages, build)
        timed("simplifier")
        check_simplifier(pages, build, 20_000 if arguments.large else 2000)
        timed("walks")
        check_walks(pages)
        timed("warps")
        check_warps(pages)
        timed("views")
        for name in ("softmax.hlo", "conv_net.mlir", "gather.hlo", "scan.mlir", "sharded.hlo", "embedding.mlir", "transformer_block.mlir", "two_modules.hlo"):
            click_through(pages, EXAMPLES / name)
        attention = SHARED / "jax12" / "attn.debug.mlir"
        if attention.exists():
            click_through(pages, attention)
        timed("clicks")
        check_clicks(pages)
        check_graph(pages)
        check_boundaries(pages)
        check_bench(pages)
        timed("odd programs")
        check_odd_programs(pages)
        check_frame(pages)
        check_kernels(pages)
        check_schedule(pages)
        check_shards(pages)
        check_traces_and_changes(pages, arguments.pictures)
        timed("speed")
        check_large(pages, arguments.large)
        timed("end")
    print(f"{cases} checks, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
