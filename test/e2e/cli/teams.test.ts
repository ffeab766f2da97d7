import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { z } from "zod";
import { apiOf, idsOf } from "../../support/api.ts";
import { environmentOf, runMuster } from "../../support/muster.ts";
import { useSharedService } from "../../support/shared-service.ts";
import { createTeam, runIn, startRun } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { QUICK, createAgent } from "../../support/work.ts";

verifies("cli.teams.memories", "a team's memories are listed, and deleted individually or all together", async () => {
  const service = await useSharedService();
  const muster = (...args: string[]) => runMuster(args, { env: environmentOf(service) });
  const api = apiOf(service, service.keys.api);
  const steps = [{ agent_id: (await createAgent(api)).id, instructions: QUICK }];
  const team = await createTeam(api, { name: "Crew", config: { steps, memory: { enabled: true } } });
  for (const task of ["Rain", "Snow"]) await runIn(api, (await startRun(api, team.id, task)).id, "completed");
  expect((await muster("teams", "memories", "list", "Crew")).stdout).toMatch(
    /completed .* Snow [^]*completed .* Rain /,
  );
  const listed = await muster("teams", "memories", "list", "Crew", "--limit", "1", "--json");
  const [newest] = z.array(z.looseObject({ id: z.string(), task: z.string() })).parse(JSON.parse(listed.stdout));
  expect(newest?.task).toBe("Snow");
  const deleted = await muster("teams", "memories", "delete", "Crew", newest?.id ?? "");
  expect(deleted).toMatchObject({ code: 0, stdout: expect.stringContaining("Deleted memory") });
  expect((await muster("teams", "memories", "list", "Crew")).stdout).not.toContain("Snow");
  expect((await muster("teams", "memories", "delete", "Crew")).stderr).toContain("--all");
  expect((await muster("teams", "memories", "delete", "Crew", "--all")).code).toBe(0);
  expect((await muster("teams", "memories", "list", "Crew")).stderr).toContain("No memories");
});

test("a team is created from a file, run, shown and deleted on the command line", async () => {
  const service = await useSharedService();
  const folder = await mkdtemp(join(tmpdir(), "muster-teams-"));
  const muster = (...args: string[]) => runMuster(args, { env: environmentOf(service) });
  try {
    const api = apiOf(service, service.keys.api);
    const file = join(folder, "crew.json");
    await writeFile(file, JSON.stringify({ steps: [{ agent_id: (await createAgent(api)).id }] }));
    const made = await muster("teams", "create", "--name", "Crew", "--mode", "pipeline", "--config", file);
    expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining("with 1 member\n") });
    expect((await muster("teams", "get", "Crew")).stdout).toContain('"auto_handoff": true');
    const started = await muster("runs", "create", "--team", "Crew", "--input", "[[slow:0]][[say:done]]");
    expect(started).toMatchObject({ code: 0, stdout: expect.stringContaining("pending") });
    const [runId = ""] = idsOf(await api.get("/api-runs"));
    await runIn(api, runId, "completed");
    expect((await muster("runs", "get", runId)).stdout).toMatch(/team +Crew \([\da-f-]{36}\)[^]*\n\ndone\s*$/);
    expect((await muster("runs", "list", "--team", "Crew")).stdout).toContain(runId);
    expect((await muster("runs", "cancel", runId)).stderr).toContain("from completed to cancelled");
    const forked = await muster("runs", "fork", runId, "--from-step", "0", "--answer", "by hand", "--json");
    expect(forked.code).toBe(0);
    const fork = z.looseObject({ id: z.string(), forked_from: z.unknown() }).parse(JSON.parse(forked.stdout));
    expect(fork.forked_from).toEqual({ run_id: runId, from_step: 0 });
    expect(await runIn(api, fork.id, "completed")).toMatchObject({ output: "by hand" });
    expect((await muster("runs", "fork", runId, "--from-step", "x")).stderr).toContain("--from-step must be a number");
    expect((await muster("runs", "retry", runId)).stderr).toContain("this one is completed");
    expect((await muster("runs", "delete", fork.id, "--yes")).stdout).toMatch(/^Deleted run /);
    expect(idsOf(await api.get("/api-runs"))).toEqual([runId]);
    expect((await muster("teams", "delete", "Crew", "--yes")).code).toBe(0);
    expect((await muster("teams", "delete", "Crew", "--yes")).stderr).toContain("There is no team yet. Create one: ");
    await writeFile(file, "[]");
    const wrong = await muster("teams", "create", "--name", "X", "--mode", "pipeline", "--config", file);
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("JSON object") });
  } finally {
    await rm(folder, { recursive: true });
  }
});
