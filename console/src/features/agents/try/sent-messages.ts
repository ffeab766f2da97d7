const KEY = "muster.said.";

/** What the person has said in a conversation, in this tab; the service has it, too, as the task of the run. */
export function readSentMessages(thread: string | undefined): readonly string[] {
  const text = thread === undefined ? null : sessionStorage.getItem(KEY + thread);
  const said: unknown = text === null ? [] : JSON.parse(text);
  return Array.isArray(said) ? said.filter((each) => typeof each === "string") : [];
}

/** Keeps it for a reload of the tab. */
export function storeSentMessages(thread: string, said: readonly string[]): void {
  sessionStorage.setItem(KEY + thread, JSON.stringify(said));
}
