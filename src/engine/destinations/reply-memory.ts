/** The number of answers that a process remembers; what it forgets, it reads again. */
const MAX_REMEMBERED = 1_000;

/** How far the log of an answering run was read, and what it said. */
export interface Reading {
  /** The number of the last event that was read. */
  after: number | undefined;
  text: string;
  tool: string | undefined;
  /** The questions so far. */
  readonly questions: Set<string>;
}

/** What this process knows of the answers that it posts. Nothing depends on it: it saves reading and edits. */
export interface ReplyMemory {
  reading(deliveryId: string): Reading;
  /** Whether a text is what the message of a delivery has. */
  isSaid(deliveryId: string, text: string): boolean;
  say(deliveryId: string, text: string): void;
}

/** Creates the memory of a process. */
export function createReplyMemory(): ReplyMemory {
  const known = new Map<string, { readonly reading: Reading; said: string | undefined }>();
  const of = (id: string) => {
    const found = known.get(id) ?? {
      reading: { after: undefined, text: "", tool: undefined, questions: new Set<string>() },
      said: undefined,
    };
    known.delete(id);
    known.set(id, found);
    const [oldest] = known.keys();
    if (known.size > MAX_REMEMBERED && oldest !== undefined) known.delete(oldest);
    return found;
  };
  return {
    reading: (id) => of(id).reading,
    isSaid: (id, text) => of(id).said === text,
    say: (id, text) => {
      of(id).said = text;
    },
  };
}
