import { type Timestamp, timestampMs } from "@bufbuild/protobuf/wkt";

export const CHAIN_WIDTH = 900;
const ROW_HEIGHT = 44;
const BAR_HEIGHT = 24;
const TOP = 26;
/** However short it held, a version can be seen, and clicked. */
const MIN_BAR_WIDTH = 8;
const MAX_TICKS = 6;

/** A version of a chain, as far as its picture goes. */
export interface Version {
  readonly id: string;
  readonly validFrom?: Timestamp | undefined;
  readonly validTo?: Timestamp | undefined;
  readonly createdAt?: Timestamp | undefined;
  readonly supersededBy?: string | undefined;
}

export interface Bar {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Where the service learned of it. */
  readonly learnedX: number;
}

/** From the end of a bar to the start of the one that replaced it. */
export interface Arrow {
  readonly id: string;
  readonly path: string;
}

export interface ChainLayout {
  readonly height: number;
  readonly bars: readonly Bar[];
  readonly arrows: readonly Arrow[];
  readonly ticks: readonly { readonly ms: number; readonly x: number }[];
}

/**
 * Places the versions of a chain on one axis of time, a row each. A version without an end
 * goes to the right edge, which is `nowMs` or the last time there is. `showsLearned`: the
 * axis also reaches to when each was learned.
 */
export function layOutChain(
  versions: readonly Version[],
  nowMs: number,
  showsLearned: boolean,
): ChainLayout {
  const spans = versions.map(({ validFrom, validTo, createdAt, ...rest }) => ({
    ...rest,
    from: msOf(validFrom) ?? nowMs,
    to: msOf(validTo),
    learned: msOf(createdAt) ?? nowMs,
  }));
  const times = spans.flatMap(({ from, to, learned }) => [
    from,
    ...(to === null ? [] : [to]),
    ...(showsLearned ? [learned] : []),
  ]);
  const first = Math.min(...times, nowMs);
  const last = Math.max(...times, nowMs, first + 1);
  const xOf = (ms: number) => ((ms - first) / (last - first)) * (CHAIN_WIDTH - MIN_BAR_WIDTH);
  const bars = spans.map(({ id, from, to, learned }, row): Bar => {
    const x = xOf(from);
    const end = to === null ? CHAIN_WIDTH : xOf(Math.max(to, from));
    return {
      id,
      x,
      y: TOP + row * ROW_HEIGHT,
      width: Math.max(MIN_BAR_WIDTH, end - x),
      height: BAR_HEIGHT,
      learnedX: xOf(learned),
    };
  });
  const arrows = spans.flatMap(({ id, supersededBy }, row) => {
    const from = bars[row];
    const to = bars.find((bar) => bar.id === supersededBy);
    return from === undefined || to === undefined ? [] : [{ id, path: pathBetween(from, to) }];
  });
  return {
    height: TOP + versions.length * ROW_HEIGHT,
    bars,
    arrows,
    ticks: Array.from({ length: MAX_TICKS }, (_, index) => {
      const ms = first + ((last - first) * index) / (MAX_TICKS - 1);
      return { ms, x: xOf(ms) };
    }),
  };
}

/** Out of the bar's end, and into the middle of the other's start. */
function pathBetween(from: Bar, to: Bar): string {
  const [x, y] = [from.x + from.width - MIN_BAR_WIDTH / 2, from.y + from.height];
  const down = to.y >= from.y;
  const end = down ? to.y : to.y + to.height;
  const target = to.x + MIN_BAR_WIDTH / 2;
  const start = down ? y : from.y;
  const middle = (start + end) / 2;
  return `M${x} ${start}C${x} ${middle} ${target} ${middle} ${target} ${end}`;
}

function msOf(time: Timestamp | undefined): number | null {
  return time === undefined ? null : timestampMs(time);
}
