# SPDX-License-Identifier: Apache-2.0
"""train.py - Python, annotated with NVIDIA's package `nvtx` (pip install nvtx).

A classifier learns which points lie inside a ring. The program shows a decorated
function, a `with` block, push and pop, a separate domain for input and output, and marks.

    build/bin/rangeline profile --stats true .venv/bin/python examples/train.py
"""

import json
import math
import random
import tempfile

import nvtx

N_POINTS = 5000
N_EPOCHS = 16
STEP = 0.5


@nvtx.annotate("make data", color="green")
def make_data():
    points = [(random.uniform(-1, 1), random.uniform(-1, 1)) for _ in range(N_POINTS)]
    return [(x, y, 0.3 < math.hypot(x, y) < 0.8) for x, y in points]


def features(x, y):
    r2 = x * x + y * y
    return (1.0, r2, r2 * r2)


def predict(weights, inputs):
    z = sum(w * i for w, i in zip(weights, inputs))
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, z))))


@nvtx.annotate(color="blue")  # without a message: the function's name
def epoch(weights, data):
    for first in range(0, len(data), 100):
        batch = data[first : first + 100]
        with nvtx.annotate("batch"):
            nvtx.push_range("forward")
            errors = [predict(weights, features(x, y)) - inside for x, y, inside in batch]
            nvtx.pop_range()

            nvtx.push_range("backward")
            for (x, y, _), error in zip(batch, errors):
                for i, value in enumerate(features(x, y)):
                    weights[i] -= STEP * error * value
            nvtx.pop_range()


@nvtx.annotate("evaluate", color="orange")
def evaluate(weights, data):
    hits = sum((predict(weights, features(x, y)) > 0.5) == inside for x, y, inside in data)
    return hits / len(data)


@nvtx.annotate("save", domain="io", color="purple")
def save(weights, file):
    file.seek(0)
    json.dump(weights, file)


def main():
    random.seed(1)
    data = make_data()
    weights = [0.0, 0.0, 0.0]
    best = 0.0
    with tempfile.TemporaryFile("w") as file:
        for _ in range(N_EPOCHS):
            epoch(weights, data)
            accuracy = evaluate(weights, data)
            if accuracy > best:
                best = accuracy
                nvtx.mark("better", color="yellow", payload=accuracy)
                save(weights, file)
    print(f"{best:.0%} of {N_POINTS} points distinguished")


if __name__ == "__main__":
    main()
