# SPDX-License-Identifier: Apache-2.0
"""The page of a report: tiles, tables and charts as HTML. Text from files is escaped."""

from html import escape
from pathlib import Path

from report_data import (as_counter, as_ratio, as_share, as_time, digits, largest, peaks, ratios, scaled,
                         series_of)
from report_figure import css_variables
from report_lines import efficiencies

WORDS = {"faster": "▲ faster", "slower": "▼ slower", "within noise": "within noise",
         "too few repeats": "too few repeats"}


def table(head, rows, numbers=()):
    """Returns a table that scrolls sideways. Cells are text or (text, class); `numbers` are the columns to
    align right."""
    def cell(tag, i, content):
        text, kind = content if isinstance(content, tuple) else (content, "")
        kind = " ".join(filter(None, (kind, "number" if i in numbers else "")))
        return f'<{tag}{f""" class="{kind}" """.rstrip() if kind else ""}>{escape(str(text))}</{tag}>'

    def row(tag, cells):
        return "<tr>" + "".join(cell(tag, i, c) for i, c in enumerate(cells)) + "</tr>\n"

    body = "".join(row("td", cells) for cells in rows)
    above = f"<thead>{row('th', head)}</thead>" if head else ""
    return f'<div class="scroll"><table>{above}<tbody>\n{body}</tbody></table></div>\n'


def paragraph(text, kind=""):
    return f'<p class="{kind}">{escape(text)}</p>\n' if kind else f"<p>{escape(text)}</p>\n"


def figures(charts):
    """Returns charts side by side if they fit."""
    return '<div class="charts">\n' + "".join(
        f"<figure>{chart.svg()}<figcaption>{escape(chart.caption)}</figcaption></figure>\n"
        for chart in charts) + "</div>\n" if charts else ""


def best_of(cases, value):
    """Returns the largest case or None."""
    return max((c for c in cases if value(c)), key=value, default=None)


def tiles(run, cases, compared):
    """Returns tiles of the main results, each from the first series that has the result."""
    mine = [c for c in cases if not (c.error or c.baseline or c.scaling or "kernel" in c.variant)]
    order = series_of(mine)
    found = []

    def leading(of_it):
        series = min((c.series for c in of_it), key=order.index, default=None)
        return [c for c in of_it if c.series == series]

    def add(case, text, what=""):
        found.append((text, f"{what}{case.kernel}, {case.size_text}, {case.series}"))

    for series in order[:2]:
        bandwidth, _ = peaks(run, cases, series)
        found += [(f"{digits(bandwidth)} GB/s", f"T_peak, {series}")] if bandwidth else []
    for subject in ("jacobi", "diffusion", "elements"):
        of_it = leading([c for c in mine if c.subject == subject and c.share])
        of_it = largest(of_it, lambda c: c.kernel)
        for once in (True, False):  # a second tile for fused steps
            if case := best_of([c for c in of_it if (c.share < 1.2) == once], lambda c: c.share):
                add(case, as_share(case.share), "of T_peak: ")
    for subject in ("elements", "cg"):
        of_it = leading([c for c in mine if c.subject == subject and c.count("gdofs")])
        if case := best_of(of_it, lambda c: c.count("gdofs")):
            add(case, f"{digits(case.count('gdofs'))} GDOF/s")
    of_it = leading([c for c in mine if c.subject == "pmg"])
    if case := best_of(of_it, lambda c: c.count("dofs") or c.extent):
        steps = case.count("iterations")
        add(case, as_time(case.median), f"{steps:.0f} iterations: " if steps else "")
    of_it = leading([c for c in mine if c.subject == "launch" and c.median])
    if case := best_of(of_it, lambda c: 1 / c.median):
        found.append((as_time(case.median), f"a launch: {case.variant}, {case.series}"))
    scaling = efficiencies(cases)
    for kind in ("strong", "weak"):
        series = min((s for k, s in scaling if k == kind), key=series_of(cases).index, default=None)
        if series is None:
            continue
        what, line = max(scaling[kind, series].items(), key=lambda item: (max(item[1]), item[1][max(item[1])][0]))
        found.append((f"{100 * line[max(line)][0]:.0f} %",
                      f"{kind} scaling to {max(line)}: {what}, {series}"))
    if pairs := ratios(cases):
        found.append((f"{count_of(pairs, 'slower')} of {len(pairs)}", "slower than their baselines"))
    if compared:
        found.append((f"{len(compared.slower)} / {len(compared.faster)}", "slower / faster than before"))
    return '<div class="tiles">' + "".join(
        f'<div class="tile"><b>{escape(number)}</b><span>{escape(what)}</span></div>\n'
        for number, what in found) + "</div>\n" if found else ""


