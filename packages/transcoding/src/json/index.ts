/** Messages as the JSON of requests and responses. */
export { fieldOf, isFlat, jsonNameOf, textReplacedBy } from "./field.ts";
export { at, createJsonReaderCompiler, holdsMoreValues, refuse } from "./reader.ts";
export { type AnyMessage, asMessage, createJsonWriterCompiler, jsonNamesOf } from "./writer.ts";
