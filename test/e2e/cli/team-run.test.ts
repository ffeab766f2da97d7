import { afterAll, beforeAll, expect } from "vitest";
import { apiOf } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { callerOf, createDiscussion } from "../../support/teams/discussions.ts";
import { environmentOf, runMuster, startMuster } from "../../support/muster.ts";
import type { Ended, MusterOptions } from "../../support/muster.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ScriptedProvider } from "../../support/scripted-provider.ts";
import { useProvider } from "../../support/providers/scripted-agents.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { runIn } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";

const OUTPUT = "Bob speaks\n\n---\n\n## Discussion\n\n### 1. Ada\n\nAda speaks\n\n### 2. Bob\n\nBob speaks\n";

let provider: ScriptedProvider;
let service: SharedService;
let api: Api;
let teamId: string;

beforeAll(async () => {
  provider = await startScriptedProvider(({ body }, reply) => {
    const asked = body.messages.map(({ content }) => content).join("\n");
    if (asked.includes("Be silent.")) return;
    if (asked.includes("Fail.")) return reply.refuse(400, "out of words");
    reply.say(`${callerOf(body)} speaks`);
    reply.finish();
  });
  service = await useProvider(provider);
  api = apiOf(service, service.keys.api);
  ({ teamId } = await createDiscussion(service, api, { names: ["Ada", "Bob"], config: { max_turns: 2 } }));
});
afterAll(async () => {
  await provider.close();
});

function run(args: readonly string[], options: MusterOptions = {}): Promise<Ended> {
  return runMuster(args, { ...options, env: environmentOf(service) });
}

const idIn = (stderr: string) => /[Rr]un (\S+)/.exec(stderr)?.[1] ?? "";

verifies(
  ["cli.teams.run-watch", "cli.exit-codes"],
  "a team is run and watched: its steps line by line, then its output and what it used",
  async () => {
    const first = await run(["teams", "run", "Crew", "--input", "-", "--watch"], { input: "Talk." });
    expect(first.code).toBe(0);
    const step = (name: string) => `▶ ${name}\n✓ ${name} · \\d+(\\.\\d)? m?s · 18 tokens · \\$0\\.00009[78]\n`;
    const lines = `^${step("Turn 1: Ada")}${step("Turn 2: Bob")}`;
    expect(first.stdout).toMatch(new RegExp(lines));
    expect(first.stdout.endsWith(OUTPUT)).toBe(true);
    expect(first.stderr).toMatch(/completed · 22 tokens in, 14 out · \$0\.000195 · .* · run /);
    const again = await run(["runs", "watch", idIn(first.stderr)]);
    const withoutTimes = (text: string) => text.replaceAll(/· \S+ m?s ·/g, "");
    expect([again.code, withoutTimes(again.stdout)]).toEqual([0, withoutTimes(first.stdout)]);
  },
);

verifies(
  ["cli.teams.run-watch", "cli.json"],
  "without --watch the run is started; with --json each event of a watched one is a line",
  async () => {
    const started = await run(["teams", "run", teamId, "--input", "Talk."]);
    expect(started).toMatchObject({ code: 0, stdout: expect.stringContaining("Started run") });
    const ended = await runIn(api, idIn(started.stdout), "completed");
    const { code, stdout } = await run(["runs", "watch", ended.id, "--json"]);
    const events = stdout
      .trim()
      .split("\n")
      .map((line): unknown => JSON.parse(line));
    expect(code).toBe(0);
    expect(events[0]).toMatchObject({ type: "RUN_STARTED", threadId: ended.id });
    expect(events.at(-1)).toMatchObject({ type: "RUN_FINISHED", result: ended.output });
    const record = await run(["teams", "run", teamId, "--task", "Talk.", "--json"]);
    expect(JSON.parse(record.stdout)).toMatchObject({ team_id: teamId, input_task: "Talk." });
  },
);

verifies(
  ["cli.teams.run-watch", "cli.exit-codes"],
  "a run that fails shows the step that failed and why, and the command fails",
  async () => {
    const { code, stdout, stderr } = await run(["runs", "create", "--team", "Crew", "--input", "Fail.", "--watch"]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/✗ Turn 1: Ada · \d+(\.\d)? m?s\n$/);
    expect(stderr).toContain("out of words");
    expect((await run(["runs", "watch", "01940000-0000-7000-8000-000000000000"])).code).toBe(1);
    expect((await run(["teams", "run", "Nobody", "--input", "x"])).code).toBe(2);
    expect((await run(["teams", "run", "Crew"])).code).toBe(2);
  },
);

verifies(
  "cli.teams.run-watch",
  "ending the watch does not stop the run",
  async () => {
    const args = ["teams", "run", "Crew", "--input", "Be silent.", "--watch"];
    const watched = startMuster(args, { env: environmentOf(service) });
    await watched.prints(/▶ Turn 1/);
    watched.process.kill("SIGINT");
    const { code, stderr } = await watched.ended;
    expect([code, stderr]).toEqual([130, expect.stringContaining("the run continues")]);
    const id = idIn(stderr);
    expect((await runIn(api, id, "running")).id).toBe(id);
    expect((await run(["runs", "cancel", id])).code).toBe(0);
  },
  { tags: "slow" },
);
