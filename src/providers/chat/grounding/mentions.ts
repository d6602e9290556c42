import { fold } from "@agent-memory/text";
import type { TextPiece } from "./letters.ts";

/** Numbers with what stands between their digits, and words. */
const TOKEN = /\p{N}+(?:[.,:'’]\p{N}+)*|[\p{L}\p{M}]+/gu;
/** Words with so many letters alike may be forms of one: "Sopot", "Sopocie". */
const BEGINNING_LETTERS = 4;

/** Where a word stands in a conversation. */
export interface Mention {
  readonly messageIndex: number;
  readonly offset: number;
}

/** A word or a number of a text. */
export interface Token {
  readonly text: string;
  readonly offset: number;
}

export function tokensOf(text: string): Token[] {
  return [...text.matchAll(TOKEN)].map(({ 0: token, index }) => ({ text: token, offset: index }));
}

export function isNumber(token: string): boolean {
  return /^\p{N}/u.test(token);
}

/**
 * By what a word or a number is looked up, the best first: "1,500" is "1500" or "1.500",
 * and a word may have another ending.
 */
export function keysOf(token: string): string[] {
  if (isNumber(token)) {
    const parts = token.split(/[^\p{N}]/u).map((digits) => digits.normalize("NFKC"));
    const areThousands = parts.slice(1).every(({ length }) => length === 3);
    return [...new Set([parts.join("."), ...(areThousands ? [parts.join("")] : [])])];
  }
  const word = fold(token);
  return word.length > BEGINNING_LETTERS ? [word, `${word.slice(0, BEGINNING_LETTERS)}…`] : [word];
}

/** Where each word was said first, by a user if one said it. */
export class Mentions {
  readonly #users = new Map<string, Mention>();
  readonly #others = new Map<string, Mention>();

  add({ text, start }: TextPiece, messageIndex: number, isUsers: boolean): void {
    const known = isUsers ? this.#users : this.#others;
    for (const token of tokensOf(text)) {
      for (const key of keysOf(token.text)) {
        if (!known.has(key)) known.set(key, { messageIndex, offset: start + token.offset });
      }
    }
  }

  /** null: nobody said it. */
  of(token: string): Mention | null {
    const keys = keysOf(token);
    const found = [this.#users, this.#others].flatMap((known) =>
      keys.flatMap((key) => known.get(key) ?? []),
    );
    return found[0] ?? null;
  }
}

/** Whether a text has a word or a number. */
export function hasToken(keys: ReadonlySet<string>, token: string): boolean {
  return keysOf(token).some((key) => keys.has(key));
}

export function allKeysOf(text: string): ReadonlySet<string> {
  return new Set(tokensOf(text).flatMap(({ text: token }) => keysOf(token)));
}
