#!/usr/bin/env python3
"""Looks at a report of `grundy bench --report DIR` in a real browser without a window.

    scripts/check-report.py DIR [SHOTS]

Opens DIR/report.html at the width of a desktop and of a phone, light and dark. Fails where the console has an
error, a picture of DIR is not in the page, not visible or has no size, the page is wider than the screen, or light
and dark do not differ. With SHOTS, screenshots of the whole page are written into that folder. Needs Chromium (Debian: `chromium`).
"""

import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

WIDTHS = {"desktop": 1200, "phone": 360}
# The setting of the browser for what a reader prefers.
SCHEMES = {"dark": 0, "light": 1}
# The height of the frame when the page is measured, and the most that is photographed.
HEIGHT = 2400
MOST_HEIGHT = 12000
# How many times a browser that crashes is started.
ATTEMPTS = 4

# The page is looked at in a frame, because a window has a least width and a frame has none.
FRAME = """<!doctype html><meta charset="utf-8"><style>body{{margin:0}}iframe{{border:0}}</style>
<iframe id="page" width="{width}" height="{height}" srcdoc="{page}"></iframe>
<script>
document.getElementById("page").onload = (event) => {{
  const frame = event.target.contentWindow, page = frame.document;
  const sizes = [...page.querySelectorAll("figure svg")].map((svg) => {{
    const box = svg.getBoundingClientRect(), style = frame.getComputedStyle(svg);
    return [box.width, box.height, style.visibility === "visible" && svg.querySelectorAll("circle,rect").length > 1];
  }});
  const found = {{
    sizes, wide: page.documentElement.scrollWidth, tall: page.documentElement.scrollHeight, paper: frame.getComputedStyle(page.body).backgroundColor,
    letter: Math.min(...[...page.querySelectorAll("figure svg")].map((svg) => 12 * svg.getBoundingClientRect().width / 420)),
  }};
  document.body.setAttribute("data-found", JSON.stringify(found));
}};
</script>"""


def browser():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if shutil.which(name):
            return name
    sys.exit("check-report: no Chromium found: install the package chromium")


def look(program, url, scheme, extra):
    """The output and the talk of one run of the browser, each with a profile of its own.

    A browser that crashed or hung has found nothing out about the page: that is printed, and it is started again, a few
    times. What a browser did find is never asked for twice.
    """
    for attempt in range(1, ATTEMPTS + 1):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
            command = [
                program, "--headless=new", "--disable-gpu", "--hide-scrollbars", "--enable-logging=stderr",
                "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
                "--disable-dev-shm-usage", f"--user-data-dir={profile}", f"--blink-settings=preferredColorScheme={SCHEMES[scheme]}",
                *(["--no-sandbox"] if os.geteuid() == 0 else []), *extra, url,
            ]
            try:
                done = subprocess.run(command, capture_output=True, text=True, timeout=120)
            except subprocess.TimeoutExpired:
                fault = "did not end in 120 seconds"
            else:
                if done.returncode == 0:
                    return done.stdout, done.stderr
                fault = f"ended with status {done.returncode}: {done.stderr.strip()[-500:]}"
        print(f"check-report: the browser {fault} (attempt {attempt} of {ATTEMPTS})", file=sys.stderr)
    sys.exit("check-report: the browser could not be run, so the page was not looked at")


def photograph(page, name, scheme, tall, folder, shots):
    width, height = WIDTHS[name], min(tall, MOST_HEIGHT)
    frame = folder / "whole.html"
    frame.write_text(FRAME.format(width=width, height=height, page=html.escape(page)))
    shot = f"--screenshot={shots / f'{name}-{scheme}.png'}"
    look(browser(), frame.as_uri(), scheme, [f"--window-size={max(width, 500)},{height}", shot])


def check(page, name, scheme, pictures, folder, shots):
    """What is wrong with the page at one width in one scheme, and the colour of its paper."""
    width = WIDTHS[name]
    frame = folder / f"{name}-{scheme}.html"
    frame.write_text(FRAME.format(width=width, height=HEIGHT, page=html.escape(page)))
    window = f"--window-size={max(width, 500)},{HEIGHT}"
    dom, talk = look(browser(), frame.as_uri(), scheme, [window, "--dump-dom"])
    wrong = [line for line in talk.splitlines() if "CONSOLE" in line]
    told = re.search(r'data-found="([^"]*)"', dom)
    if not told:
        return wrong + ["the page did not load"], None
    found = json.loads(html.unescape(told.group(1)))
    if shots:
        photograph(page, name, scheme, found["tall"], folder, shots)
    if len(found["sizes"]) != pictures or not pictures:
        wrong.append(f"the page has {len(found['sizes'])} pictures, its folder {pictures}")
    for number, (across, down, visible) in enumerate(found["sizes"], 1):
        if not visible or across < 200 or down < 60:
            wrong.append(f"picture {number} is not to be seen: {across} by {down}")
    if found["wide"] > width:
        wrong.append(f"the page is {found['wide']} wide")
    if found["letter"] is None or found["letter"] < 8:
        wrong.append(f"the text of a picture is {found['letter']} high")
    return wrong, found["paper"]


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    report = pathlib.Path(sys.argv[1])
    page, pictures = (report / "report.html").read_text(), len(list(report.glob("*.svg")))
    shots = pathlib.Path(sys.argv[2]).resolve() if len(sys.argv) == 3 else None
    if shots:
        shots.mkdir(parents=True, exist_ok=True)
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for name in WIDTHS:
            papers = set()
            for scheme in SCHEMES:
                wrong, paper = check(page, name, scheme, pictures, pathlib.Path(folder), shots)
                papers.add(paper)
                failed |= bool(wrong)
                print(f"{name} {scheme}: {'; '.join(wrong) or 'ok'}")
            if len(papers) != len(SCHEMES):
                failed = True
                print(f"{name}: light and dark look the same")
    sys.exit(failed)


if __name__ == "__main__":
    main()
