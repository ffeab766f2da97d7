const KEY = "muster.try.";

/** What is to be said to an agent next, and is not sent yet; it survives a reload of the tab. */
export function readComposerText(agentId: string): string {
  return sessionStorage.getItem(KEY + agentId) ?? "";
}

/** Stores it; an empty text is removed. */
export function storeComposerText(agentId: string, text: string): void {
  if (text === "") sessionStorage.removeItem(KEY + agentId);
  else sessionStorage.setItem(KEY + agentId, text);
}
