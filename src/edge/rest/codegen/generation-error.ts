import type { DescMethod } from "@bufbuild/protobuf";

/** A `google.api.http` rule that cannot be served. The message names the file and the RPC. */
export class GenerationError extends Error {
  override readonly name = "GenerationError";

  constructor(rpc: DescMethod, problem: string) {
    super(`${rpc.parent.file.name}.proto: ${rpc.parent.name}.${rpc.name}: ${problem}`);
  }
}
