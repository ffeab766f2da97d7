import { once } from "node:events";
import { z } from "zod";

const targets = z.array(z.object({ webSocketDebuggerUrl: z.url() }));

/**
 * Makes a process collect its garbage, through its inspector at this port of 127.0.0.1 (`node --inspect=…`), so that its
 * memory is what it holds.
 */
export async function collectGarbage(inspectorPort: number): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${inspectorPort}/json/list`);
  const [target] = targets.parse(await response.json());
  if (target === undefined) throw new Error("The process has no inspector.");
  const socket = new WebSocket(target.webSocketDebuggerUrl);
  await once(socket, "open");
  // The second collection frees what finalizers of the first released.
  for (const id of [1, 2]) {
    socket.send(JSON.stringify({ id, method: "HeapProfiler.collectGarbage" }));
    await once(socket, "message");
  }
  socket.close();
}