def count_of(pairs, verdict):
    return sum(pair.verdict == verdict for pair in pairs)


def ratio_table(pairs, head, name, mine, theirs):
    """Returns a table; `name` gives the cells below `head`."""
    rows = [[as_ratio(p.value), (WORDS[p.verdict], p.verdict if p.verdict in ("faster", "slower") else "quiet"),
             *name(p), f"{as_ratio(p.worst)} to {as_ratio(p.best)}",
             as_time(p.case.median), as_time(p.other.median)] for p in pairs]
    last = 2 + len(head)
    return table(["ratio", "", *head, "range", mine, theirs], rows, (0, last, last + 1, last + 2))


def against_baselines(cases):
    """Returns the ratios to baselines, slowest first."""
    pairs = ratios(cases)
    if not pairs:
        return ""
    counts = ", ".join(f"{n} {v}" for v in WORDS if (n := count_of(pairs, v)))
    return paragraph(
        f"The baseline's time over kolam's: above 1 kolam is faster. Of {len(pairs)}: {counts}. The range is from "
        "all repeats; a ratio is within noise if it holds 1.") + ratio_table(
        pairs, ["benchmark", "size", "on", "against"],
        lambda p: (p.case.kernel, p.case.size_text, p.case.series, p.other.other), "kolam", "baseline")


def changed(compared):
    """Returns the comparison."""
    if not compared:
        return ""
    text = "".join(paragraph(warning, "warning") for warning in compared.warnings)
    text += paragraph(
        f"{len(compared.slower)} slower, {len(compared.faster)} faster, {compared.within_noise} within noise, "
        f"{compared.too_few} with too few repeats. The table has changes of more than 2 % beyond the "
        "ranges of the repeats. The ratio is the old time over the new.")
    if pairs := compared.slower + compared.faster:
        text += ratio_table(pairs, ["benchmark", "build"], lambda p: (p.case.name, p.case.build), "new", "old")
    for what, names in (("Failed now", compared.failed), ("Appeared", compared.appeared),
                        ("Disappeared", compared.disappeared)):
        if names:
            text += paragraph(f"{what}: {len(names)}.") + table([], [[name] for name in names])
    return text


def failed(cases):
    """Returns failures and errors."""
    return "".join(f'<p>{escape(c.name)} @ {escape(c.build)}<br><span class="slower">{escape(str(c.error))}</span>'
                   "</p>\n" for c in cases if c.error)


def host_line(context):
    """Returns the machine line."""
    host = context.get("host") or {}
    memory = host.get("memory_bytes")
    words = [host.get("cpu"), f"{host['cores']} cores" if host.get("cores") else "",
             f"{host['threads_used']} threads" if host.get("threads_used") else "",
             scaled(memory, "B") if memory else "", *(context.get("gpus") or [])]
    return ", ".join(str(word) for word in words if word) or "an unknown machine"


