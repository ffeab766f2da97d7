import type { LanguageModelV4StreamPart, SharedV4ProviderMetadata } from "@ai-sdk/provider";
import type { ModelChunk } from "#domain/models/model-call.ts";
import { TEXT_GAP } from "#domain/models/reply-parts.ts";
import type { ReplyPart } from "#domain/models/reply-parts.ts";

/** The parts of a reply, while they arrive. */
export interface GatheredReply {
  /** Adds a part of the stream; yields what of it can be shown at once. */
  add(part: LanguageModelV4StreamPart): Generator<ModelChunk>;
  /** The parts so far, in the order of their begin. */
  parts(): readonly ReplyPart[];
}

/** A text or reasoning that may still grow. */
interface OpenWords {
  readonly type: "text" | "reasoning";
  text: string;
  data: SharedV4ProviderMetadata | undefined;
}

/** Starts to gather a reply from the stream of an AI SDK model. */
export function gatherReply(): GatheredReply {
  const gathered: (OpenWords | Extract<ReplyPart, { type: "tool-call" }>)[] = [];
  const open = new Map<string, OpenWords>();
  let hasText = false;

  function begin(type: OpenWords["type"], id: string): OpenWords {
    const words: OpenWords = { type, text: "", data: undefined };
    open.set(`${type}:${id}`, words);
    gathered.push(words);
    return words;
  }

  function* write(type: OpenWords["type"], id: string, delta: string): Generator<ModelChunk> {
    const words = open.get(`${type}:${id}`) ?? begin(type, id);
    if (delta === "") return;
    if (words.text === "" && (type === "text" ? hasText && !follows(words) : follows(words))) {
      yield { type, delta: TEXT_GAP };
    }
    words.text += delta;
    hasText ||= type === "text";
    yield { type, delta };
  }

  /** Whether the part before is of the same type. */
  function follows(words: OpenWords): boolean {
    return gathered[gathered.indexOf(words) - 1]?.type === words.type;
  }

  return {
    *add(part) {
      switch (part.type) {
        case "text-start":
        case "reasoning-start":
          begin(part.type === "text-start" ? "text" : "reasoning", part.id).data = part.providerMetadata;
          break;
        case "text-delta":
        case "reasoning-delta": {
          const type = part.type === "text-delta" ? "text" : "reasoning";
          yield* write(type, part.id, part.delta);
          note(open.get(`${type}:${part.id}`), part.providerMetadata);
          break;
        }
        case "text-end":
        case "reasoning-end": {
          const key = `${part.type === "text-end" ? "text" : "reasoning"}:${part.id}`;
          note(open.get(key), part.providerMetadata);
          open.delete(key);
          break;
        }
        case "tool-call":
          gathered.push({
            type: "tool-call",
            call: {
              id: part.toolCallId,
              name: part.toolName,
              arguments: part.input,
              ...(part.providerMetadata !== undefined && { providerData: part.providerMetadata }),
            },
          });
          break;
        default: // sources, files and the pieces of a tool call are not part of a conversation
      }
    },
    parts: () => gathered.flatMap(asPart),
  };
}

/** Signatures arrive with an empty delta, or at the end. */
function note(words: OpenWords | undefined, data: SharedV4ProviderMetadata | undefined): void {
  if (words === undefined || data === undefined) return;
  const merged = { ...words.data };
  for (const [provider, values] of Object.entries(data)) merged[provider] = { ...merged[provider], ...values };
  words.data = merged;
}

function asPart(part: OpenWords | Extract<ReplyPart, { type: "tool-call" }>): ReplyPart[] {
  if (part.type === "tool-call") return [part];
  const { type, text, data } = part;
  if (text === "" && (type === "text" || data === undefined)) return [];
  return [{ type, text, ...(data !== undefined && { providerData: data }) }];
}
