/** The value of an attribute; of numbers it says how they are written, because receivers distinguish the two. */
export type AttributeValue =
  | string
  | boolean
  | readonly string[]
  | { readonly int: number }
  | { readonly double: number };

/** Attributes by name; those without a value are left out. */
export type Attributes = Readonly<Record<string, AttributeValue | undefined>>;

/** A finished operation. Times are in Unix milliseconds. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | undefined;
  readonly name: string;
  /** client: another service did the work. */
  readonly kind: "internal" | "client";
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: Attributes;
  readonly events: readonly SpanEvent[];
  /** Why it failed, as a code; undefined when it did not. */
  readonly error: string | undefined;
}

/** Something that happened during a span. */
export interface SpanEvent {
  readonly name: string;
  readonly at: number;
}
