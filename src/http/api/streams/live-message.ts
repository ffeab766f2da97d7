import { z } from "zod";
import { streamEvent } from "#protocols/ag-ui/event-schemas.ts";

const TASK = "01a1f0c2-5a30-7000-8000-000000000002";

const hello = z
  .strictObject({
    build: z.string().nullable(),
    complete: z.boolean().describe("No change since `since` is missing: what was read since then need not be again."),
  })
  .meta({
    id: "LiveHello",
    description: "`event: hello`: the first message; the service's build of the console.",
    examples: [{ build: "3fWk9pQe", complete: true }],
  });

const change = z.strictObject({
  kind: z.string().describe("The changed record: task, run, agent and so on."),
  id: z.string(),
  status: z.string().optional().describe("Its current state; absent for records without one."),
  updated_at: z.string(),
});

const changed = z.array(change).meta({
  id: "LiveChanges",
  description: "`event: changed`: records of the workspace that have changed.",
  examples: [[{ kind: "task", id: TASK, status: "running", updated_at: "2026-11-22T12:00:00.000Z" }]],
});

const resync = z.strictObject({}).meta({
  id: "LiveResync",
  description: "`event: resync`: changes may have been missed; fetch all shown data again.",
  examples: [{}],
});

const runEvent = z
  .intersection(
    z.object({
      run: z.string().describe("The task or the team run."),
      seq: z.int().describe("The sequence number after which to follow it."),
    }),
    streamEvent,
  )
  .meta({
    id: "LiveRunEvent",
    description: "Without `event`: an event of a followed run.",
  });

/** A message of the live stream of a workspace: the data of one server-sent event. */
export const liveMessage = z.union([hello, changed, resync, runEvent]).meta({
  id: "LiveMessage",
  description: "The data of one server-sent event; its `event` says which of these it is.",
  examples: [{ build: "3fWk9pQe", complete: true }],
});
