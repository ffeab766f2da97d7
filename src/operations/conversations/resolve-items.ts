import { AppError } from "#domain/errors.ts";
import type { Principal } from "#domain/access/principal.ts";
import { clientCallId, parseClientCallId } from "#protocols/openai/client-call-id.ts";
import type { OpenAiItem, ResolvedItem } from "#protocols/openai/items.ts";
import type { Services } from "../context.ts";
import { storedReply } from "./read-reply.ts";
import { readAskedCalls } from "./submit-results.ts";
import type { ReplyPart } from "#protocols/openai/reply-event.ts";

const CALL = "fc_";

/**
 * Replaces references to items of earlier responses by the items.
 * @param partOf returns the reply of a message id
 * @throws AppError `not_found` for an item that the workspace does not have; any error of `partOf`.
 */
export function resolveItems(
  services: Services,
  who: Principal,
  items: readonly OpenAiItem[],
  partOf: (id: string) => ReplyPart,
): Promise<readonly ResolvedItem[]> {
  return Promise.all(
    items.map(async (item): Promise<ResolvedItem> => {
      if (item.kind !== "reference") return item;
      if (item.id.startsWith(CALL)) return findCall(services, who, item.id);
      const { text } = await storedReply(services, who, partOf(item.id));
      return { kind: "said", role: "assistant", content: text, files: [], calls: [] };
    }),
  );
}

async function findCall(services: Services, who: Principal, id: string): Promise<ResolvedItem> {
  const place = parseClientCallId(id.replace(CALL, "call_"));
  const asked = place && (await readAskedCalls(services, who, place));
  const call = place && asked?.clientCalls.calls[place.index];
  if (place === undefined || call === undefined) throw new AppError("not_found", `Item not found: ${id}`);
  const given = { id: clientCallId(place), name: call.name, arguments: call.arguments };
  return { kind: "said", role: "assistant", content: "", files: [], calls: [given] };
}
