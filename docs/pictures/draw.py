# SPDX-License-Identifier: Apache-2.0
"""Draws the pictures of the documentation from runs: draw.py <bin folder of a CPU build> [name...]

Needs matplotlib. Without names all pictures are drawn, each docs/pictures/<name>.png.
"""
import csv
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

HERE = Path(__file__).resolve().parent
BIN = Path(sys.argv[1]).resolve()
BLUE, GREY, RED, GREEN = "#1f6feb", "#d0d7de", "#cf222e", "#1a7f37"
plt.rcParams.update({"font.size": 10, "axes.spines.top": False, "axes.spines.right": False, "svg.hashsalt": "kolam"})


def kolam(*words):
    """Runs the program and returns its JSON output."""
    out = subprocess.run([BIN / "kolam", *map(str, words), "--quiet", "--json", "-"], stdout=subprocess.PIPE, check=True)
    return json.loads(out.stdout)


def save(figure, name):
    figure.savefig(HERE / f"{name}.png", dpi=110, bbox_inches="tight", metadata={"Software": None})
    plt.close(figure)


def house():
    """Draws the modules, each above those that it includes."""
    floors = [[("apps", "the kolam program")],
              [("io", "checkpoints, VTKHDF, pictures")],
              [("grid", "fields, halos, stencil solvers"), ("fem", "meshes, spaces, forms")],
              [("linear", "operators as solvers see them, conjugate gradients, smoothers")],
              [("comm", "communicators, transports, who owns what")],
              [("kernels", "stencils and element operators: free functions over Views")],
              [("memory", "Arrays, intents, aliases, pools, traces, strict mode")],
              [("core", "runtime, loops, blocks, lanes")]]
    figure, axes = plt.subplots(figsize=(8, 4.4))
    width = 10
    for level, rooms in enumerate(reversed(floors)):
        each = width / len(rooms)
        for k, (name, what) in enumerate(rooms):
            axes.add_patch(plt.Rectangle((k * each + 0.05, level + 0.05), each - 0.1, 0.9,
                                         facecolor=BLUE if name == "memory" else GREY, edgecolor="none"))
            colour = "white" if name == "memory" else "black"
            axes.text(k * each + 0.2, level + 0.5, name, va="center", weight="bold", color=colour)
            axes.text(k * each + 1.5, level + 0.5, what, va="center", fontsize=9, color=colour)
    axes.annotate("", xy=(width + 0.3, 0.1), xytext=(width + 0.3, len(floors) - 0.1),
                  arrowprops={"arrowstyle": "->", "color": RED, "lw": 1.5})
    axes.text(width + 0.45, len(floors) / 2, "includes", rotation=270, va="center", fontsize=9, color=RED)
    axes.set(xlim=(0, width + 1), ylim=(0, len(floors)))
    axes.axis("off")
    save(figure, "house")


def validity():
    """Draws which values of an array are valid on the host and on the device, after each intent."""
    environment = {**os.environ, "KOLAM_EMULATE_DEVICE": "1"}
    out = subprocess.run([BIN / "kolam_validity"], stdout=subprocess.PIPE, text=True, check=True, env=environment)
    rows = list(csv.reader(out.stdout.splitlines(), delimiter=";"))
    figure, axes = plt.subplots(figsize=(9, 0.72 * len(rows) + 0.5))
    for k, (intent, host, device, to_device, to_host) in enumerate(rows):
        y = -k
        axes.text(-1, y + 0.02, intent, ha="right", va="center", family="monospace", fontsize=9)
        for row, values in ((0.2, host), (-0.2, device)):
            for i, value in enumerate(values):
                axes.add_patch(plt.Rectangle((i, y + row - 0.15), 1, 0.3, facecolor=BLUE if value == "v" else GREY,
                                             edgecolor="white", lw=0.8))
        words = [f"{n} values to the {where}" for n, where in ((to_device, "device"), (to_host, "host")) if n != "0"]
        axes.text(31, y, ", ".join(words) or "nothing copied", va="center", fontsize=9, color=RED if words else GREEN)
    axes.text(0, 0.55, "upper strip: host, lower strip: device; blue: valid", fontsize=9)
    axes.set(xlim=(-16, 42), ylim=(-len(rows) + 0.4, 0.9))
    axes.axis("off")
    save(figure, "validity")


