/** Messages as the JSON of requests and responses. */

export {
  type AnyMessage,
  asMessage,
  fieldOf,
  isFlat,
  jsonNameOf,
  textReplacedBy,
} from "./field.ts";
export {
  createJsonReaderCompiler,
  holdsMoreValues,
  type JsonReaderCompiler,
  type JsonReaderOptions,
  type ParseTimestamp,
} from "./reader.ts";
export {
  createJsonWriterCompiler,
  fieldGetter,
  type JsonWriterCompiler,
  jsonNamesOf,
} from "./writer.ts";
