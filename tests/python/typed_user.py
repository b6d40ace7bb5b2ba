# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""What a user of the package writes, for mypy --strict: it is checked, and not run."""

import numpy as np

import mercator

m = mercator.Map("(d0) -> (d0 mod 4), domain: d0 in [0, 7]")
composed: mercator.Map = m @ m.inverse()
rules: tuple[mercator.Rewrite, ...] = m.simplify().rules
verdict: str = mercator.prove(m, "(d0) -> (d0)").verdict
element = m(3)[0]

p: mercator.Program = mercator.load("examples/layer.mlir")
texts: list[str] = [found.text for record in p.maps(fused=True) for target in record.to for found in target.maps]
boxes: list[str] = [needed.box for needed in p.tile(np.s_[0:16, 0:128])[0].needs]
reasons: list[str] = [reason for edge in p.explain().boundaries for reason in edge.reasons]
try:
    p.run(np.ones(3))
except mercator.Error as error:
    place: mercator.Place | None = error.place
    print(error.text, error.help)
