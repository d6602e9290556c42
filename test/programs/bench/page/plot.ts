import type { BarPlot, LinePlot, Plot } from "../findings.ts";
import { shown } from "./console.ts";

const WIDTH = 720;
const HEIGHT = 360;
const MARGIN = { left: 64, right: 36, top: 44, bottom: 52 };
const LEGEND_LINE = 18;
const BAR_HEIGHT = 26;
const NAME_WIDTH = 320;
const VALUE_WIDTH = 60;
/** Told apart also by those who see no red, on white and on black. */
const COLOURS = ["#2a78d6", "#d9730d", "#199e70", "#b5489f", "#8a7a00", "#5b6b7b"];

/** Readable on a light page and on a dark one: the text has the colour that the page asks for. */
const STYLE = `<style>
text { font: 13px system-ui, sans-serif; fill: #24292f; }
.title { font-weight: 600; font-size: 15px; }
.grid { stroke: #8c959f; stroke-opacity: .35; }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3; } }
</style>`;

/** An SVG with no background of its own. */
export function drawn(plot: Plot): string {
  return plot.kind === "lines" ? drawnLines(plot) : drawnBars(plot);
}

function drawnLines({ title, xLabel, yLabel, lines }: LinePlot): string {
  const points = lines.flatMap((line) => line.points);
  const right = WIDTH - MARGIN.right;
  const bottom = HEIGHT - MARGIN.bottom;
  const x = logarithmic(
    points.map(([value]) => value),
    MARGIN.left,
    right,
  );
  const y = logarithmic(
    points.map(([, value]) => value),
    bottom,
    MARGIN.top + LEGEND_LINE,
  );
  const grid = [
    ...x.ticks.map(
      (tick) =>
        `${line(x.at(tick), MARGIN.top + LEGEND_LINE, x.at(tick), bottom)}${text(x.at(tick), bottom + 18, label(tick), "middle")}`,
    ),
    ...y.ticks.map(
      (tick) =>
        `${line(MARGIN.left, y.at(tick), right, y.at(tick))}${text(MARGIN.left - 8, y.at(tick) + 4, label(tick), "end")}`,
    ),
  ];
  let legendX = MARGIN.left;
  const drawnLines = lines.map(({ name, points: of }, i) => {
    const colour = COLOURS[i % COLOURS.length];
    const path = of.map(([px, py]) => `${fixed(x.at(px))},${fixed(y.at(py))}`).join(" ");
    const dots = of.map(
      ([px, py]) =>
        `<circle cx="${fixed(x.at(px))}" cy="${fixed(y.at(py))}" r="3.5" fill="${colour}"/>`,
    );
    const legend = `<circle cx="${legendX + 5}" cy="${MARGIN.top - 4}" r="5" fill="${colour}"/>${text(legendX + 15, MARGIN.top, name, "start")}`;
    legendX += 40 + name.length * 7;
    return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>${dots.join("")}${legend}`;
  });
  return svg(HEIGHT, title, [
    ...grid,
    ...drawnLines,
    text((MARGIN.left + right) / 2, HEIGHT - 12, xLabel, "middle"),
    text(MARGIN.left, HEIGHT - 12, yLabel, "start"),
  ]);
}

function drawnBars({ title, yLabel, bars }: BarPlot): string {
  const most = Math.max(...bars.map(({ value }) => value));
  const width = WIDTH - NAME_WIDTH - VALUE_WIDTH - MARGIN.right;
  const height = MARGIN.top + bars.length * BAR_HEIGHT + 34;
  const drawnBars = bars.map(({ name, value }, i) => {
    const top = MARGIN.top + i * BAR_HEIGHT;
    const length = Math.max(1, (width * value) / most);
    const colour = COLOURS[i === 0 ? 0 : COLOURS.length - 1];
    return [
      text(NAME_WIDTH - 10, top + 17, name, "end"),
      `<rect x="${NAME_WIDTH}" y="${top + 3}" width="${fixed(length)}" height="${BAR_HEIGHT - 6}" rx="2" fill="${colour}"/>`,
      text(NAME_WIDTH + length + 8, top + 17, shown(value), "start"),
    ].join("");
  });
  return svg(height, title, [...drawnBars, text(NAME_WIDTH, height - 12, yLabel, "start")]);
}

function svg(height: number, title: string, parts: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    STYLE,
    `<text class="title" x="${MARGIN.left - 48}" y="20">${escaped(title)}</text>`,
    ...parts,
    "</svg>",
    "",
  ].join("\n");
}

/** From the power of ten below the least to the greatest value. */
function logarithmic(values: readonly number[], from: number, to: number) {
  const [least, most] = [Math.log10(Math.min(...values)), Math.log10(Math.max(...values))];
  const low = Math.floor(least);
  const high = Math.max(low + 1, Math.ceil(most));
  const at = (value: number) => from + ((Math.log10(value) - low) / (high - low)) * (to - from);
  const ticks = Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i));
  return { at, ticks };
}

function line(x1: number, y1: number, x2: number, y2: number): string {
  return `<line class="grid" x1="${fixed(x1)}" y1="${fixed(y1)}" x2="${fixed(x2)}" y2="${fixed(y2)}"/>`;
}

function text(x: number, y: number, content: string, anchor: "start" | "middle" | "end"): string {
  return `<text x="${fixed(x)}" y="${fixed(y)}" text-anchor="${anchor}">${escaped(content)}</text>`;
}

function label(tick: number): string {
  return tick.toLocaleString("en", { maximumSignificantDigits: 1 });
}

function fixed(value: number): string {
  return value.toFixed(1);
}

function escaped(content: string): string {
  return content.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
