import type { Vector } from "../../src/domain/embedding.ts";
import { Failure } from "../../src/domain/failure.ts";
import type { Instant } from "../../src/domain/instant.ts";
import type { Question } from "../../src/providers/answerer.ts";
import { createChatAnswerer } from "../../src/providers/chat/answerer.ts";
import type { ChatModel } from "../../src/providers/chat-model.ts";
import type { RejectedFact, Retraction } from "../../src/providers/extractor.ts";
import { createModels, type Models } from "../../src/providers/index.ts";
import type { ModelCall } from "../../src/providers/model-call.ts";
import type { ClassificationInput } from "../../src/providers/supersession-classifier.ts";
import { classificationOf, type ScriptedClassification } from "../support/classification.ts";
import { LOCAL_MODELS } from "../support/service.ts";

/** Where callers' own models may be (D27). */
export const ALLOWED_HOST = "models.example";

/** A fact that the scripted extractor finds; what is left out is unremarkable. */
export interface ScriptedFact {
  readonly decision: string;
  readonly summary?: string;
  readonly topic?: string;
  readonly importanceScore?: number;
  readonly messageIndex?: number;
  readonly quote?: string;
  readonly validFrom?: Instant | null;
  readonly validTo?: Instant | null;
  readonly category?: string | null;
}

/** What the scripted extractor finds taken back; what is left out is unremarkable. */
export type ScriptedRetraction = Pick<Retraction, "text" | "messageIndex"> & Partial<Retraction>;

/** What a model is to say; a function that throws is a model that fails. */
type Script<Input, Output> = (input: Input) => Output | Promise<Output>;

/** Pieces are cut as the test says; what is whole comes in one. */
export type SaidText = string | AsyncIterable<string> | Iterable<string>;

/** Models that say what a test tells them, text by text, and else what the local ones say. */
export interface ScriptedModels {
  readonly models: Models;
  /** By the content of the conversation's first message. */
  readonly extractions: Map<string, Script<void, readonly ScriptedFact[]>>;
  /** What is not believed of a conversation whose facts are scripted; by the same message. */
  readonly rejections: Map<string, readonly RejectedFact[]>;
  /** What is taken back in a conversation whose facts are scripted; by the same message. */
  readonly retractions: Map<string, readonly ScriptedRetraction[]>;
  /** By text. */
  readonly vectors: Map<string, Script<void, Vector>>;
  /** What the chat model that answers says, whole or in pieces as they come; by question. */
  readonly answers: Map<string, Script<ModelCall, SaidText>>;
  /** By the decision of the new fact. */
  readonly classifications: Map<string, Script<ClassificationInput, ScriptedClassification>>;
  /** What was answered from memories, in order. */
  readonly questions: readonly Question[];
  /** Everything that a model was shown, in order. */
  readonly shown: readonly string[];
}

/** A chat model that says the same to every prompt. */
function modelThatSays(script: Script<ModelCall, SaidText>): ChatModel {
  async function say(call: ModelCall, onText?: (text: string) => void) {
    const said = await script(call);
    let text = "";
    for await (const piece of typeof said === "string" ? [said] : said) {
      text += piece;
      onText?.(piece);
    }
    const tokens = { inputTokens: null, outputTokens: null };
    return { text, ...tokens, attempts: 1, isCutOff: false, isRefused: false, durationMs: 0 };
  }
  return {
    provider: "openai",
    model: "script-1",
    mayThinkAloud: false,
    complete: (_, call, onText) => say(call, onText),
    inTurn: (work) => work(),
  };
}

/** A model that does not answer (D28). */
export function unavailable(): never {
  throw new Failure("model_unavailable", "the model did not answer", { retryAfterSeconds: 5 });
}

/** A vector of 768 numbers that starts with these; give it unit length. */
export function vector(...first: number[]): number[] {
  return [...first, ...new Array<number>(768 - first.length).fill(0)];
}

export function scriptModels(): ScriptedModels {
  const choice = { ...LOCAL_MODELS, llmAllowedHosts: [ALLOWED_HOST] };
  const local = createModels(choice, { monotonicMs: () => performance.now() });
  const extractions: ScriptedModels["extractions"] = new Map();
  const rejections: ScriptedModels["rejections"] = new Map();
  const retractions: ScriptedModels["retractions"] = new Map();
  const vectors: ScriptedModels["vectors"] = new Map();
  const answers: ScriptedModels["answers"] = new Map();
  const classifications: ScriptedModels["classifications"] = new Map();
  const shown: string[] = [];
  const questions: Question[] = [];

  const extractorNamed = (provider: string, model: string): Models["extractor"] => ({
    provider,
    model,
    async extract(conversation, call) {
      shown.push(...conversation.messages.map(({ content }) => content));
      const opening = conversation.messages[0]?.content ?? "";
      const script = extractions.get(opening);
      if (script === undefined) return local.extractor.extract(conversation, call);
      const facts = (await script()).map((fact) => ({
        summary: fact.decision,
        topic: "General",
        importanceScore: 5,
        messageIndex: 0,
        validFrom: null,
        validTo: null,
        category: null,
        ...fact,
      }));
      return {
        facts,
        retractions: (retractions.get(opening) ?? []).map((retraction) => ({
          topic: "General",
          category: null,
          ...retraction,
        })),
        rejected: rejections.get(opening) ?? [],
      };
    },
  });

  const models: Models = {
    nextEmbedder: null,
    extractor: extractorNamed(local.extractor.provider, local.extractor.model),
    extractorOf(llm) {
      // Refuses what may not be called.
      local.extractorOf(llm);
      return extractorNamed(llm.provider, llm.model);
    },
    embedder: {
      space: local.embedder.space,
      async embed(texts, purpose, call) {
        shown.push(...texts);
        const known = await local.embedder.embed(texts, purpose, call);
        return Promise.all(
          texts.map(async (text, index) => (await vectors.get(text)?.()) ?? known[index] ?? []),
        );
      },
    },
    answerer: {
      async answer(question, call, show) {
        questions.push(question);
        shown.push(question.text, ...question.memories.map(({ decision }) => decision));
        const script = answers.get(question.text);
        if (script === undefined) return local.answerer.answer(question, call, show);
        return createChatAnswerer(modelThatSays(script)).answer(question, call, show);
      },
    },
    classifier: {
      async classify(input, call) {
        const script = classifications.get(input.fact.decision);
        if (script === undefined) return local.classifier.classify(input, call);
        return classificationOf(await script(input));
      },
    },
  };
  return {
    models,
    extractions,
    rejections,
    retractions,
    vectors,
    answers,
    classifications,
    questions,
    shown,
  };
}
