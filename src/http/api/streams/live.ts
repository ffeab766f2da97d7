import { z } from "zod";
import { invalid } from "#domain/invalid.ts";
import { givenId } from "#domain/given-id.ts";
import { mapAsync } from "#lib/async/map-async.ts";
import type { SseMessage } from "#lib/http/sse.ts";
import { watchLive } from "#operations/streams/watch-live.ts";
import type { Following, LiveBatch } from "#operations/streams/watch-live.ts";
import { credentialOf } from "../../middleware/authenticate.ts";
import { respondEvents } from "../../streams/respond-events.ts";
import { liveMessage } from "./live-message.ts";
import { addPath } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { wholeNumber } from "../shape/whole-number.ts";
import { endpoint } from "../shape/endpoint.ts";

const MAX_FOLLOWED = 20;
const MAX_SEQ = 2_147_483_647;

const followed = z
  .string()
  .regex(/^[0-9a-fA-F-]{36}@\d{1,10}$/, "must be {id of a task or team run}@{number of the last event that you have}");
const liveQuery = z.strictObject({
  follow: z
    .array(followed)
    .max(MAX_FOLLOWED)
    .default([])
    .describe("{id}@{seq}: also sends the events of this task or team run after that number. Repeatable."),
  since: wholeNumber({ min: 0, max: MAX_SEQ })
    .optional()
    .describe(
      "Milliseconds since the session was refreshed or another stream was heard: first come the changes since then.",
    ),
});
const SUMMARY =
  "Server-sent events of the changes in the workspace: `hello {build, complete}`, `changed [{kind, id, status, updated_at}]`, " +
  "`resync` when changes may have been missed, and the events of followed runs with `run` and `seq`";

/** Adds /console/api/live: one stream for all changes that a page shows. */
export default function addLive(api: Api): void {
  addPath(api, "/console/api/live", { tag: "Live", endpoints: [watch] });
}

const watch = endpoint({
  method: "get",
  operationId: "watchWorkspace",
  summary: SUMMARY,
  query: liveQuery,
  success: { status: 200, schema: liveMessage, contentType: "text/event-stream" },
  async handle({ c, workspace, query }) {
    const following = readFollowing(query.follow);
    return respondEvents(workspace, c, {
      caller: credentialOf(workspace, c),
      async open(gone) {
        // A page learns of a newer build by its next stream: this one ends when a build in progress is finished.
        const finish = await workspace.console.findFinish();
        const build = (await workspace.console.findBuild()) ?? null;
        const signal = finish === undefined ? gone : AbortSignal.any([gone, finish]);
        const { isComplete, batches } = await watchLive(workspace, { following, sinceMs: query.since, signal });
        return asMessages({ build, complete: isComplete }, batches);
      },
    });
  },
});

function readFollowing(all: readonly string[]): Following {
  return new Map(
    all.map((text, index) => {
      const [id, seq] = text.split("@");
      const parsed = z.tuple([givenId, wholeNumber({ min: 0, max: MAX_SEQ })]).safeParse([id, seq]);
      if (parsed.success) return parsed.data;
      throw invalid("query", [{ path: `follow.${index}`, message: "must be an id, @ and a sequence number" }]);
    }),
  );
}

function asMessages(
  greeting: { readonly build: string | null; readonly complete: boolean },
  batches: AsyncIterable<LiveBatch>,
): AsyncIterable<readonly SseMessage[]> {
  const hello = { event: "hello", data: JSON.stringify(greeting) };
  return mapAsync(batches, { first: [[hello]], map: messagesOf });
}

function messagesOf(batch: LiveBatch): readonly SseMessage[] {
  if ("resync" in batch) return [{ event: "resync", data: "{}" }];
  if ("changes" in batch) return [{ event: "changed", data: JSON.stringify(batch.changes) }];
  const { run, events } = batch.followed;
  // The text of an event is a JSON object: it is sent unchanged, with the run's id before it.
  return events.map(({ seq, text }) => ({ data: `{"run":"${run}","seq":${seq},${text.slice(1)}` }));
}
