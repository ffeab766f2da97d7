import type { ReplyEvent } from "#operations/protocols/follow-reply.ts";

/** Between the messages of a run: what the model says before and after its tool calls. */
const SEPARATOR = "\n\n";

/** A piece of a reply, or its end. */
export type ReplyPiece =
  | { readonly kind: "text"; readonly seq: number; readonly delta: string }
  | { readonly kind: "end"; readonly seq: number; readonly text: string }
  | { readonly kind: "failed"; readonly seq: number; readonly message: string; readonly code: string };

/**
 * Makes the text of a reply out of the events of a run. What the model writes is given as it comes, unless `templated`:
 * an output template, or a team's mode, makes the result at the end, which is then given whole.
 */
export async function* replyPieces(
  batches: AsyncIterable<readonly ReplyEvent[]>,
  { templated }: { readonly templated: boolean },
): AsyncGenerator<readonly ReplyPiece[]> {
  let text = "";
  let separate = false;
  for await (const batch of batches) {
    const pieces: ReplyPiece[] = [];
    for (const event of batch) {
      const { seq } = event;
      if (event.type === "TEXT_MESSAGE_START") separate = text !== "";
      if (event.type === "TEXT_MESSAGE_CONTENT" && !templated) {
        const delta = (separate ? SEPARATOR : "") + event.delta;
        separate = false;
        text += delta;
        pieces.push({ kind: "text", seq, delta });
      }
      if (event.type === "RUN_FINISHED") {
        if (text === "") pieces.push({ kind: "text", seq, delta: event.result });
        pieces.push({ kind: "end", seq, text: text === "" ? event.result : text });
      }
      if (event.type === "RUN_ERROR") pieces.push({ kind: "failed", seq, message: event.message, code: event.code });
    }
    yield pieces;
  }
}
