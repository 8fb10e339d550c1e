# SPDX-License-Identifier: Apache-2.0
"""A chart: its style, its tooltips, and its export as a PNG file and as SVG inside a page.

Charts are drawn in the light colours. The SVG replaces each of them by a CSS variable, which has another
value on a dark background.
"""

import html
import io
import re

import matplotlib
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import NullLocator

matplotlib.rcParams.update({
    "svg.fonttype": "none", "svg.hashsalt": "kolam", "text.parse_math": False, "font.size": 9, "axes.linewidth": 0.8,
    "axes.spines.top": False, "axes.spines.right": False, "axes.axisbelow": True,
})

# (on light, on dark): c0 to c7 are distinct for colour-blind readers and have a contrast of 3:1 or more.
COLOURS = {
    "--ground": ("#ffffff", "#1b1e24"), "--ink": ("#1d2026", "#e8eaee"),
    "--muted": ("#5b626d", "#a2a9b4"), "--rule": ("#dde0e5", "#363b44"),
    "--c0": ("#0068a8", "#5ab4f0"), "--c1": ("#cf5300", "#f08a3c"), "--c2": ("#00875f", "#2bc795"),
    "--c3": ("#a8327a", "#e68ac4"), "--c4": ("#8a6d00", "#e6cf4a"), "--c5": ("#4b3fb5", "#a99cf5"),
    "--c6": ("#6b4a32", "#cfa88a"), "--c7": ("#4d5a66", "#c9d1d9"),
}
INK, MUTED, RULE, GROUND = (COLOURS[f"--{n}"][0] for n in ("ink", "muted", "rule", "ground"))
SERIES = [COLOURS[f"--c{i}"][0] for i in range(8)]
MARKERS = "os^DvPX*"
WIDTH, LEFT, RIGHT, TITLE = 4.5, 0.56, 0.14, 0.34  # inches


def css_variables():
    """Returns CSS of both palettes."""
    light, dark = ("".join(f"{name}:{both[i]};" for name, both in COLOURS.items()) for i in (0, 1))
    return f":root{{{light}}}\n@media (prefers-color-scheme: dark) {{:root{{{dark}}}}}\n"


class Chart:
    """A figure with one pair of axes, a title above and a legend below. Margins are in inches, so nothing
    overlaps at any size."""

    def __init__(self, name, title, height=2.5, caption="", legend=(), left=LEFT):
        self.name = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
        self.title, self.caption, self.tips = title, caption, {}
        columns = 2 if all(len(h.get_label()) <= 26 for h in legend) else 1
        rows = -(-len(legend) // columns)
        below = 0.45 + (0.08 + 0.163 * rows if rows else 0)
        above = TITLE + (0.16 if left == LEFT else 0)  # for the unit of y
        total = above + height + below
        self.figure = Figure(figsize=(WIDTH, total))
        self.axes = self.figure.add_axes([left / WIDTH, below / total,
                                          1 - (left + RIGHT) / WIDTH, height / total])
        self.figure.text(0.012, 1 - 0.06 / total, title, ha="left", va="top", color=INK,
                         fontsize=10, fontweight="bold")
        if rows:
            self.figure.legend(handles=list(legend), loc="lower left", bbox_to_anchor=(0, 0), ncol=columns,
                               frameon=False, fontsize=8.5, labelcolor=INK, handlelength=2.2,
                               columnspacing=1.2, labelspacing=0.35, borderaxespad=0.2)
        self.axes.patch.set_visible(False)
        self.axes.tick_params(colors=MUTED, labelsize=8.5, length=3)
        self.axes.grid(color=RULE, linewidth=0.7)
        for spine in self.axes.spines.values():
            spine.set_color(MUTED)

    def labels(self, x, y=""):
        self.axes.set_xlabel(x, color=INK, fontsize=9)
        self.axes.text(0, 1.0, f"{y}\n", transform=self.axes.transAxes, ha="center", va="bottom", color=INK,
                       fontsize=9, linespacing=0.45)

    def tip(self, artist, text):
        """Adds a tooltip with `text` to the artist."""
        gid = f"tip{len(self.tips)}"
        artist.set_gid(gid)
        self.tips[gid] = text

    def point(self, x, y, tip, **look):
        marker, = self.axes.plot([x], [y], **look | {"linestyle": "none", "zorder": 3})
        self.tip(marker, tip)

    def png(self, path):
        self.figure.savefig(path, dpi=160, facecolor=GROUND)

    def svg(self):
        """Returns a scalable <svg> element with the page's colours and ids of its own."""
        file = io.StringIO()
        self.figure.patch.set_visible(False)
        self.figure.savefig(file, format="svg", metadata={"Date": None})
        self.figure.patch.set_visible(True)
        text = file.getvalue()
        text = text[text.index("<svg"):]
        text = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>|<!--.*?-->", "", text, flags=re.S)
        box = re.search(r'viewBox="[^"]*"', text)[0]
        head = f'<svg {box} role="img" aria-label="{html.escape(self.title)}">'
        text = re.sub(r"<svg.*?>", lambda _: head, text, count=1, flags=re.S)
        names = {both[0]: f"var({name})" for name, both in COLOURS.items()}
        text = re.sub(r"#[0-9a-f]{6}\b", lambda m: names.get(m[0], m[0]), text)
        for gid, tip in self.tips.items():
            text = text.replace(f'<g id="{gid}">',
                                f'<g id="{gid}" class="tip"><title>{html.escape(tip)}</title>')
        text = text.replace('xlink:href="#', f'href="#{self.name}-').replace("url(#", f"url(#{self.name}-")
        text = re.sub(r'\bid="', f'id="{self.name}-', text)
        return re.sub(r"\s*\n\s*", "\n", text)


def look_of(number, hollow=False, dashes=0, pale=False):
    """Returns the style of the line or points with this number."""
    colour = SERIES[number % len(SERIES)]
    return {"color": colour, "marker": MARKERS[number % len(MARKERS)], "markersize": 4 if pale else 5.5,
            "markerfacecolor": GROUND if hollow else colour, "markeredgecolor": colour,
            "linestyle": ("-", "--", ":", "-.")[dashes % 4], "linewidth": 1.5, "alpha": 0.55 if pale else 1.0}


def legend_entry(label, **look):
    return Line2D([], [], label=label, **look)


def log_axis(axis, low, high, form):
    """Sets a logarithmic scale with a few round ticks, formatted by form(value)."""
    axis.axes.set(**{f"{axis.axis_name}scale": "log", f"{axis.axis_name}lim": (low, high)})
    for steps in ((1,), (1, 3), (1, 2, 5)):
        ticks = [step * 10.0**power for power in range(-12, 19) for step in steps
                 if low <= step * 10.0**power <= high]
        if len(ticks) >= 3:
            break
    ticks = ticks[::-(-len(ticks) // 6) or 1]
    axis.set_ticks(ticks, [form(tick) for tick in ticks])
    axis.set_minor_locator(NullLocator())
