import { beforeAll, expect } from "vitest";
import { newId } from "#lib/ids.ts";
import { apiOf, refusal, send } from "../../support/api.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";
import { QUICK, createAgent, createTask, taskIn } from "../../support/work.ts";

let service: SharedService;
let run: string;

beforeAll(async () => {
  service = await useSharedService();
  const api = apiOf(service, service.keys.api);
  const agent = await createAgent(api);
  run = (await createTask(api, { assigned_agent_id: agent.id, description: QUICK })).id;
  await taskIn(api, run, "completed");
});

/** A request, and what is wrong with it: the field, and a part of the message. */
type Row = readonly [request: string, body: object | undefined, path: string, says: string];

const UNKNOWN = newId();
const LONG = "x".repeat(2_000);
/** Times that have the form of one, but that PostgreSQL cannot read. */
const TIMES = [
  ["0000-06-01T00:00:00Z", "between the years"],
  ["2026-01-01T00:00:00+23:00", "offset of at most 15:59"],
] as const;

/** The requests with times; `{time}` is replaced. */
const TIMED: readonly (readonly [request: string, body: object | undefined, path: string])[] = [
  ["GET /console/api/runs?since={time}", undefined, "since"],
  ["GET /console/api/runs?until={time}", undefined, "until"],
  ["GET /console/api/audit?since={time}", undefined, "since"],
  ["GET /console/api/audit?until={time}", undefined, "until"],
  ["GET /console/api/deliveries?since={time}", undefined, "since"],
  ["GET /console/api/overview?from={time}", undefined, "from"],
  ["POST /console/api/deliveries/redeliver", { route_id: UNKNOWN, since: "{time}" }, "since"],
  ["POST /console/api/runs/retry", { error_code: "CRASH_LOOP", since: "{time}" }, "since"],
  ["POST /console/api/tasks/retry", { error_code: "CRASH_LOOP", since: "{time}" }, "since"],
  ["POST /console/api/runs/bulk", { action: "cancel", filter: { until: "{time}" }, expect: 1 }, "filter.until"],
  [`POST /console/api/runs/${UNKNOWN}/links`, { expires_at: "{time}" }, "expires_at"],
  [`POST /console/api/questions/${UNKNOWN}/link`, { expires_at: "{time}" }, "expires_at"],
  ["POST /console/api/keys", { label: "x", kind: "envelope", expires_at: "{time}" }, "expires_at"],
  ["POST /functions/v1/api-tasks", { title: "x", scheduled_for: "{time}" }, "scheduled_for"],
];

const WRONG: readonly Row[] = [
  ["GET /console/api/runs?limit=-1", undefined, "limit", "at least 1"],
  ["GET /console/api/runs?limit=1.5", undefined, "limit", "whole number"],
  ["GET /console/api/runs?cursor=eyJhIjoxfQ", undefined, "cursor", "next_cursor of this list"],
  [`GET /console/api/runs?cursor=${cursorOf("0000-06-01T00:00:00Z")}`, undefined, "cursor", "next_cursor"],
  ["GET /console/api/runs?odd=1", undefined, "odd", "unknown field"],
  ["GET /console/api/runs?status=failed&status=odd", undefined, "status.1", "one of pending, dispatched"],
  ["GET /console/api/runs?agent_id=x", undefined, "agent_id.0", "UUID"],
  ["GET /console/api/runs?min_cost=1e400", undefined, "min_cost", "number"],
  [`GET /console/api/runs?q=${LONG}`, undefined, "q", "at most 200 characters"],
  ["GET /console/api/questions?state=odd", undefined, "state", "one of open, answered, expired"],
  ["GET /console/api/questions?cursor=%00", undefined, "cursor", "U+0000"],
  ["GET /console/api/answer-links?question_id=x", undefined, "question_id", "UUID"],
  ["GET /console/api/live?follow=x@0", undefined, "follow.0", "{id of a task or team run}@"],
  ["GET /console/api/runs/{run}?attempt=99999999999999", undefined, "attempt", "at most 2,147,483,647"],
  ["GET /console/api/runs/{run}/steps?limit=1001", undefined, "limit", "at most 1,000"],
  ["GET /console/api/runs/{run}/steps?digests=odd", undefined, "digests", "one of true"],
  [`GET /console/api/runs/{run}/step?key=${LONG}`, undefined, "key", "at most 1,000 characters"],
  ["GET /console/api/runs/{run}/step?key=a&key=b", undefined, "key", "given once"],
  ["GET /console/api/runs/x", undefined, "id", "UUID"],
  ["DELETE /console/api/runs/%00", undefined, "id", "U+0000"],
  ["POST /console/api/runs/{run}/fork", { from_step: 1e30 }, "from_step", "at most"],
  ["POST /console/api/runs/{run}/fork", { from_step: 0, changes: { odd: 1 } }, "changes.odd", "unknown field"],
  ["POST /console/api/runs/{run}/fork", withChange({ prompt: "\ud800" }), "changes.prompt", "unpaired surrogates"],
  ["POST /console/api/runs/{run}/fork", withChange({ model: "odd" }), "changes.model", "No provider knows"],
  ["POST /console/api/runs/{run}/fork", withChange({ answer: 1 }), "changes.answer", "must be text or an object"],
  [
    "POST /console/api/runs/{run}/fork",
    withChange({ answer: { approved: "x" } }),
    "changes.answer",
    "approved must be true or false",
  ],
  ["POST /console/api/runs/bulk", { action: "odd", ids: [UNKNOWN], expect: 1 }, "action", "one of cancel, rerun"],
  ["POST /console/api/runs/bulk", { action: "cancel", ids: ["x"], expect: 1 }, "ids.0", "UUID"],
  ["POST /auth/run-link", { token: LONG }, "token", "at most 200 characters"],
  ["POST /console/api/runs/{run}/links", { shows_steps: "x" }, "shows_steps", "true or false"],
  ["POST /auth/answer-link", { token: LONG }, "token", "at most 200 characters"],
];

function withChange(changes: object): object {
  return { from_step: 0, changes };
}

function cursorOf(key: string): string {
  return Buffer.from(JSON.stringify({ sort: "newest", key, id: UNKNOWN })).toString("base64url");
}

verifies(
  "errors.bad-input-never-500",
  "a wrong request about runs and questions names its field and what is allowed",
  async () => {
    const timed = TIMED.flatMap(([request, body, path]) =>
      TIMES.map(([time, says]): Row => {
        const filled =
          body === undefined ? undefined : Object(JSON.parse(JSON.stringify(body).replace("{time}", time)));
        return [request.replace("{time}", encodeURIComponent(time)), filled, path, says];
      }),
    );
    for (const [request, body, path, says] of [...timed, ...WRONG]) {
      const [method = "", url = ""] = request.replace("{run}", run).split(" ");
      const answer = await send(method, `${service.url}${url}`, {
        headers: { "x-api-key": service.keys.api },
        ...(method === "POST" && { body }),
      });
      const { status, paths, message } = refusal(answer);
      expect([request, status, paths, message]).toEqual([request, 400, [path], expect.stringContaining(says)]);
    }
  },
);
