import type { JSONObject, JSONValue } from "@ai-sdk/provider";

/** The fields of a detail whose pieces make one text. */
const TEXTS = ["text", "summary", "data"] as const;

/**
 * Puts the details of OpenRouter's reasoning together from their pieces, so that they can be sent back: pieces of one
 * type and index are one detail.
 */
export function createDetailGathering() {
  const details: Record<string, JSONValue | undefined>[] = [];
  return {
    add(piece: JSONObject): void {
      const last = details.at(-1);
      const isNext = last !== undefined && last["type"] === piece["type"] && last["index"] === piece["index"];
      if (!isNext) return void details.push({ ...piece });
      for (const [field, value] of Object.entries(piece)) {
        const before = last[field];
        const isText = TEXTS.some((name) => name === field) && typeof before === "string" && typeof value === "string";
        if (isText) last[field] = before + value;
        else if (value !== null) last[field] = value;
      }
    },
    all: (): readonly JSONObject[] => details,
  };
}
