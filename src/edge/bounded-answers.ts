import { type DescMessage, type DescMethod, isMessage, type Message } from "@bufbuild/protobuf";
import type { Interceptor } from "@connectrpc/connect";
import { ApiKeyService } from "../../gen/agentmemory/dashboard/v1/own_api_key_service_pb.ts";
import { ReviewService } from "../../gen/agentmemory/dashboard/v1/review_service_pb.ts";
import { MemoryService } from "../../gen/agentmemory/v1/memory_service_pb.ts";
import { type Admission, admissionOf } from "./admission.ts";
import type { Release } from "./admission-queues.ts";
import { callerKey } from "./rpc/call.ts";

/** Shorter messages of a stream are sent without a wait. */
const MIN_LARGE_CHARACTERS = 64 * 1024;

const {
  exportMemories,
  importMemories,
  listMemories,
  getMemoryTimeline,
  getMemoryAudit,
  getContext,
  getProfile,
  queryMemories,
  searchMemories,
} = MemoryService.method;
const TRANSFERS: readonly DescMethod[] = [exportMemories, importMemories];
/** They wait before they read from the database what they answer. */
const READS: readonly DescMethod[] = [
  listMemories,
  getMemoryTimeline,
  getMemoryAudit,
  getProfile,
  ReviewService.method.listDecisions,
  ApiKeyService.method.listApiKeys,
];
/** They wait when they are answered: models take longer than readers do. */
const QUESTIONS: readonly DescMethod[] = [queryMemories, searchMemories, getContext];

/**
 * Bounds what is read or made for the answers of an account and not yet sent (D37), and
 * charges each answer for its rows. Exports and imports hold much, and for as long as their
 * clients like, so they are bounded as a whole; of a stream each large message waits too.
 *
 * Rejects with `too_many_in_flight` where the account does not read its answers, and with
 * `overloaded` where all accounts together have too many.
 */
export const boundAnswers: Interceptor = (next) => async (request) => {
  const { method, contextValues, signal } = request;
  const caller = contextValues.get(callerKey);
  if (caller === null) throw new Error("an answer belongs to no account");
  const { companyId } = caller;
  const admission = admissionOf(contextValues);
  const largeAnswer = () => admission.largeAnswer(companyId, signal);
  const charge = (message: Message) => admission.chargeRows(rowsOf(method.output, message));

  if (TRANSFERS.includes(method)) await admission.transfer(companyId, signal);
  const release = READS.includes(method) ? await largeAnswer() : null;
  // An interceptor may throw at once.
  const answered = Promise.try(next, request);
  // A client that leaves ends its response before the statement that reads for it.
  if (release !== null) void Promise.allSettled([answered, admission.ended]).then(release);
  const response = await answered;
  if (response.stream) {
    return { ...response, message: bounded(response.message, admission, charge, largeAnswer) };
  }
  if (QUESTIONS.includes(method)) admission.hold(await largeAnswer());
  charge(response.message);
  return response;
};

/** The reader of the messages may stop without a word; then the request releases what is held. */
async function* bounded(
  messages: AsyncIterable<Message>,
  admission: Admission,
  charge: (message: Message) => void,
  largeAnswer: () => Promise<Release>,
): AsyncGenerator<Message> {
  for await (const message of messages) {
    charge(message);
    if (charactersOf(message) < MIN_LARGE_CHARACTERS) yield message;
    else {
      const release = await largeAnswer();
      admission.hold(release);
      yield message;
      release();
    }
  }
}

/** The characters of all texts in a message. */
function charactersOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce<number>((sum, each) => sum + charactersOf(each), 0);
}

/** The entries of a message's lists of messages. Where a oneof is all of it, those of its arm. */
export function rowsOf({ members }: DescMessage, message: Message): number {
  const fieldsOf = message as Message & Readonly<Record<string, unknown>>;
  const [only] = members;
  if (members.length === 1 && only?.kind === "oneof") {
    const { case: arm, value } = fieldsOf[only.localName] as { case?: string; value?: unknown };
    const type = only.fields.find(({ localName }) => localName === arm)?.message;
    return type !== undefined && isMessage(value) ? rowsOf(type, value) : 0;
  }
  return members
    .filter((field) => field.kind === "field")
    .filter((field) => field.fieldKind === "list" && field.listKind === "message")
    .reduce((rows, { localName }) => rows + (fieldsOf[localName] as readonly unknown[]).length, 0);
}
