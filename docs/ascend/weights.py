# The program of next_token.py with JAX's names for its parameters, and its weights under
# these names. It writes named.mlir and weights.npz.
import jax
import numpy as np
from next_token import function, ids, params

open("named.mlir", "w").write(function.lower(params, ids).as_text(debug_info=True))
leaves, _ = jax.tree.flatten_with_path(params)
weights = {"params" + jax.tree_util.keystr(path): leaf for path, leaf in leaves}
np.savez("weights.npz", **weights)
