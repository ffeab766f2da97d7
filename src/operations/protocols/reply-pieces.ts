import type { FinishReason } from "#domain/models/reply-parts.ts";
import type { ClientCalls } from "#domain/tools/client-tools.ts";
import type { ReplyEvent } from "./follow-reply.ts";

/** Separates the texts of a run that precede and follow its tool calls. */
const SEPARATOR = "\n\n";

/** A piece of a reply, or its end. */
export type ReplyPiece =
  | { readonly kind: "text"; readonly seq: number; readonly delta: string }
  | { readonly kind: "calls"; readonly seq: number; readonly text: string; readonly calls: ClientCalls["calls"] }
  | { readonly kind: "end"; readonly seq: number; readonly text: string; readonly finish: FinishReason }
  | { readonly kind: "failed"; readonly seq: number; readonly message: string; readonly code: string };

/**
 * Assembles the text of a reply from the events of a run. Streams the model's text, unless `templated`: an output
 * template or a team's mode produces the result at the end, which is then sent whole.
 */
export async function* replyPieces(
  batches: AsyncIterable<readonly ReplyEvent[]>,
  { templated }: { readonly templated: boolean },
): AsyncGenerator<readonly ReplyPiece[]> {
  let text = "";
  let separate = false;

  function piecesOf(event: ReplyEvent): ReplyPiece[] {
    const { seq } = event;
    switch (event.type) {
      case "TEXT_MESSAGE_START":
        separate = text !== "";
        return [];
      case "TEXT_MESSAGE_CONTENT": {
        const delta = (separate ? SEPARATOR : "") + event.delta;
        separate = false;
        text += delta;
        return templated ? [] : [{ kind: "text", seq, delta }];
      }
      case "TEXT_MESSAGE_END":
        return [];
      case "INTERACTION_REQUEST": {
        const whole = templated && text !== "" ? [{ kind: "text", seq, delta: text } as const] : [];
        return [...whole, { kind: "calls", seq, text, calls: event.clientCalls.calls }];
      }
      case "RUN_FINISHED": {
        const { result, finishReason: finish = "stop" } = event;
        if (!templated && text !== "") return [{ kind: "end", seq, text, finish }];
        return [
          { kind: "text", seq, delta: result },
          { kind: "end", seq, text: result, finish },
        ];
      }
      case "RUN_ERROR":
        return [{ kind: "failed", seq, message: event.message, code: event.code }];
    }
  }

  for await (const batch of batches) yield batch.flatMap(piecesOf);
}
