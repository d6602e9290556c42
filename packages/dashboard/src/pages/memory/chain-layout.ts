import { type Timestamp, timestampMs } from "@bufbuild/protobuf/wkt";

const ROW_HEIGHT = 48;
const BAR_HEIGHT = 14;
const TOP = 24;
/** Of a bar from the top of its row: its label stands above it, or before it. */
const BAR_TOP = 20;
/** However short it held, a version can be seen, and clicked. */
const MIN_BAR_WIDTH = 8;
/** Between two moments, unless they are to scale: what follows fast is told apart. */
const MIN_GAP = 24;
const MAX_GAP_SHARE = 0.08;
const CHARACTER_WIDTH = 6.9;
/** Between the start of a bar and its label: arrows into the bar end there. */
const LABEL_GAP = 12;
/** Between the ends of arrows into one bar. */
const ARROW_GAP = 10;
/** What the name of a moment takes. */
export const TICK_WIDTH = 100;

/** A version of a chain, as far as its picture goes: over either time. */
export interface Version {
  readonly id: string;
  readonly from?: Timestamp | undefined;
  /** Unset: it goes on. */
  readonly to?: Timestamp | undefined;
  readonly label: string;
  readonly supersededBy?: string | undefined;
}

interface Word {
  readonly text: string;
  /** Whether the version before, or that behind the first one, has it not. */
  readonly differs: boolean;
}

interface Options {
  readonly nowMs: number;
  /** Of the place that there is, in pixels. More is taken where moments need it. */
  readonly room: number;
  /** Whether a pixel is the same time everywhere. */
  readonly isToScale: boolean;
}

/** Places versions on one axis of time, a row each. Those without an end go to the right edge. */
export function layOutChain(versions: readonly Version[], { nowMs, room, isToScale }: Options) {
  const spans = versions.map(({ from, to, ...rest }) => {
    const start = from === undefined ? nowMs : timestampMs(from);
    return { ...rest, from: start, to: to && Math.max(timestampMs(to), start) };
  });
  const times = [...new Set(spans.flatMap(({ from, to }) => [from, to ?? nowMs]))].toSorted(
    (a, b) => a - b,
  );
  const gap = isToScale
    ? 0
    : Math.max(MIN_GAP, Math.min(room * MAX_GAP_SHARE, room / times.length));
  const width = Math.max(room, gap * (times.length - 1) + 2 * MIN_BAR_WIDTH);
  const xOf = axisOf(times, gap, width - MIN_BAR_WIDTH);
  const bars = spans.map(({ id, from, to, label }, row) => {
    const x = xOf(from);
    const end = to === undefined ? width : xOf(to);
    const box = { x, y: TOP + row * ROW_HEIGHT + BAR_TOP, height: BAR_HEIGHT };
    const bar = { ...box, width: Math.max(MIN_BAR_WIDTH, end - x) };
    const other = spans[row === 0 ? 1 : row - 1];
    return { id, ...bar, label: labelOf(label, other?.label ?? label, bar, width) };
  });
  const targets = new Map<string, number>();
  const arrows = spans.flatMap(({ supersededBy }, row) => {
    const from = bars[row];
    const to = bars.find((bar) => bar.id === supersededBy);
    if (from === undefined || to === undefined) return [];
    const before = targets.get(to.id) ?? 0;
    targets.set(to.id, before + 1);
    const behind = Math.min(before * ARROW_GAP, to.width - MIN_BAR_WIDTH);
    return [{ id: from.id, ...arrowBetween(from, to, behind) }];
  });
  const height = TOP + versions.length * ROW_HEIGHT;
  return { width, height, bars, arrows, ticks: ticksOf(times, xOf) };
}

/** Gives each gap between two moments its least width, and shares out the rest by time. */
function axisOf(times: readonly number[], gap: number, width: number): (ms: number) => number {
  const first = times[0] ?? 0;
  const span = Math.max(1, (times.at(-1) ?? first) - first);
  const free = width - gap * (times.length - 1);
  const places = new Map(
    times.map((ms, index) => [ms, index * gap + (free * (ms - first)) / span]),
  );
  return (ms) => places.get(ms) ?? 0;
}

/** `isNamed`: whether there is room for its name; `sharesDay`: with another one. */
function ticksOf(times: readonly number[], xOf: (ms: number) => number) {
  let named = Number.NEGATIVE_INFINITY;
  const last = xOf(times.at(-1) ?? 0);
  return times.map((ms, index) => {
    const x = xOf(ms);
    // The name of the last ones stands before them.
    const isNamed = x - named >= (x > last - TICK_WIDTH ? 2 : 1) * TICK_WIDTH;
    if (isNamed) named = x;
    const dayOf = (at = Number.NaN) => new Date(at).toDateString();
    const sharesDay = [times[index - 1], times[index + 1]].some((at) => dayOf(at) === dayOf(ms));
    return { ms, x, isNamed, sharesDay };
  });
}

/**
 * The text of a bar, or the words of it that differ where there is no room for all. It stands
 * above the bar or, where there is more room, before it: no arrow into the bar runs through it.
 */
function labelOf(text: string, other: string, { x, y, height }: Box, room: number) {
  const isAbove = room - x >= x;
  const most = Math.floor(((isAbove ? room - x : x) - LABEL_GAP) / CHARACTER_WIDTH) - 1;
  const words = shortened(differing(text, other), most);
  return isAbove
    ? { words, x: x + LABEL_GAP, y: y - 6, anchor: "start" as const }
    : { words, x: x - LABEL_GAP, y: y + height - 3, anchor: "end" as const };
}

function differing(text: string, other: string): Word[] {
  const fold = (word: string) => word.toLowerCase().replace(/[^\p{L}\p{N}]+$/u, "");
  const known = new Set(other.split(/\s+/).map(fold));
  return text.split(/\s+/).map((word) => ({ text: word, differs: !known.has(fold(word)) }));
}

/** As many words as there is room for, from the first one that differs where not all fit. */
function shortened(words: readonly Word[], most: number): Word[] {
  const lengthOf = (some: readonly Word[]) =>
    some.reduce((sum, { text }) => sum + text.length + 1, 0);
  if (lengthOf(words) <= most) return [...words];
  const end = { text: "…", differs: false };
  const first = words.findIndex(({ differs }) => differs);
  const kept = first > 0 && lengthOf(words.slice(0, first + 1)) > most - 2 ? [end] : [];
  for (const word of words.slice(kept.length === 0 ? 0 : first)) {
    if (lengthOf([...kept, word]) > most - 2) {
      const isFirst = kept.every(({ text }) => text === "…");
      if (isFirst) kept.push({ ...word, text: word.text.slice(0, Math.max(1, most - 4)) });
      return [...kept, end];
    }
    kept.push(word);
  }
  return kept;
}

type Box = Readonly<Record<"x" | "y" | "width" | "height", number>>;

/**
 * Out of the end of a bar, and so far behind the start of the one that replaced it. At `noteX`
 * and `noteY` there is room to say something of it.
 */
function arrowBetween(from: Box, to: Box, behind: number) {
  const x = from.x + from.width - MIN_BAR_WIDTH / 2;
  const isDown = to.y >= from.y;
  const [start, end] = isDown ? [from.y + from.height, to.y] : [from.y, to.y + to.height];
  const target = to.x + MIN_BAR_WIDTH / 2 + behind;
  const middle = (start + end) / 2;
  const path = `M${x} ${start}C${x} ${middle} ${target} ${middle} ${target} ${end}`;
  return { path, noteX: Math.max(x, target) + MIN_BAR_WIDTH, noteY: start + 8 };
}
