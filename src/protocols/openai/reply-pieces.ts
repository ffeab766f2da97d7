import type { FinishReason } from "#domain/models/reply-parts.ts";
import type { ClientCalls } from "#domain/tools/client-tools.ts";
import type { ReplyBound } from "#domain/tasks/reply-bound.ts";
import type { ReplyEvent } from "./reply-event.ts";

/** Separates the texts of a run that precede and follow its tool calls. */
const SEPARATOR = "\n\n";

/** A question to a person that ends a reply. */
export interface AskedQuestion {
  readonly interactionId: string;
  readonly title: string;
  readonly description: string;
}

interface AskingPiece {
  readonly seq: number;
  /** The whole text of the reply. */
  readonly text: string;
  readonly bound: ReplyBound;
}

/** A piece of a reply, or its end. */
export type ReplyPiece =
  | { readonly kind: "text"; readonly seq: number; readonly delta: string }
  | { readonly kind: "reasoning"; readonly seq: number; readonly messageId: string; readonly delta: string }
  | (AskingPiece & { readonly kind: "calls"; readonly calls: ClientCalls["calls"] })
  | (AskingPiece & { readonly kind: "question"; readonly question: AskedQuestion })
  | { readonly kind: "end"; readonly seq: number; readonly text: string; readonly finish: FinishReason }
  | { readonly kind: "failed"; readonly seq: number; readonly message: string; readonly code: string };

/** The last piece of a reply. */
export type EndPiece = Exclude<ReplyPiece, { kind: "text" | "reasoning" }>;

/** Whether a piece is the last one of its reply. A log that is cut off, because the service stops, has none. */
export function isEnd(piece: ReplyPiece): piece is EndPiece {
  return piece.kind !== "text" && piece.kind !== "reasoning";
}

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
      case "REASONING_MESSAGE_CONTENT":
        return [{ kind: "reasoning", seq, messageId: event.messageId, delta: event.delta }];
      case "INTERACTION_REQUEST": {
        const whole = templated && text !== "" ? [{ kind: "text", seq, delta: text } as const] : [];
        const { clientCalls, interactionId, title, description } = event;
        const asks = { seq, text, bound: { interactionId, modelCalls: clientCalls?.modelCalls } };
        return clientCalls === undefined
          ? [...whole, { kind: "question", ...asks, question: { interactionId, title, description } }]
          : [...whole, { kind: "calls", ...asks, calls: clientCalls.calls }];
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
