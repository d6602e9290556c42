import { type Timestamp, timestampMs } from "@bufbuild/protobuf/wkt";

export const CHAIN_WIDTH = 900;
const ROW_HEIGHT = 48;
const BAR_HEIGHT = 26;
const TOP = 30;
/** However short it held, a version can be seen, and clicked. */
const MIN_BAR_WIDTH = 8;
const MAX_TICKS = 6;
/** A label stands in a bar that has room for some words. */
const MIN_WIDTH_OF_LABEL = 120;
const LABEL_GAP = 8;
const CHARACTER_WIDTH = 7;

/** A version of a chain, as far as its picture goes: over either time. */
export interface Version {
  readonly id: string;
  readonly from?: Timestamp | undefined;
  /** Unset: it goes on. */
  readonly to?: Timestamp | undefined;
  readonly label: string;
  readonly supersededBy?: string | undefined;
}

export interface Bar {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly label: BarLabel;
}

/** The text of a bar, in it or beside it. */
export interface BarLabel {
  readonly text: string;
  readonly x: number;
  readonly anchor: "start" | "end";
  readonly isInside: boolean;
}

/** From the end of a bar to the start of the one that replaced it. */
export interface Arrow {
  readonly id: string;
  readonly path: string;
  /** Where there is room to say something of it. */
  readonly noteX: number;
  readonly noteY: number;
}

export interface ChainLayout {
  readonly height: number;
  readonly bars: readonly Bar[];
  readonly arrows: readonly Arrow[];
  readonly ticks: readonly { readonly ms: number; readonly x: number }[];
  /** How long the axis is, in milliseconds. */
  readonly spanMs: number;
}

/**
 * Places the versions of a chain on one axis of time, a row each. A version without an end
 * goes to the right edge, which is `nowMs` or the last time there is.
 */
export function layOutChain(versions: readonly Version[], nowMs: number): ChainLayout {
  const spans = versions.map(({ from, to, ...rest }) => ({
    ...rest,
    from: msOf(from) ?? nowMs,
    to: msOf(to),
  }));
  const times = spans.flatMap(({ from, to }) => [from, ...(to === null ? [] : [to])]);
  const first = Math.min(...times, nowMs);
  const last = Math.max(...times, nowMs, first + 1);
  const xOf = (ms: number) => ((ms - first) / (last - first)) * (CHAIN_WIDTH - MIN_BAR_WIDTH);
  const bars = spans.map(({ id, from, to, label }, row): Bar => {
    const x = xOf(from);
    const end = to === null ? CHAIN_WIDTH : xOf(Math.max(to, from));
    const width = Math.max(MIN_BAR_WIDTH, end - x);
    const place = { id, x, y: TOP + row * ROW_HEIGHT, width, height: BAR_HEIGHT };
    return { ...place, label: labelOf(label, x, width) };
  });
  const arrows = spans.flatMap(({ supersededBy }, row) => {
    const from = bars[row];
    const to = bars.find((bar) => bar.id === supersededBy);
    return from === undefined || to === undefined ? [] : [arrowBetween(from, to)];
  });
  return {
    height: TOP + versions.length * ROW_HEIGHT,
    bars,
    arrows,
    ticks: Array.from({ length: MAX_TICKS }, (_, index) => {
      const ms = first + ((last - first) * index) / (MAX_TICKS - 1);
      return { ms, x: xOf(ms) };
    }),
    spanMs: last - first,
  };
}

/** In the bar where that has room, else on the side that has more. */
function labelOf(text: string, x: number, width: number): BarLabel {
  const isInside = width >= MIN_WIDTH_OF_LABEL;
  const right = CHAIN_WIDTH - x - width;
  const isRight = isInside || right >= x;
  const room = isInside ? width : Math.max(right, x);
  const most = Math.floor((room - 2 * LABEL_GAP) / CHARACTER_WIDTH);
  const outside = isRight ? x + width + LABEL_GAP : x - LABEL_GAP;
  return {
    text: text.length <= most ? text : shortened(text, most),
    x: isInside ? x + LABEL_GAP : outside,
    anchor: isRight ? "start" : "end",
    isInside,
  };
}

/** The whole words that there is room for. The visible text must be part of the accessible name. */
function shortened(text: string, most: number): string {
  const words = text.slice(0, most).replace(/\s+\S*$/, "");
  return `${words.slice(0, most - 1)}…`;
}

/** Out of the bar's end, and into the middle of the other's start. */
function arrowBetween(from: Bar, to: Bar): Arrow {
  const [x, y] = [from.x + from.width - MIN_BAR_WIDTH / 2, from.y + from.height];
  const down = to.y >= from.y;
  const end = down ? to.y : to.y + to.height;
  const target = to.x + MIN_BAR_WIDTH / 2;
  const start = down ? y : from.y;
  const middle = (start + end) / 2;
  const path = `M${x} ${start}C${x} ${middle} ${target} ${middle} ${target} ${end}`;
  return { id: from.id, path, noteX: Math.max(x, target) + LABEL_GAP, noteY: middle };
}

function msOf(time: Timestamp | undefined): number | null {
  return time === undefined ? null : timestampMs(time);
}
