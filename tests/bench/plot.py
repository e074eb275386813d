"""Lines in an SVG, as plain text."""
import math
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 480, 300
LEFT, RIGHT, TOP, BOTTOM = 56, 20, 34, 44
COLOURS = ("#2060b0", "#c04020", "#30903a", "#8050a0")


class Axis:
    """From values to places between two ends."""

    def __init__(self, values, low, high, logarithmic):
        self.log = logarithmic
        self.low, self.high = low, high
        self.ticks = self.log_ticks(values) if logarithmic else self.linear_ticks(values)
        self.first, self.last = self.scale(self.ticks[0]), self.scale(self.ticks[-1])

    def scale(self, value):
        return math.log10(value) if self.log else value

    @staticmethod
    def log_ticks(values):
        """Whole powers of ten around all values."""
        first = math.floor(math.log10(min(values)))
        last = max(math.ceil(math.log10(max(values))), first + 1)
        return [10.0 ** i for i in range(first, last + 1)]

    @staticmethod
    def linear_ticks(values):
        """From 0, in steps of 1, 2 or 5 of some power of ten, at most six of them."""
        most = max(values) or 1
        step = 10 ** math.floor(math.log10(most / 6))
        step = next(step * k for k in (1, 2, 5, 10) if most <= 6 * step * k)
        return [i * step for i in range(math.ceil(most / step) + 1)]

    def at(self, value):
        part = (self.scale(value) - self.first) / (self.last - self.first)
        return round(self.low + part * (self.high - self.low), 1)


def text(x, y, words, anchor="middle", extra=""):
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}"{extra}>{escape(words)}</text>'


def number(value):
    for size, letter in ((1e6, "M"), (1e3, "k")):
        if value >= 10 * size or value == size:
            return f"{value / size:g}{letter}"
    return f"{value:g}"


def grid(x, y):
    for tick in x.ticks:
        yield f'<path d="M{x.at(tick)} {TOP}V{HEIGHT - BOTTOM}" stroke="#ddd"/>'
        yield text(x.at(tick), HEIGHT - BOTTOM + 15, number(tick))
    for tick in y.ticks:
        yield f'<path d="M{LEFT} {y.at(tick)}H{WIDTH - RIGHT}" stroke="#ddd"/>'
        yield text(LEFT - 6, y.at(tick) + 4, number(tick), "end")


def line(place, name, points, x, y):
    colour = COLOURS[place % len(COLOURS)]
    path = " ".join(f"{x.at(a)},{y.at(b)}" for a, b in points)
    yield f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>'
    if len(points) <= 20:
        for a, b in points:
            yield f'<circle cx="{x.at(a)}" cy="{y.at(b)}" r="2.5" fill="{colour}"/>'
    yield text(LEFT + 8, TOP + 14 + 15 * place, name, "start", f' fill="{colour}"')


def plot(path, title, across, up, series, logarithmic=False):
    """@series: for each name its points. Logarithmic on both axes, or on none."""
    points = [point for one in series.values() for point in one]
    x = Axis([a for a, _ in points], LEFT, WIDTH - RIGHT, logarithmic)
    y = Axis([b for _, b in points], HEIGHT - BOTTOM, TOP, logarithmic)
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
             'font-family="sans-serif" font-size="11">',
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
             text(WIDTH / 2, 18, title, extra=' font-size="13"'),
             text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, across),
             text(14, (TOP + HEIGHT - BOTTOM) / 2, up,
                  extra=f' transform="rotate(-90 14 {(TOP + HEIGHT - BOTTOM) / 2})"'),
             *grid(x, y)]
    for i, (name, one) in enumerate(series.items()):
        lines += line(i, name, one, x, y)
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n</svg>\n")