def subdomains():
    """Draws a field in four subdomains, each with its layer of ghosts."""
    n, half = 26, 12  # 24 x 24 points within the boundary
    with tempfile.TemporaryDirectory() as folder:
        image = Path(folder) / "field.png"
        kolam("diffusion", "-nx", n, "-ny", n, "-niter", 20, "--subdomains", 4, "--decomposition", "2x2", "--t-peak", 1,
              "--image", image)
        field = plt.imread(image)
    field = field[::len(field) // n, ::len(field) // n]  # a point may be several pixels
    figure, grid = plt.subplots(2, 2, figsize=(5.6, 5.6))
    for row in range(2):
        for column in range(2):
            axes = grid[row][column]
            tile = field[row * half:row * half + half + 2, column * half:column * half + half + 2]
            axes.imshow(tile, interpolation="nearest", extent=(0, half + 2, half + 2, 0))
            axes.add_patch(plt.Rectangle((1, 1), half, half, fill=False, color="black", lw=1.5))
            inner_x, inner_y = (half + 1, 0)[column], (half + 1, 0)[row]  # ghosts of neighbours, not of the boundary
            for corner, width, height in (((inner_x, 1), 1, half), ((1, inner_y), half, 1)):
                axes.add_patch(plt.Rectangle(corner, width, height, fill=False, color=GREEN, lw=2, hatch="////"))
            axes.set_title(f"subdomain {column + 2 * (1 - row)}", fontsize=9)
            axes.axis("off")
    figure.tight_layout()
    save(figure, "subdomains")


def convergence():
    """Draws the error over the number of unknowns, for several orders of elements."""
    figure, axes = plt.subplots(figsize=(6, 4))
    for order in (1, 2, 3, 4, 6):
        runs = [kolam("poisson", "--dim", 2, "--order", order, "-n", n, "--map", "sine", "--rtol", 1e-13)
                for n in (4, 8, 16, 32)]
        axes.loglog([r["dofs"] ** 0.5 for r in runs], [r["l2_error"] for r in runs], "o-", label=f"order {order}")
    axes.set(xlabel="unknowns in each direction", ylabel="L2 error", title="kolam poisson --dim 2 --map sine")
    axes.legend()
    axes.grid(alpha=0.3)
    save(figure, "convergence")


def residuals():
    """Draws the residuals of conjugate gradients with each preconditioner."""
    figure, axes = plt.subplots(figsize=(6, 4))
    for name in ("none", "jacobi", "chebyshev", "pmg"):
        history = kolam("poisson", "--order", 4, "-n", 8, "--map", "sine", "--precond", name)["residual_history"]
        axes.semilogy([r / history[0] for r in history], label=f"{name}: {len(history) - 1} iterations")
    axes.set(xlabel="iteration", ylabel="residual over the first", title="kolam poisson --order 4 -n 8 --map sine", xlim=(0, 120))
    axes.legend()
    axes.grid(alpha=0.3)
    save(figure, "residuals")


def plate():
    """Lets kolam draw the mesh of an example."""
    mesh = HERE.parents[1] / "examples" / "plate.msh"
    subprocess.run([BIN / "kolam", "mesh", mesh, "--image", HERE / "plate.png"], stdout=subprocess.DEVNULL, check=True)


def mesh():
    """Lets kolam draw a curved mesh in space."""
    file = HERE.parents[1] / "tests" / "io" / "meshes" / "ellipse-3d-order2-4.1-binary.msh"
    subprocess.run([BIN / "kolam", "mesh", file, "--image", HERE / "mesh.png"], stdout=subprocess.DEVNULL, check=True)


def jacobi():
    """Lets kolam draw the solution of Laplace's equation."""
    kolam("jacobi", "-nx", 256, "-ny", 256, "-niter", 20000, "--t-peak", 1, "--image", HERE / "jacobi.png")


def heat():
    """Lets kolam draw heat that spreads along a bar of light material."""
    kolam("heat", "-nx", 256, "-ny", 256, "-niter", 500, "--t-peak", 1, "--image", HERE / "heat.png")


def weather():
    """Draws two air masses that have collided, with an example (KOLAM_BUILD_EXAMPLES=ON)."""
    subprocess.run([BIN / "mini_weather", "collision", "200", "100", "700", HERE / "weather.png"],
                   stdout=subprocess.DEVNULL, check=True)


def terminal():
    """Draws a terminal: what kolam says of a mesh, and how it solves on it."""
    folder = HERE.parents[1] / "examples"
    lines = []
    for command in ("kolam mesh plate.msh", "kolam poisson --mesh plate.msh --order 3 --refine 2"):
        out = subprocess.run([BIN / "kolam", *command.split()[1:]], cwd=folder, stdout=subprocess.PIPE, text=True, check=True)
        lines += [f"$ {command}", *out.stdout.rstrip().splitlines(), ""]
    lines.pop()
    ink, ground, prompt = "#e6edf3", "#161b22", "#7ee787"
    figure = plt.figure(figsize=(7.2, 0.17 * (len(lines) + 1.5)), facecolor=ground)
    for row, line in enumerate(lines):
        figure.text(0.025, 1 - (row + 1) / (len(lines) + 1), line, family="monospace", fontsize=8.5, va="center",
                    color=prompt if line.startswith("$") else ink)
    figure.savefig(HERE / "terminal.png", dpi=110, facecolor=ground, metadata={"Software": None})
    plt.close(figure)


def main():
    pictures = {f.__name__: f for f in (house, validity, subdomains, convergence, residuals, plate, mesh, jacobi, heat, weather, terminal)}
    for name in sys.argv[2:] or pictures:
        if name not in pictures:
            sys.exit(f"draw.py: '{name}' is no picture; there are {', '.join(pictures)}")
        pictures[name]()


if __name__ == "__main__":
    main()
