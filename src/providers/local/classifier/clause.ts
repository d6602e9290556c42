import { type Token, tokensOf } from "./token.ts";
import {
  type Clause,
  isAdverb,
  isFiniteVerb,
  readVerbGroup,
  verbPosition,
  withAdverbsBefore,
} from "./verb-group.ts";

/** Only the beginning of a long text is compared; a fact is short. */
const MAX_CHARACTERS = 2_000;
const MAX_CLAUSES = 12;

const SENTENCE_END =
  /(?<!\b(?:Dr|Mr|Mrs|Ms|Prof|St|Jr|Sr|Inc|No|vs|[A-Z]))\.+(?=\s|$)|[!?]+(?=\s|$)|[;\n]+/u;

const LEAD_IN =
  /^(?:(?:update|updated|correction|news|note|fyi|reminder|edit)\s*[:,-]|(?:actually|now|today|currently|also|well|ok|so|btw|by the way|no|yes|as of [^,]{1,40},|from now on|since [^,]{1,40},|starting [^,]{1,40},|these days|lately|recently)[\s,]+)\s*/iu;
const LABEL = /^([\p{L}\p{N}][^:=\n.,]{0,60}?)\s*(?::|=|->|→)\s+(?!\/\/)(\S.*)$/u;

const SUBJECT_PRONOUNS = new Set("i we he she it they".split(" "));

/** The clauses of a short text; what leaves out its subject gets that of the one before. */
export function clausesOf(text: string): Clause[] {
  const clauses: Clause[] = [];
  const sentences = text.slice(0, MAX_CHARACTERS).split(SENTENCE_END);
  for (const sentence of sentences) {
    const { rest, isChange } = withoutLeadIns(sentence.trim());
    let subject: readonly Token[] = [];
    for (const part of partsOf(rest)) {
      const clause = clauseOf(part, subject, isChange);
      if (clause === null) continue;
      subject = clause.subject;
      clauses.push(clause);
      if (clauses.length === MAX_CLAUSES) return clauses;
    }
  }
  return clauses;
}

function withoutLeadIns(sentence: string): { rest: string; isChange: boolean } {
  let rest = sentence;
  let isChange = false;
  for (let match = LEAD_IN.exec(rest); match !== null; match = LEAD_IN.exec(rest)) {
    isChange ||= /^(?:update|correction|actually|now|currently|as of|from now|these days)/iu.test(
      rest,
    );
    rest = rest.slice(match[0].length);
  }
  return { rest, isChange };
}

/** Splits where a further verb or subject begins: "left Siemens and joined Bosch". */
function partsOf(sentence: string): Token[][] {
  const label = LABEL.exec(sentence);
  const before = label === null ? [] : tokensOf(label[1] ?? "");
  if (label !== null && before.length > 0 && !before.some((token) => isFiniteVerb(token))) {
    const after = tokensOf(label[2] ?? "");
    const [first] = after;
    // "Alice: lives in Berlin" brings its own verb.
    const verb = first !== undefined && isFiniteVerb(first) ? [] : tokensOf("is");
    return [[...before, ...verb, ...after]];
  }
  const parts: Token[][] = [[]];
  const tokens = tokensOf(sentence);
  tokens.forEach((token, i) => {
    const next = tokens[i + 1];
    const joins = token.folded === "and" || token.folded === "but";
    if (joins && next !== undefined && i > 0 && beginsClause(next)) parts.push([]);
    else parts.at(-1)?.push(token);
  });
  return parts.filter((part) => part.length > 0);
}

function beginsClause(token: Token): boolean {
  return SUBJECT_PRONOUNS.has(token.folded) || token.folded === "now" || isFiniteVerb(token);
}

function clauseOf(
  tokens: readonly Token[],
  inherited: readonly Token[],
  isChangeBefore: boolean,
): Clause | null {
  const verb = verbPosition(tokens);
  if (verb === null) return null;
  const start = withAdverbsBefore(tokens, verb);
  const own = tokens.slice(0, start).filter((token) => !isAdverb(token));
  const isPronoun = own.length === 1 && /^(?:he|she|it|they)$/u.test(own[0]?.folded ?? "");
  const subject = own.length === 0 || (isPronoun && inherited.length > 0) ? inherited : own;
  return readVerbGroup(subject, tokens, start, isChangeBefore);
}
