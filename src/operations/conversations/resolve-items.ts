import { AppError } from "#domain/errors.ts";
import { clientCallId, parseClientCallId } from "#protocols/openai/client-call-id.ts";
import type { OpenAiItem, ResolvedItem } from "#protocols/openai/items.ts";
import { storedReply } from "./read-reply.ts";
import { readAskedCalls } from "./submit-results.ts";
import type { ReplyPart } from "#protocols/openai/reply-event.ts";
import type { Workspace } from "../workspace.ts";

const CALL = "fc_";

/**
 * Replaces references to items of earlier responses by the items.
 * @param partOf returns the reply of a message id
 * @throws AppError `not_found` for an item that the workspace does not have; any error of `partOf`.
 */
export function resolveItems(
  workspace: Workspace,
  items: readonly OpenAiItem[],
  partOf: (id: string) => ReplyPart,
): Promise<readonly ResolvedItem[]> {
  return Promise.all(
    items.map(async (item): Promise<ResolvedItem> => {
      if (item.kind !== "reference") return item;
      if (item.id.startsWith(CALL)) return findCall(workspace, item.id);
      const { text } = await storedReply(workspace, partOf(item.id));
      return { kind: "said", role: "assistant", content: text, files: [], calls: [] };
    }),
  );
}

async function findCall(workspace: Workspace, id: string): Promise<ResolvedItem> {
  const place = parseClientCallId(id.replace(CALL, "call_"));
  const asked = place && (await readAskedCalls(workspace, place));
  const call = place && asked?.clientCalls.calls[place.index];
  if (place === undefined || call === undefined) throw new AppError("not_found", `Item not found: ${id}`);
  const given = { id: clientCallId(place), name: call.name, arguments: call.arguments };
  return { kind: "said", role: "assistant", content: "", files: [], calls: [given] };
}
