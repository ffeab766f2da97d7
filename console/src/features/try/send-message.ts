import { authorizedFetch } from "../../api/authorized-fetch.ts";
import { asProblem, problemOf } from "../../api/problem.ts";
import { randomId } from "../../lib/random-id.ts";

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
