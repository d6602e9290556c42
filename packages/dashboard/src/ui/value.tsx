import type { Memory } from "@agent-memory/gen/agentmemory/v1/memory_pb";
import { type Timestamp, timestampDate, timestampMs } from "@bufbuild/protobuf/wkt";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { hrefOf } from "../route.ts";
import { markedWords } from "./marked-words.ts";
import { Button } from "./page.tsx";

const formatOf = (timeStyle?: "short" | "medium") =>
  new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle });

/** A day in the zone of who looks. */
export const DAY_FORMAT = formatOf();
const MINUTE_FORMAT = formatOf("short");
const SECOND_FORMAT = formatOf("medium");

interface TimeProps {
  readonly at: Timestamp | undefined;
  /** Instead of a time that there is none of. */
  readonly none?: string;
  readonly withDayAlone?: boolean;
  readonly withSeconds?: boolean;
}

/** A time in the zone of who looks, and in UTC under the pointer. */
export function Time({ at, none = "–", withDayAlone, withSeconds }: TimeProps) {
  if (at === undefined) return <span class="none">{none}</span>;
  const iso = timestampDate(at).toISOString();
  const format = withDayAlone ? DAY_FORMAT : withSeconds ? SECOND_FORMAT : MINUTE_FORMAT;
  return (
    <time dateTime={iso} title={`${iso.replace("T", " ").replace(/\.\d+Z/, "")} UTC`}>
      {format.format(timestampMs(at))}
    </time>
  );
}

export const DAY_MS = 24 * 60 * 60 * 1_000;

/** The calendar day of a moment in the zone of who looks, as in 2026-05-01. */
export function dayOf(date: Date): string {
  // Sweden writes days so, but without the zeros of a year that somebody has begun to type.
  return date.toLocaleDateString("sv").padStart(10, "0");
}

/** The last moment of a day in that zone, in UTC. */
export function endOfDay(day: string): string {
  return new Date(`${day}T23:59:59`).toISOString();
}

/** The same of the day so many days before today. */
export function endOfDayBack(days: number): string {
  const date = new Date();
  date.setDate(date.getDate() - days);
  return endOfDay(dayOf(date));
}

/** Calendar days from a moment's day to today: in some zones a day has 23 or 25 hours. */
export function daysSince(moment: string): number {
  const numberOf = (date: Date) => Date.parse(dayOf(date)) / DAY_MS;
  return numberOf(new Date()) - numberOf(new Date(moment));
}

/** The first moment of a day in that zone, in UTC. */
export function startOfDay(day: string): string {
  return new Date(`${day}T00:00:00`).toISOString();
}

/** Whether a memory is believed: in words, and by colour. */
export function State({ memory: { temporal } }: { readonly memory: Memory }) {
  if (temporal?.isCurrent) return <span class="badge good">Current</span>;
  if (temporal?.isSuperseded) return <span class="badge">Superseded</span>;
  return <span class="badge warn">{temporal?.isExpired ? "Expired" : "Ended"}</span>;
}

interface ShareProps {
  /** The label for screen readers. */
  readonly label: string;
  readonly value: number;
  /** More than 0. */
  readonly max: number;
  /** Whether it is nearly used up. */
  readonly isHigh?: boolean;
}

/** How much of something there is, as a bar. */
export function Share({ label, value, max, isHigh = false }: ShareProps) {
  const percent = Math.min(100, (100 * value) / max);
  return (
    <svg
      class={isHigh ? "share high" : "share"}
      viewBox="0 0 100 4"
      preserveAspectRatio="none"
      role="img"
      aria-label={`${label}: ${Math.round(percent)} %`}
    >
      <rect width={percent} height="4" />
    </svg>
  );
}

/** Names, each with what it stands for. */
export function Pairs({ of }: { readonly of: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="pairs">
      {of.map(([name, content]) => (
        <div key={name}>
          <dt dir="auto">{name}</dt>
          <dd dir="auto">{content}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A text to paste elsewhere, with a button that copies it. The label is for screen readers. */
export function Copied({ text, label }: Readonly<Record<"text" | "label", string>>) {
  const [state, setState] = useState("Copy");
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setState("Copied"),
      () => setState("Select it to copy"),
    );
  return (
    <div class="copied">
      <textarea
        readOnly
        rows={text.trimEnd().split("\n").length}
        aria-label={label}
        value={text}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <Button aria-label={`${state}: ${label}`} onClick={copy}>
        {state}
      </Button>
    </div>
  );
}

/** Leads to a memory, by the first lines of what it says. */
export function MemoryLink({ id, decision }: Partial<Pick<Memory, "id" | "decision">>) {
  return (
    <a class="clamped" dir="auto" href={hrefOf("memories", id)}>
      {decision}
    </a>
  );
}

/** A word of the service for people: "Past due" of "past_due". */
export function titleOf(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1).replaceAll("_", " ");
}

/** A message, with the words marked that a fact took from it. */
export function Marked({ text, fact }: { readonly text: string; readonly fact: string }) {
  return (
    <blockquote dir="auto">
      {markedWords(text, fact).map((part, index) =>
        part.isMarked ? <mark key={index}>{part.text}</mark> : part.text,
      )}
    </blockquote>
  );
}
