import { userNameIn } from "@agent-memory/text";
import { isRepetition, type RankedCandidate } from "../domain/auto-supersession.ts";
import { candidateBar } from "../domain/candidate-bar.ts";
import { cosine } from "../domain/embedding.ts";
import { endsOf } from "../domain/identity.ts";
import type { MemoryId } from "../domain/ids.ts";
import { MAX_SUPERSESSION_CANDIDATES } from "../domain/limits.ts";
import { asTheUser, attributesUnderNames, USER_NAME_ATTRIBUTE } from "../domain/user-name.ts";
import { zip } from "../domain/zip.ts";
import { embeddingModelReplaced } from "../storage/embedding-spaces.ts";
import {
  findOfAttribute,
  findCandidates as findStoredCandidates,
} from "../storage/memory-vectors.ts";
import type { Caller, MemoryContext } from "./context.ts";
import type { EmbeddedStatement } from "./embed-facts.ts";

/** A statement and all that may be about the same. */
export interface ComparedStatement {
  readonly fact: EmbeddedStatement;
  /** What it says, with the user under one name. */
  readonly decision: string;
  /** Stored memories, and earlier facts of the same write. */
  readonly near: readonly ComparedCandidate[];
}

/** A candidate, with the user under the same name. */
export interface ComparedCandidate extends RankedCandidate {
  /** Of an earlier fact of the same write: undefined. */
  readonly category?: string | null;
  /** It says the same in the same words. */
  readonly isRepeated: boolean;
  /** The fact can end it (D23b), or repeats it: what is neither concerns no gate and no model. */
  readonly isConcerned: boolean;
}

/** Candidates that are fetched for a fact alone. */
const FETCHED_CANDIDATES = MAX_SUPERSESSION_CANDIDATES;
/** And for each of several: some may be ended by earlier facts, and the fact then has others. */
const FETCHED_FOR_SEVERAL = 2 * MAX_SUPERSESSION_CANDIDATES;
/** Characters of candidates that are read in one turn of the event loop: a few milliseconds. */
const MAX_CHARACTERS_PER_TURN = 32 * 1024;

/** Memories that give the user a name; of more than one name none counts. */
const MAX_NAMING_MEMORIES = 4;

/** Numbers of vectors that are multiplied in one turn of the event loop: a few milliseconds. */
const MAX_PRODUCTS_PER_TURN = 2_000_000;

/**
 * Finds what is near to each of the statements `asked` of `all` in one write, or about
 * the same attribute of the same subject. Throws
 * `model_unavailable` when the embedding model was replaced meanwhile; rejects when the
 * client has left.
 */
export async function findCandidates(
  { embedders, loopTurns, now }: MemoryContext,
  { db, companyId }: Caller,
  tenantId: string | null,
  asked: readonly EmbeddedStatement[],
  all: readonly EmbeddedStatement[],
  client: AbortSignal,
): Promise<ComparedStatement[]> {
  const spaceId = asked[0]?.vectors[0].spaceId;
  if (spaceId === undefined) return [];
  const active = embedders.find((each) => each.spaceId === spaceId);
  if (active === undefined) throw embeddingModelReplaced();
  const minSimilarity = candidateBar(active.embedder.space);
  const limit = asked.length > 1 ? FETCHED_FOR_SEVERAL : FETCHED_CANDIDATES;
  const search = { tenantId, now: now(), limit, minSimilarity };
  const naming = await findOfAttribute(db, {
    ...search,
    attribute: USER_NAME_ATTRIBUTE,
    limit: MAX_NAMING_MEMORIES,
  });
  const userName = userNameIn([...naming, ...all.map(({ memory }) => memory.decision)]);
  const found = await findStoredCandidates(db, {
    ...search,
    facts: asked.map(({ statedAt, attribute, vectors: [vector] }) => ({
      vector,
      attributes: attributesUnderNames(attribute, userName),
      statedAtMost: statedAt,
    })),
  });
  if (found === null) throw embeddingModelReplaced();
  const positions = new Map(all.map((fact, index) => [fact, index]));
  const earlierThan = (fact: EmbeddedStatement) =>
    all.slice(0, positions.get(fact)).filter(({ retractedBy }) => retractedBy === null);
  const charactersOf = (near: readonly RankedCandidate[]) =>
    near.reduce((sum, { candidate }) => sum + candidate.decision.length, 0);
  return loopTurns.map(
    companyId,
    zip(asked, found),
    ([fact, stored]) => {
      const [{ vector }] = fact.vectors;
      const products = ((positions.get(fact) ?? 0) * vector.length) / MAX_PRODUCTS_PER_TURN;
      return products + charactersOf(stored) / MAX_CHARACTERS_PER_TURN;
    },
    ([fact, stored]) => {
      const earlier = nearOf(fact, earlierThan(fact), minSimilarity, userName);
      return compare(fact, [...stored, ...earlier], userName);
    },
    client,
  );
}

/** `userName`: so that "Bob lives in Rome" and "The user moved to Oslo" are seen to be of one person. */
function compare(
  fact: EmbeddedStatement,
  near: readonly (RankedCandidate & { readonly category?: string | null })[],
  userName: string | null,
): ComparedStatement {
  const underOneName = (text: string) => (userName === null ? text : asTheUser(text, userName));
  const decision = underOneName(fact.memory.decision);
  const canEnd = endsOf(decision);
  const compared = near.map((each) => {
    const candidate = { ...each.candidate, decision: underOneName(each.candidate.decision) };
    const isRepeated = isRepetition(candidate.decision, decision);
    return {
      ...each,
      candidate,
      isRepeated,
      isConcerned: isRepeated || canEnd(candidate.decision),
    };
  });
  return { fact, decision, near: compared };
}

/** The stored memories that any of the facts concerns, each once. */
export function concernedMemories(facts: readonly ComparedStatement[]) {
  const concerned = facts.flatMap(({ near }) =>
    near.flatMap(({ candidate, category, isConcerned }) =>
      isConcerned && category !== undefined ? { ...candidate, category } : [],
    ),
  );
  return [...new Map(concerned.map((each) => [each.id, each])).values()];
}

function nearOf(
  fact: EmbeddedStatement,
  others: readonly EmbeddedStatement[],
  minSimilarity: number,
  userName: string | null,
): RankedCandidate[] {
  const [{ vector }] = fact.vectors;
  const alike = attributesUnderNames(fact.attribute, userName);
  return others
    .map(({ memory, statedAt, attribute, vectors: [other] }) => ({
      candidate: { ...memory, statedAt },
      similarity: cosine(other.vector, vector),
      hasSameAttribute: attribute !== null && alike.includes(attribute),
    }))
    .filter(({ similarity, hasSameAttribute }) => hasSameAttribute || similarity >= minSimilarity);
}

/**
 * The facts in groups, each in order, so that no two groups share a candidate and
 * none has a candidate in another: what one decides then changes nothing for another.
 */
export function groupsOf(facts: readonly ComparedStatement[]): ComparedStatement[][] {
  // Each ID leads to another of its group, and the last one names the group.
  const leads = new Map<MemoryId, MemoryId>();
  const nameOf = (id: MemoryId): MemoryId => {
    let name = id;
    for (let next = leads.get(name); next !== undefined; next = leads.get(name)) name = next;
    if (name !== id) leads.set(id, name);
    return name;
  };
  for (const { fact, near } of facts) {
    for (const { candidate } of near) {
      const [name, other] = [nameOf(fact.memory.id), nameOf(candidate.id)];
      if (name !== other) leads.set(name, other);
    }
  }
  return [...Map.groupBy(facts, ({ fact }) => nameOf(fact.memory.id)).values()];
}
