# SPDX-License-Identifier: Apache-2.0
"""A small neural network learns two moons: parameters in a dictionary, derivatives by value_and_grad,
one compiled step."""

import numpy as np
import picture

import lathe


def moons(seed, count):
    angle = lathe.random.uniform(seed, (count,), high=np.pi)
    noise = 0.12 * lathe.random.normal(seed + 1, (2, count))
    upper = lathe.stack([lathe.cos(angle), lathe.sin(angle)])
    lower = lathe.stack([1 - lathe.cos(angle), 0.5 - lathe.sin(angle)])
    label = lathe.arange(count) % 2
    return (lathe.where(label == 0, upper, lower) + noise).T, lathe.astype(label, lathe.float64)


def network(p, x):
    hidden = lathe.tanh(x @ p["w1"] + p["b1"])
    hidden = lathe.tanh(hidden @ p["w2"] + p["b2"])
    return hidden @ p["w3"] + p["b3"]


def loss(p, x, label):
    score = network(p, x)
    # log(1 + exp(score)) - label * score: what a wrong answer costs.
    return lathe.mean(lathe.logaddexp(score, 0.0) - label * score)


slope = lathe.value_and_grad(loss)


@lathe.function
def step(p, speed, x, label, rate):
    value, slopes = slope(p, x, label)
    speed = {k: 0.9 * speed[k] - rate * slopes[k] for k in p}
    return value, {k: p[k] + speed[k] for k in p}, speed


options = picture.options(__doc__)
width, steps, count = (32, 2000, 1000) if options.large else (12, 300, 200)
x, label = lathe.compute(*moons(1, count))
p = {"w1": lathe.random.normal(3, (2, width)), "b1": lathe.zeros(width),
     "w2": lathe.random.normal(4, (width, width), std=width**-0.5), "b2": lathe.zeros(width),
     "w3": lathe.random.normal(5, (width,), std=width**-0.5), "b3": lathe.zeros(())}
p = {k: v.compute() for k, v in p.items()}
speed = {k: lathe.zeros_like(v).compute() for k, v in p.items()}
for i in range(steps + 1):
    value, p, speed = step(p, speed, x, label, 0.05)
    if i % (steps // 3) == 0:
        print(f"step {i:4d}: loss {float(value):.4f}")
test, answer = moons(100, 400)
right = lathe.mean(lathe.astype((network(p, test) > 0) == (answer > 0), lathe.float64))
print(f"right on new points: {float(right):.3f}; traced {step.trace_count} time")

gx, gy = lathe.meshgrid(lathe.linspace(-1.6, 2.6, 210), lathe.linspace(1.4, -0.9, 115))
field = 1 / (1 + lathe.exp(-network(p, lathe.stack([lathe.ravel(gx), lathe.ravel(gy)]).T)))
pixels = picture.coloured(lathe.reshape(field, gx.shape), 0, 1)
for (a, b), one in zip(np.asarray(x), np.asarray(label)):
    i, j = int((1.4 - b) / 2.3 * 114), int((a + 1.6) / 4.2 * 209)
    if 0 <= i < 115 and 0 <= j < 210:
        pixels[i, j] = (220, 60, 60) if one else (240, 160, 220)
picture.write_png(f"{options.folder}/training.png", picture.enlarged(pixels, 3))
