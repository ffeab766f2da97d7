/** A piece of a reply's text, as what it is. */
export interface Words {
  readonly type: "text" | "reasoning";
  readonly delta: string;
}

const OPEN = "<think>";
const CLOSE = "</think>";

/**
 * Splits what an open model thinks, in `<think>` tags at the beginning of its text, from its text. Tags may be split
 * over pieces; what may still become one is held back. Tags elsewhere are text.
 */
export function createThinkingSplit() {
  let state: "start" | "thinking" | "after" | "text" = "start";
  let held = "";

  function* add(piece: string): Generator<Words> {
    if (state === "text") return yield { type: "text", delta: piece };
    held += piece;
    if (state === "start") {
      const begun = held.trimStart();
      if (OPEN.startsWith(begun)) {
        if (begun !== OPEN) return;
      } else if (!begun.startsWith(OPEN)) {
        state = "text";
        return yield* flush();
      }
      state = "thinking";
      held = begun.slice(OPEN.length);
    }
    if (state === "thinking") {
      const end = held.indexOf(CLOSE);
      const sure = end === -1 ? held.length - beginningOf(CLOSE, held) : end;
      if (sure > 0) yield { type: "reasoning", delta: held.slice(0, sure) };
      held = held.slice(end === -1 ? sure : end + CLOSE.length);
      if (end === -1) return;
      state = "after";
    }
    held = held.trimStart();
    if (held === "") return;
    state = "text";
    yield* flush();
  }

  /** What is still held back when the text ends. */
  function* flush(): Generator<Words> {
    if (held !== "") yield { type: state === "thinking" ? "reasoning" : "text", delta: held };
    held = "";
  }

  return { add, flush };
}

/** How many characters at the end of a text may be the beginning of a tag. */
function beginningOf(tag: string, text: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(tag.slice(0, length))) return length;
  }
  return 0;
}
