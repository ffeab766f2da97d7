import { afterAll, beforeAll, expect } from "vitest";
import { apiOf } from "../../support/api.ts";
import { callerOf, createDiscussion, messagesOf } from "../../support/teams/discussions.ts";
import { eventually } from "../../support/eventually.ts";
import { resumingReader } from "../../support/clients/resuming-reader.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ScriptedProvider } from "../../support/scripted-provider.ts";
import { createDatabase, createKeys, startProcess } from "../../support/service.ts";
import type { TestDatabase, TestProcess } from "../../support/service.ts";
import { hasEnded, ofRun } from "../../support/sse-client.ts";
import { runIn, startRun } from "../../support/teams.ts";
import { expectWholeStream, messagesIn, ofType } from "../../support/valid-stream.ts";
import { verifies } from "../../support/verifies.ts";
import { sql } from "../../support/workspace.ts";

/** The calls of the discussion in order; the process dies in the first try of each. */
const CALLS = ["selector 0", "Ada 0", "selector 1", "Bob 0", "selector 2", "Ada 1"] as const;
const CHOICES = ["NEXT: Ada", "NEXT: Bob", "NEXT: Ada"] as const;

let database: TestDatabase;
let provider: ScriptedProvider;
let service: TestProcess;
/** Every call that came, named as in {@link CALLS}. */
const calls: string[] = [];
const keys = createKeys();

beforeAll(async () => {
  provider = await startScriptedProvider(({ body }, reply) => {
    const who = callerOf(body);
    const spoken = body.messages.filter(({ role }) => role === "assistant").length;
    const heard = body.messages.filter(({ content }) => /^(Ada|Bob): /.test(content ?? "")).length;
    const nth = who === "selector" ? heard : spoken;
    const name = `${who} ${nth}`;
    calls.push(name);
    const text = who === "selector" ? (CHOICES[nth] ?? "") : `${name} speaks`;
    reply.say(text);
    // Half-way through the answer the process is killed.
    if (calls.filter((call) => call === name).length === 1) return;
    reply.finish();
  });
  database = await createDatabase();
  service = await start();
});
afterAll(async () => {
  await service.stop();
  await provider.close();
  await database.drop();
});

function start(): Promise<TestProcess> {
  const env = { ...provider.env };
  return startProcess({ databaseUrl: database.url, keys, env });
}

verifies(
  [
    "runs.modes.crash-resume",
    "engine.resume.kill-at-each-step",
    "engine.resume.paid-once",
    "engine.resume.stream-once",
  ],
  "a discussion killed in each of its calls continues there, with no finished call or event repeated",
  async () => {
    const api = apiOf(service, keys.api);
    const config = { speaker_selection: "llm_select", max_turns: 3 };
    const team = await createDiscussion(service, api, { names: ["Ada", "Bob"], config });
    const { id } = await startRun(api, team.teamId, "Talk.");
    const { agentId } = ofRun(id);
    const reader = resumingReader(agentId, id);
    await reader.connect(service);
    for (const [index, call] of CALLS.entries()) {
      await eventually(`the call ${call}`, () => calls.includes(call));
      await reader.until((events) => messagesIn(events).length === 2 * index + 1);
      await service.kill();
      service = await start();
      await reader.connect(service);
    }
    await reader.until(hasEnded);

    const after = apiOf(service, keys.api);
    const run = await runIn(after, id, "completed");
    expect(calls).toEqual(CALLS.flatMap((call) => [call, call]));
    expect(run.output).toContain("### 3. Ada\n\nAda 1 speaks");
    expect((await messagesOf(after, id)).map(({ content, step_idx }) => [step_idx, content])).toEqual([
      [0, "Ada 0 speaks"],
      [1, "Bob 0 speaks"],
      [2, "Ada 1 speaks"],
      [null, "The discussion ended after 3 turns: all turns were taken."],
    ]);
    const paid = await sql<{ interrupted: boolean }>(
      database.url,
      "select interrupted from usage_records where team_run_id = $1 order by interrupted",
      [id],
    );
    expect(paid.map(({ interrupted }) => interrupted)).toEqual([...CALLS.map(() => false), ...CALLS.map(() => true)]);

    const events = reader.events();
    await expectWholeStream(events);
    const names = ["Choice 1", "Turn 1: Ada", "Choice 2", "Turn 2: Bob", "Choice 3", "Turn 3: Ada"];
    expect(ofType(events, "STEP_STARTED").map((event) => event["stepName"])).toEqual(names);
    expect(ofType(events, "STEP_FINISHED").map((event) => event["stepName"])).toEqual(names);
    expect(messagesIn(events).filter((_, index) => index % 2 === 1)).toEqual([
      CHOICES[0],
      "Ada 0 speaks",
      CHOICES[1],
      "Bob 0 speaks",
      CHOICES[2],
      "Ada 1 speaks",
    ]);
  },
);
