import { readStream } from "./sse-client.ts";
import type { ReceivedEvent, StreamReader, StreamService } from "./sse-client.ts";

/** A client of one task's stream that outlives its connections, as a browser's EventSource does. */
export interface ResumingReader {
  /** Connects, behind the last event that it has; a connection before is given up. */
  connect(service: StreamService): Promise<void>;
  /** All events of all connections so far, in the order in which they came. */
  events(): readonly ReceivedEvent[];
  /** Waits until this is true of all events. @throws Error when the connection ends before. */
  until(holds: (events: readonly ReceivedEvent[]) => boolean): Promise<void>;
}

/** Makes a client of a task's stream; it is not connected yet. */
export function resumingReader(agentId: string, taskId: string): ResumingReader {
  const kept: ReceivedEvent[] = [];
  let reader: StreamReader | undefined;
  const events = () => [...kept, ...(reader?.events ?? [])];

  return {
    async connect(service) {
      await reader?.cut();
      kept.push(...(reader?.events ?? []));
      const last = kept.at(-1);
      reader = await readStream(service, { agentId, taskId, ...(last !== undefined && { lastEventId: last.id }) });
    },
    events,
    async until(holds) {
      await reader?.until((fresh) => holds([...kept, ...fresh]));
    },
  };
}
