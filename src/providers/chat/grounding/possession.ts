import { isStopWord, wordsOf } from "@agent-memory/text";
import type { Context } from "./claim.ts";
import type { Clause } from "./clauses.ts";
import { hasMarker, type Language, type Marker, markersIn, UNSPACED } from "./languages.ts";
import { peopleIn } from "./people.ts";
import type { Weight } from "./weight.ts";
import { indexWords } from "./words.ts";

/** Whose the words of a message say that something is; null: they do not say. */
type Owner =
  | { readonly who: "speaker" }
  /** `isPerson`: by a name, a word for a person or "her"; else "my X's". */
  | { readonly who: "other"; readonly words: string; readonly isPerson: boolean }
  | null;

const SPEAKER: Owner = { who: "speaker" };
/** So many words may stand between a thing and whose it is: "my son's new", "of my old". */
const MAX_WORDS_BETWEEN = 3;
/** The same where no blanks are written. */
const MAX_CHARACTERS_BEFORE = 4;
/** "L'adresse d'Anna" is four. */
const WORD = /\p{L}{1,2}['’](?=\p{L}{2})|[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu;
const ADDRESS = /\S+@\S+/gu;
/** "This year's": nobody's. */
const TIME =
  /^(?:to|yester)day$|^to(?:morrow|night)$|^(?:year|month|week|weekend|day|night|season)$/u;

/**
 * Whose a thing is that a fact gives to the user: of "my sister's number" her number is
 * not "the user's". "own": the user's; null: the message does not say.
 */
export function possession(context: Context): Weight | "own" {
  const { about, clauses, quoted, fact, evidence, folded, language, isSameLanguage } = context;
  const things = about.things.filter((word) => !isStopWord(word));
  if (things.length === 0 || !isSameLanguage) return null;
  const { has } = indexWords(fact.replace(ADDRESS, ""));
  const factKinds = kindsOf(folded, language);
  const isOfMore = about.isOfMore || factKinds.length > 0;
  // The fact may say whose it is: "Dad's" as "the user's father's".
  const isTold = (words: string) =>
    wordsOf(words).some(has) ||
    // "Her name" may be that of the user's daughter.
    (isOfMore && hasMarker(words, evidence.language, "theirs")) ||
    kindsOf(words, evidence.language).some((kind) => factKinds.includes(kind));
  for (const among of [clauses, quoted]) {
    const owned = among.flatMap((clause) => {
      const owner = ownerOf(things, clause, evidence.language);
      return owner === null ? [] : { clause, owner };
    });
    if (owned.some(({ owner }) => owner.who === "speaker")) return "own";
    const others = owned.filter(({ owner }) => owner.who === "other" && !isTold(owner.words));
    if (others.length === 0) continue;
    const isSure = others.some(
      ({ owner, clause }) =>
        owner.who === "other" &&
        owner.isPerson &&
        // "My wife's car is red and mine grey": it may be of the other.
        markersIn(clause.folded, evidence.language, "mine").length <= 1,
    );
    return isSure ? "grave" : "mild";
  }
  return null;
}

function ownerOf(things: readonly string[], clause: Clause, language: Language): Owner {
  if (UNSPACED.has(language)) return unspacedOwnerOf(things, clause.folded, language);
  const words = clause.folded.match(WORD) ?? [];
  const written = clause.text.match(WORD) ?? [];
  const is = (word: string | undefined, marker: Marker) =>
    word !== undefined && hasMarker(word, language, marker);
  const isPerson = (place: number) => {
    const [word = "", asWritten = ""] = [words[place], written[place]];
    return kindsOf(word.replace(/'s?$/u, ""), language).length > 0 || /^\p{Lu}/u.test(asWritten);
  };
  const other = (place: number, word = words[place] ?? ""): Owner => ({
    who: "other",
    words: word,
    isPerson: isPerson(place),
  });
  for (const thing of things) {
    const { has } = indexWords(thing);
    const place = words.findIndex(has);
    const owner = place < 0 ? null : (ownerBefore(place) ?? ownerBehind(place));
    if (owner !== null) return owner;
  }
  return null;

  /** "My", "my wife's", "her", "Karl's", "mijn moeders". */
  function ownerBefore(place: number): Owner {
    for (let i = place - 1; i >= Math.max(0, place - MAX_WORDS_BETWEEN); i--) {
      const word = words[i] ?? "";
      const [, base] = /^(.+?)(?:'s|(?<=s)')$/u.exec(word) ?? [];
      if (base !== undefined) return TIME.test(base) ? null : other(i, base);
      if (is(word, "mine")) return SPEAKER;
      if (is(word, "theirs")) return { who: "other", words: word, isPerson: true };
      if (is(word, "article")) return null;
      if (i === place - 1 && kindsOf(word, language).length > 0) return other(i);
    }
    return null;
  }

  /** "Of mine", "of my daughter", "meiner Mutter", "sąsiada". */
  function ownerBehind(place: number): Owner {
    const isLinked = is(words[place + 1], "of");
    let i = place + (isLinked ? 2 : 1);
    const isMine = is(words[i], "mine");
    if (isMine && (words[i + 1] === undefined || !isLinked) && !isGenitive(language))
      return SPEAKER;
    if (is(words[i], "theirs"))
      return isLinked ? { who: "other", words: "", isPerson: true } : null;
    if (!isLinked && !isGenitive(language)) return null;
    if (isMine || is(words[i], "article")) i++;
    const word = words[i];
    if (word === undefined) return null;
    // Where nouns have capitals, a capital makes no name.
    const isWhose = isLinked ? isMine || isPerson(i) : kindsOf(word, language).length > 0;
    return isWhose ? { who: "other", words: word, isPerson: true } : null;
  }
}

/** Languages that say whose a thing is by an ending. */
function isGenitive(language: Language): boolean {
  return language === "de" || language === "pl";
}

function unspacedOwnerOf(things: readonly string[], folded: string, language: Language): Owner {
  for (const thing of things) {
    const place = folded.indexOf(thing);
    if (place < 0) continue;
    const before = folded.slice(Math.max(0, place - MAX_CHARACTERS_BEFORE), place);
    if (kindsOf(before, language).length > 0 || hasMarker(before, language, "theirs")) {
      return { who: "other", words: before, isPerson: true };
    }
    return hasMarker(before, language, "mine") ? SPEAKER : null;
  }
  return null;
}

function kindsOf(folded: string, language: Language): number[] {
  return peopleIn(folded, language).map(({ kind }) => kind);
}
