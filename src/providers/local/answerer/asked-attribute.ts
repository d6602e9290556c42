import type { Statement } from "../classifier/statement.ts";
import { statementsOfClause } from "../classifier/statements.ts";
import { type Token, tokensOf } from "../classifier/token.ts";
import type { Clause } from "../classifier/verb-group.ts";
import { verbFormOf } from "../lexicon/verbs.ts";

/** What a question asks of whom, in the words of the statements that could answer it. */
export interface AskedAttribute extends Pick<Statement, "subject" | "attribute" | "isPerson"> {
  /** The question names no kind of thing: "where" in place of "which gym". */
  readonly isOpen: boolean;
}

const DO = new Set("do does did".split(" "));
const BE = new Set("is are was were am".split(" "));
const PREPOSITIONS = new Set("in at on to for with from by of about".split(" "));
/** Stands for the answer: a name, so that it reads like any value. */
const [ANSWER] = tokensOf("Answer") as [Token];

/** Turns "Where does Alice live?" into what "Alice lives in …" states; empty where it can't be read. */
export function askedAttributes(question: string): AskedAttribute[] {
  const tokens = tokensOf(question);
  const auxiliary = tokens.findIndex((token) => DO.has(token.folded) || BE.has(token.folded));
  if (auxiliary < 1) return [];
  const asking = tokens.slice(0, auxiliary).map((token) => token.folded);
  const rest = tokens.slice(auxiliary + 1);
  const isDo = DO.has(tokens[auxiliary]?.folded ?? "");
  const clauses = isDo ? doClauses(asking, rest) : beClauses(asking, rest);
  const isOpen = asking.length === 1 || asking[1] === "old";
  return clauses.flatMap(statementsOfClause).map((statement) => ({ ...statement, isOpen }));
}

function doClauses(asking: readonly string[], rest: readonly Token[]): Clause[] {
  const at = rest.findIndex(
    (token, i) => i > 0 && !rest[i - 1]?.isPossessive && verbFormOf(token.folded)?.form === "base",
  );
  if (at < 0) return [];
  const complement = rest.slice(at + 1);
  const verb = rest[at]?.folded ?? "";
  const endsOpen = PREPOSITIONS.has(complement.at(-1)?.folded ?? "");
  const isWhere = asking[0] === "where";
  const completed = endsOpen
    ? [...complement, ANSWER]
    : isWhere
      ? [...complement, ...tokensOf(verb === "work" ? "at" : "in"), ANSWER]
      : [ANSWER, ...complement];
  return [clauseOf(rest.slice(0, at), verb, completed, false)];
}

function beClauses(asking: readonly string[], rest: readonly Token[]): Clause[] {
  const last = rest.at(-1);
  if (last === undefined) return [];
  const form = verbFormOf(last.folded);
  const isWhere = asking[0] === "where";
  const place = isWhere ? tokensOf("in") : [];
  if (form?.form === "past" && rest.length > 1) {
    return [clauseOf(rest.slice(0, -1), form.base, [...place, ANSWER], true)];
  }
  if (asking[0] === "how")
    return asking[1] === "old" ? [clauseOf(rest, "be", tokensOf("30"), false)] : [];
  return [clauseOf(rest, "be", [...place, ANSWER], false)];
}

function clauseOf(
  subject: readonly Token[],
  verb: string,
  complement: readonly Token[],
  isPassive: boolean,
): Clause {
  return {
    subject,
    verb,
    complement,
    isPassive,
    isNegated: false,
    isChange: false,
    isPast: false,
    isTentative: false,
  };
}
