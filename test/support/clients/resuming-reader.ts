import { readStream } from "../sse-client.ts";
import type { ReceivedEvent, StreamReader, StreamRequest, StreamService } from "../sse-client.ts";

/** A client of one task's stream that outlives its connections, as a browser's EventSource does. */
export interface ResumingReader {
  /** Connects, after the last event that it has; closes an earlier connection. */
  connect(service: StreamService): Promise<void>;
  /** Closes the connection; what came after the first `keep` events is lost with it. */
  cut(keep?: number): Promise<void>;
  /** All events of all connections so far, in the order in which they came. */
  events(): readonly ReceivedEvent[];
  /** Waits until this is true of all events. @throws Error when the connection ends before. */
  until(holds: (events: readonly ReceivedEvent[]) => boolean): Promise<void>;
}

/** Makes a client of a task's stream; it is not connected yet. */
export function resumingReader(
  agentId: string,
  taskId: string,
  how: Pick<StreamRequest, "isStandard"> = {},
): ResumingReader {
  let kept: readonly ReceivedEvent[] = [];
  let reader: StreamReader | undefined;
  const events = () => [...kept, ...(reader?.events ?? [])];

  async function cut(keep?: number): Promise<void> {
    await reader?.cut();
    kept = events().slice(0, keep);
    reader = undefined;
  }
  return {
    cut,
    async connect(service) {
      await cut();
      const last = kept.at(-1);
      reader = await readStream(service, { agentId, taskId, ...how, ...(last && { lastEventId: last.sseId }) });
    },
    events,
    async until(holds) {
      await reader?.until((fresh) => holds([...kept, ...fresh]));
    },
  };
}
