import type { Block, ContextInput, ContextParts, ProfileInput } from "../domain/context-block.ts";
import type { ModelCall } from "./model-call.ts";
import type { ModelThreads } from "./threads/model-threads.ts";

/** Writes blocks of memories within a number of tokens, which takes a vocabulary to count. */
export interface ContextWriter {
  context(input: ContextInput, call: ModelCall): Promise<ContextParts>;
  profile(input: ProfileInput, call: ModelCall): Promise<Block>;
}

/** It works in the threads of the models: the vocabulary is large, and texts are long. */
export function contextWriterIn(threads: ModelThreads): ContextWriter {
  return {
    context: (input, call) => threads.run("context", input, call),
    profile: (input, call) => threads.run("profile", input, call),
  };
}
