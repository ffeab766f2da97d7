import { readDraft, storeDraft } from "../../forms/drafts.ts";

const NAME = "try.";

/** What is to be said to an agent next, and is not sent yet; it survives a reload of the tab. */
export function readComposerText(agentId: string): string {
  return readDraft(NAME + agentId, "");
}

/** Stores it; an empty text is removed. */
export function storeComposerText(agentId: string, text: string): void {
  storeDraft(NAME + agentId, text === "" ? undefined : text);
}
