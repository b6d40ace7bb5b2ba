# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Images and signals."""

import jax
import jax.numpy as jnp
import jax.scipy.signal
from functions.registry import floats, function
from jax import lax


@function(0, relative=4e-6)
def image_resize(g):
    def f(image):
        return (
            jax.image.resize(image, (9, 5, 3), "linear"),
            jax.image.resize(image, (4, 11, 3), "cubic"),
            jax.image.resize(image, (12, 14, 3), "nearest"),
            jax.image.resize(image, (5, 5, 3), "lanczos3"),
        )

    return f, [floats(g, 6, 7, 3)]


@function(0, relative=4e-6)
def fft_filter(g):
    def f(signal, cutoff):
        spectrum = jnp.fft.rfft(signal)
        kept = jnp.fft.rfftfreq(30) < cutoff[0]
        return jnp.fft.irfft(jnp.where(kept, spectrum, 0), n=30), jnp.fft.fftshift(jnp.abs(spectrum), 1)

    return f, [floats(g, 3, 30), abs(floats(g, 1)) * 0.3]


@function(0, relative=4e-6)
def fft_of_complex_images(g):
    def f(a, b):
        z = lax.complex(a, b)
        return jnp.fft.ifft2(jnp.fft.fft2(z) * jnp.fft.fft2(a)), jnp.fft.fftn(z, norm="ortho"), jnp.fft.ifftn(z)

    return f, [floats(g, 3, 5, 8), floats(g, 3, 5, 8)]


@function(0, relative=4e-6)
def convolve_signals(g):
    def f(x, k):
        return jnp.convolve(x, k), jnp.correlate(x, k, "same"), jax.scipy.signal.fftconvolve(x, k, "valid")

    return f, [floats(g, 40), floats(g, 7)]


@function(0, relative=4e-6)
def spectrogram(g):
    def f(x):
        starts = jnp.arange(0, 49, 8)
        frames = jax.vmap(lambda s: lax.dynamic_slice(x, (s,), (16,)))(starts)
        window = 0.5 - 0.5 * jnp.cos(2 * jnp.pi * jnp.arange(16) / 16)
        return jnp.log1p(jnp.abs(jnp.fft.rfft(frames * window.astype(x.dtype))) ** 2)

    return f, [floats(g, 64)]


@function(0, relative=4e-6)
def warp_image(g):
    """Bilinear interpolation at given places: gathers with indices beyond the image."""

    def f(image, rows, columns):
        from jax.scipy.ndimage import map_coordinates

        return (
            map_coordinates(image, [rows, columns], order=1, mode="constant"),
            map_coordinates(image, [rows, columns], order=1, mode="nearest"),
            map_coordinates(image, [rows, columns], order=0, mode="wrap"),
        )

    return f, [floats(g, 6, 8), 4 * floats(g, 5, 5), 4 * floats(g, 5, 5)]


@function(0, relative=2e-6)
def interpolate(g):
    return lambda x, at, y: jnp.interp(x, jnp.sort(at), y), [3 * floats(g, 20), floats(g, 8), floats(g, 8)]
