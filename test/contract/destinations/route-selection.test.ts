import { afterAll, beforeAll, expect } from "vitest";
import { apiOf, consoleOf } from "../../support/api.ts";
import { createRoute, listDeliveries, startReceiver } from "../../support/destinations/deliveries.ts";
import type { Receiver } from "../../support/destinations/deliveries.ts";
import { eventually } from "../../support/eventually.ts";
import { useScriptedService } from "../../support/providers/scripted-agents.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { createTeam, runIn, startRun } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { QUICK, createAgent, createTask, taskIn, taskInState } from "../../support/work.ts";
import { addWorkspace } from "../../support/workspace.ts";

let service: SharedService;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  ({ service } = await useScriptedService());
});
afterAll(async () => {
  await receiver.close();
});

let paths = 0;
/** A path of the receiver for one test. */
const newPath = () => `/r${(paths += 1)}`;

verifies(
  ["routes.select.all-by-default", "routes.select.none", "routes.select.inactive"],
  "without a list all active routes get a result, and with an empty one none",
  async () => {
    const { key } = await addWorkspace(service.databaseUrl);
    const [work, routes] = [apiOf(service, key), consoleOf(service, key)];
    const [first, second, paused] = [newPath(), newPath(), newPath()];
    await createRoute(routes, receiver.url + first);
    await createRoute(routes, receiver.url + second);
    await createRoute(routes, receiver.url + paused, { is_active: false });
    const all = await createAgent(work, { name: "All" });
    const none = await createAgent(work, { name: "None", output_route_ids: [] });
    for (const { id: agentId } of [none, all]) {
      await taskInState(work, { status: "completed", agentId, description: QUICK });
    }
    await eventually("both are delivered", async () => {
      const deliveries = await listDeliveries(routes, "status=success");
      return deliveries.length === 2;
    });
    expect((await listDeliveries(routes)).length).toBe(2);
    expect(receiver.received(first)).toMatchObject([{ agent_name: "All" }]);
    expect(receiver.received(second)).toMatchObject([{ agent_name: "All" }]);
    expect(receiver.received(paused)).toEqual([]);
  },
);

verifies(
  ["routes.payload.one-subject", "routes.select.listed"],
  "results of runs that end together go each to the routes of its own agent",
  async () => {
    const { key } = await addWorkspace(service.databaseUrl);
    const [work, routes] = [apiOf(service, key), consoleOf(service, key)];
    const [first, second] = [newPath(), newPath()];
    const { id: chosen } = await createRoute(routes, receiver.url + first);
    await createRoute(routes, receiver.url + second);
    const one = await createAgent(work, { name: "One", output_route_ids: [chosen] });
    const all = await createAgent(work, { name: "All" });
    const tasks = Array.from({ length: 12 }, (_, n) => {
      const { id, name } = n % 2 === 0 ? { ...one, name: "One" } : { ...all, name: "All" };
      return { id, name, says: `result ${n}` };
    });
    await Promise.all(
      tasks.map(({ id, says }) =>
        createTask(work, { title: says, description: `[[slow:0]][[say:${says}]]`, assigned_agent_id: id }),
      ),
    );
    await eventually("all are delivered", async () => {
      const deliveries = await listDeliveries(routes, "status=success");
      return deliveries.length === 18;
    });
    const shownAt = (path: string) =>
      receiver.received(path).map((body) => `${body.agent_name}: ${body.task_title}: ${body.result_full}`);
    const expected = tasks.map(({ name, says }) => `${name}: ${says}: ${says}`);
    expect(shownAt(first).toSorted()).toEqual(expected.toSorted());
    expect(shownAt(second).toSorted()).toEqual(expected.filter((line) => line.startsWith("All")).toSorted());
  },
);

verifies(
  ["routes.select.all-by-default", "routes.select.none", "routes.select.listed"],
  "a team's list decides about its runs, and about tasks for the team",
  async () => {
    const { key } = await addWorkspace(service.databaseUrl);
    const [work, routes] = [apiOf(service, key), consoleOf(service, key)];
    const [first, second] = [newPath(), newPath()];
    const { id: chosen } = await createRoute(routes, receiver.url + first);
    await createRoute(routes, receiver.url + second);
    for (const [name, output_route_ids] of [
      ["None", []],
      ["Chosen", [chosen]],
      ["All", null],
    ] as const) {
      const team = await createTeam(work, { name, output_route_ids });
      const task = await createTask(work, { description: QUICK, assigned_team_id: team.id });
      await taskIn(work, task.id, "completed");
      await runIn(work, (await startRun(work, team.id)).id, "completed");
    }
    const all = await eventually("all are delivered", async () => {
      const deliveries = await listDeliveries(routes);
      return deliveries.length >= 6 && deliveries.every(({ status }) => status === "success") && deliveries;
    });
    expect(all.map(({ event }) => event)).toEqual(Array.from({ length: 6 }, () => "team_run.completed"));
    const teamsAt = (path: string) => receiver.received(path).map(({ agent_name: name }) => name);
    expect(teamsAt(first).toSorted()).toEqual(["All", "All", "Chosen", "Chosen"]);
    expect(teamsAt(second)).toEqual(["All", "All"]);
  },
);
