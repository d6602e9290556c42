import { mapConcurrently } from "../../concurrency/bounds.ts";
import type { ChatModel } from "../chat-model.ts";
import type { Conversation, ExtractedFact, Retraction } from "../extractor.ts";
import { type ModelCall, withinShare } from "../model-call.ts";
import type { JudgedClaim, RefusedFact } from "./belief.ts";
import { askModel, nonsense, saidText, tooLate } from "./model-answer.ts";
import {
  type AskedClaim,
  claimCharacters,
  readVerdicts,
  type Verdict,
  verificationPrompt,
} from "./verification-prompt.ts";

/**
 * What one call is asked about. A short list is answered with more care, and in a second
 * or two; where there is more, several calls side by side keep it so.
 */
export const MAX_CLAIMS_A_CALL = 40;
export const MAX_CHARACTERS_A_CALL = 24_000;
/** Of these, room for the line that is of all claims. */
const CHARACTERS_OF_OPENING = 1_000;
/** Calls side by side, of one conversation. */
const MAX_CALLS_AT_ONCE = 24;
/** So often a model is asked about what it left out, or answered nothing about. */
const MAX_ROUNDS = 3;
/** Of the time that the request has left: the write has more to do after it. */
const SHARE_OF_TIME = 1 / 2;

export interface Verified {
  /** In the order that they were given in. */
  readonly facts: readonly ExtractedFact[];
  readonly retractions: readonly Retraction[];
  readonly refused: readonly RefusedFact[];
}

type Verdicts = ReadonlyMap<AskedClaim, Verdict>;

/**
 * Asks a model about all that is to be asked about: in one call, or in several side by side
 * where it is much. Throws `model_unavailable` where it does not answer (D28).
 */
export async function verify(
  model: ChatModel,
  judged: readonly JudgedClaim[],
  conversation: Pick<Conversation, "messages" | "at">,
  call: ModelCall,
): Promise<Verified> {
  const claims = judged.map(({ fact, isRetraction, question }): AskedClaim | null => {
    const noted = { [isRetraction ? "taken_back" : "fact"]: fact.decision };
    return question && { noted, question };
  });
  const asked = claims.flatMap((claim) => claim ?? []);
  const verdicts = await askAbout(model, asked, conversation, call);
  const refused: RefusedFact[] = [];
  const isBelieved = ({ fact, isRetraction }: JudgedClaim, claim: AskedClaim | null) => {
    if (claim === null) return true;
    const reason = verdicts.has(claim) ? (verdicts.get(claim) ?? null) : "unconfirmed";
    const { decision, messageIndex } = fact;
    if (reason !== null) refused.push({ fact: decision, isRetraction, messageIndex, reason });
    return reason === null;
  };
  const believed = judged.filter((each, i) => isBelieved(each, claims[i] ?? null));
  const takenBack = believed.filter(({ isRetraction }) => isRetraction);
  return {
    facts: believed.flatMap(({ fact, isRetraction }) => (isRetraction ? [] : fact)),
    retractions: takenBack.map(({ fact: { decision: text, topic, category, messageIndex } }) => {
      return { text, topic, category, messageIndex };
    }),
    refused,
  };
}

async function askAbout(
  model: ChatModel,
  claims: readonly AskedClaim[],
  conversation: Pick<Conversation, "messages" | "at">,
  call: ModelCall,
): Promise<Verdicts> {
  const calls = inCalls(claims);
  const turn = { ...call, signal: withinShare(call, SHARE_OF_TIME) };
  const askPart = (asked: readonly AskedClaim[]) => () => ask(model, asked, conversation, turn);
  try {
    const verdicts = await mapConcurrently(
      calls,
      MAX_CALLS_AT_ONCE,
      (asked) => (calls.length === 1 ? askPart(asked)() : model.inTurn(askPart(asked), turn)),
      call.signal,
    );
    return new Map(verdicts.flatMap((each) => [...each]));
  } catch (error) {
    call.signal.throwIfAborted();
    throw turn.signal.aborted ? tooLate() : error;
  }
}

/** As few calls as have room for all, of about as many claims each. */
function inCalls(claims: readonly AskedClaim[]): AskedClaim[][] {
  const most = Math.ceil(claims.length / Math.ceil(claims.length / MAX_CLAIMS_A_CALL));
  const room = MAX_CHARACTERS_A_CALL - CHARACTERS_OF_OPENING;
  const calls: AskedClaim[][] = [];
  let characters = 0;
  for (const claim of claims) {
    const more = claimCharacters(claim);
    const last = calls.at(-1);
    if (last && last.length < most && characters + more <= room) {
      last.push(claim);
      characters += more;
    } else {
      calls.push([claim]);
      characters = more;
    }
  }
  return calls;
}

/**
 * What the model says of claims. What an answer leaves out is asked for again; of what it
 * then leaves out too, nothing. Throws `model_unavailable` where no answer can be read.
 */
async function ask(
  model: ChatModel,
  claims: readonly AskedClaim[],
  conversation: Pick<Conversation, "messages" | "at">,
  call: ModelCall,
): Promise<Verdicts> {
  const verdicts = new Map<AskedClaim, Verdict>();
  for (let round = 0; round < MAX_ROUNDS && verdicts.size < claims.length; round++) {
    const rest = claims.filter((claim) => !verdicts.has(claim));
    const prompt = verificationPrompt(rest, conversation);
    const answers = await askModel("verify", model, prompt, call, (completion) =>
      readVerdicts(saidText(completion), rest),
    );
    for (const [claim, verdict] of answers) verdicts.set(claim, verdict);
  }
  if (verdicts.size === 0 && claims.length > 0) throw nonsense("a check that can't be read");
  return verdicts;
}
