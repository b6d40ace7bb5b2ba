# The probabilities of the next token after each of eight tokens: the smallest language
# model. It writes next_token.mlir, the inputs as .npy files, and JAX's own result.
import jax
import jax.numpy as jnp
import numpy as np


def next_token(params, ids):
    x = jnp.take(params["embed"], ids, axis=0, mode="clip")
    return jax.nn.softmax(x @ params["out"], axis=-1)


random = np.random.default_rng(1)
params = {
    "embed": random.standard_normal((1000, 64), np.float32),
    "out": random.standard_normal((64, 1000), np.float32),
}
ids = np.arange(1, 9, dtype=np.int32)

function = jax.jit(next_token, keep_unused=True)
open("next_token.mlir", "w").write(function.lower(params, ids).as_text())
for i, x in enumerate(jax.tree.leaves((params, ids))):
    np.save(f"input{i}.npy", x)
np.save("jax0.npy", function(params, ids))
