import { authorizedFetch } from "../../../api/authorized-fetch.ts";
import { asProblem, problemOf } from "../../../api/problem.ts";
import { randomId } from "../../../lib/random-id.ts";

const KEY = "muster.said.";

/**
 * Sends a person's message to an agent, as a client of AG-UI does. The first message of a thread creates a task with the
 * thread's id. The answer arrives on the tab's own stream, so the response is not read; the run does not depend on it.
 * @throws Problem with the server's message
 */
export async function sendMessage(agent: string, thread: string, text: string): Promise<void> {
  const body = { threadId: thread, messages: [{ id: randomId(), role: "user", content: text }] };
  const request = new Request(new URL(`/ag-ui/${agent}/sse`, location.origin), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const response = await authorizedFetch(request).catch((error: unknown) => {
    throw asProblem(error);
  });
  if (!response.ok) throw await problemOf(response);
  await response.body?.cancel();
}

/** The messages that the person has sent in a thread from this tab. The service stores them too, in the run's task. */
export function readSentMessages(thread: string): readonly string[] {
  const text = sessionStorage.getItem(KEY + thread);
  const said: unknown = text === null ? [] : JSON.parse(text);
  return Array.isArray(said) ? said.filter((each) => typeof each === "string") : [];
}

/** Stores them, so that a reload of the tab keeps them. */
export function storeSentMessages(thread: string, said: readonly string[]): void {
  sessionStorage.setItem(KEY + thread, JSON.stringify(said));
}
