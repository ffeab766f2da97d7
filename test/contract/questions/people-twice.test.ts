import { afterAll, beforeAll, expect } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { callOf } from "../../support/interactions.ts";
import { codeOf } from "../../support/people/fake-channel.ts";
import type { FakeChannel, ShownMessage } from "../../support/people/fake-channel.ts";
import { expectNoFaults, openPeopleScene } from "../../support/people/scene.ts";
import { startSlack } from "../../support/people/slack.ts";
import { startPeer, startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

const COUNT = Number(process.env["PRESSES"] ?? 100);
const AT_ONCE = 10;
const LATE = /^(?:Ana|Ben) \d+ answered at \d\d:\d\d UTC: (?:approved|rejected)$/;

let channel: FakeChannel;
let service: TestService;
let peer: TestService;

beforeAll(async () => {
  channel = await startSlack();
  service = await startService({ env: channel.env });
  peer = await startPeer({ databaseUrl: service.databaseUrl, keys: service.keys, env: channel.env });
});
afterAll(async () => {
  await peer.stop();
  await service.stop();
  await channel.close();
});

verifies(
  "questions.people.once",
  "of two presses in two processes one takes effect, and the other person sees whose it was",
  async () => {
    const scene = await openPeopleScene(service, channel);
    const agent = await createAgent(scene.api, { name: "Asker", tools: ["request_approval"] });
    const description = callOf("request_approval", { title: "Ship it?", timeoutMs: 3_600_000 });
    for (let number = 0; number < COUNT; number++) {
      await createTask(scene.api, { title: `Release ${number}`, description, assigned_agent_id: agent.id });
    }
    const messages = await eventually("every question is in the channel", () => {
      const all = channel.messages();
      return all.length === COUNT && all;
    });
    const winners: string[] = [];
    for (let first = 0; first < COUNT; first += AT_ONCE) {
      const pairs = messages.slice(first, first + AT_ONCE).map((message, index) => pressTwice(message, first + index));
      winners.push(...(await Promise.all(pairs)));
    }
    const answered = await eventually("every run has ended", async () => {
      const runs = await sql<{ name: string; status: string }>(
        service.databaseUrl,
        `select c.answered_vendor_id as name, r.status from closed_questions c join runs r on r.id = c.subject_id
         where c.workspace_id = $1`,
        [scene.workspaceId],
      );
      return runs.length === COUNT && runs.every(({ status }) => status === "completed") && runs;
    });
    expect(answered.map(({ name }) => name).toSorted()).toEqual(winners.toSorted());
    await eventually("every message is edited", () => channel.messages().every(({ edits }) => edits === 1));
    expectNoFaults(channel);

    /** Presses both buttons at the same time, in two processes; returns who was first. */
    async function pressTwice(message: ShownMessage, number: number): Promise<string> {
      const [ana, ben] = ["Ana", "Ben"].map((name) => ({ id: `U${name}${number}`, name: `${name} ${number}` }));
      if (ana === undefined || ben === undefined) throw new Error("There are two.");
      const there = { ...scene.route, url: peer.url };
      const results = await Promise.all([
        channel.press(scene.route, codeOf(message, "Approve"), { person: ana }),
        channel.press(there, codeOf(message, "Reject"), { person: ben }),
      ]);
      expect(results.map(({ status }) => status)).toEqual([200, 200]);
      const [late] = results.flatMap(({ notice }) => notice ?? []);
      expect(results.filter(({ notice }) => notice === undefined)).toHaveLength(1);
      expect(late).toMatch(LATE);
      return results[0].notice === undefined ? ana.id : ben.id;
    }
  },
  { tags: "slow" },
);
