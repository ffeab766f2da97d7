import { randomUUID } from "node:crypto";
import type { LanguageModelV4ToolCall } from "@ai-sdk/provider";
import type { z } from "zod";
import type { chatChunk } from "./chat-chunk.ts";

type Choice = NonNullable<z.output<typeof chatChunk>["choices"]>[number];
type Piece = NonNullable<NonNullable<Choice["delta"]>["tool_calls"]>[number];

interface OpenCall {
  id: string | undefined;
  name: string;
  text: string;
}

/**
 * Puts tool calls together from their pieces. Some servers leave out the index, some the id; a piece with a new id
 * begins a new call in any case.
 */
export function createCallGathering() {
  const calls: OpenCall[] = [];
  const places = new Map<number, OpenCall>();

  function begin(index: number | undefined, id: string | undefined): OpenCall {
    const call: OpenCall = { id, name: "", text: "" };
    calls.push(call);
    if (index !== undefined) places.set(index, call);
    return call;
  }

  return {
    add({ index, id, function: called }: Piece): void {
      const given = id == null || id === "" ? undefined : id;
      const known = index === undefined ? calls.at(-1) : places.get(index);
      const isNew = known === undefined || (given !== undefined && known.id !== undefined && known.id !== given);
      const call = isNew ? begin(index, given) : known;
      call.id ??= given;
      // Some repeat the name in every piece.
      if (call.name === "") call.name = called?.name ?? "";
      call.text += called?.arguments ?? "";
    },
    all: (): LanguageModelV4ToolCall[] =>
      calls
        .filter(({ name }) => name !== "")
        .map(({ id, name, text }) => ({
          type: "tool-call",
          toolCallId: id ?? `call_${randomUUID()}`,
          toolName: name,
          input: text,
        })),
  };
}
