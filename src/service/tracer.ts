/** Attributes of a span. They hold no text, keys, tenants or accounts. */
export type SpanAttributes = Readonly<Record<string, string | number>>;

/** A piece of work while it goes on. */
export interface Span {
  set(attributes: SpanAttributes): void;
}

/** The pieces of work that a call consists of. */
export type SpanName =
  | "gate"
  | "embed"
  | "retrieve"
  | "answer"
  | "classify"
  | "extract"
  | "verify"
  | "write";

/** Tells whoever traces calls what they do, and how long that takes. */
export interface Tracer {
  /**
   * Does `work` as a piece of what is being done, and rejects as that does. Of an error
   * its kind is told, and nothing that it says.
   */
  span<T>(name: SpanName, attributes: SpanAttributes, work: (span: Span) => Promise<T>): Promise<T>;
}

const NO_SPAN: Span = { set: () => {} };

/** Nobody traces. */
export const NO_TRACER: Tracer = { span: (_name, _attributes, work) => work(NO_SPAN) };