def about(run):
    """Returns machine, builds, peers and so on."""
    context = run.get("context", {})
    host, builds = context.get("host") or {}, run.get("builds", {})
    caches = ", ".join(f"L{c.get('level')} {c.get('type', '')} {(c.get('size') or 0) / 1024:.0f} KiB"
                       for c in host.get("caches") or [])
    rows = [["machine", host_line(context)], ["binding", host.get("binding")], ["caches", caches],
            ["date", context.get("date")], ["scale", context.get("scale")], ["command", context.get("command")],
            ["kolam", " ".join(str(context.get(k) or "") for k in ("kolam_version", "kolam_commit"))]]
    text = table([], [[what, (value, "wide")] for what, value in rows if value and str(value).strip()])
    keys = [k for k in dict.fromkeys(k for b in builds.values() for k in b) if k not in ("backends", "peers")]
    if keys:
        text += "<h3>Builds</h3>" + table(["", *builds], [[k.replace("_", " ")] + [
            (b.get(k, ""), "wide" if k == "compiler_flags" else "") for b in builds.values()] for k in keys])
    devices = [[name, backend, d.get("device", ""), d.get("concurrency", ""),
                scaled(d["last_level_cache_bytes"], "B") if d.get("last_level_cache_bytes") else "",
                f"{digits(d['t_peak_gbs'])} GB/s" if d.get("t_peak_gbs") else ""]
               for name, build in builds.items() for backend, d in (build.get("backends") or {}).items()]
    if devices:
        text += "<h3>Backends</h3>" + table(
            ["build", "backend", "device", "concurrency", "last cache", "T_peak"], devices, (3, 4, 5))
    peers = [[name, peer, (version, "quiet" if version == "absent" else "")]
             for name, build in builds.items() for peer, version in (build.get("peers") or {}).items()]
    if peers:
        text += "<h3>Peers</h3>" + table(["build", "library", "version"], peers)
    environment = sorted((context.get("environment") or {}).items())
    return text + ("<h3>Environment</h3>" + table([], environment) if environment else "")


def everything(cases):
    """Returns all results, folded."""
    rows = [[c.name, c.build, as_time(c.median), f"{100 * c.spread:.1f} %", len(c.seconds),
             (", ".join([as_counter(k, v) for k, v in c.counters.items()] + [c.label] * bool(c.label)), "wide")]
            for c in cases if not c.error]
    return "<details><summary>All results</summary>\n" + table(
        ["benchmark", "build", "median", "spread", "repeats", "counters"], rows, (2, 3, 4)) + "</details>\n"


def page(run, cases, charts, compared):
    """Returns the page; charts are {section title: [Chart]}."""
    context = run.get("context", {})
    sections = [(title, figures(of_it)) for title, of_it in charts.items()]
    sections += [("Against baselines", against_baselines(cases)), ("What changed", changed(compared))]
    sections = [("Failed", failed(cases)), *sections, ("Context", about(run))]
    sections = [(title.lower().replace(" ", "-"), title, text) for title, text in sections if text]
    links = "".join(f'<a href="#{anchor}">{escape(title)}</a>' for anchor, title, _ in sections)
    body = "".join(f'<section id="{anchor}"><h2>{escape(title)}</h2>\n{text}</section>\n'
                   for anchor, title, text in sections)
    version = " ".join(str(context[k]) for k in ("kolam_version", "kolam_commit") if context.get(k))
    date = str(context.get("date", "")).replace("T", " ")
    line = f"kolam {version}, {date}, {context.get('scale', 'unknown')} scale"
    smoke = paragraph("Smoke scale: sizes and times are too small to judge speed by.", "warning") \
        if context.get("scale") == "smoke" else ""
    css = css_variables() + Path(__file__).with_name("report.css").read_text(encoding="utf-8")
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>kolam benchmarks</title>
<style>
{css}</style></head><body>
<h1>kolam benchmarks</h1>
{paragraph(host_line(context))}{paragraph(line, "note")}{smoke}{tiles(run, cases, compared)}<nav>{links}</nav>
{body}{everything(cases)}</body></html>
"""
