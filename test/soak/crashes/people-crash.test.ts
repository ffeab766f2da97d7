import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect } from "vitest";
import { freePort } from "../../support/free-port.ts";
import { codeOf } from "../../support/people/fake-channel.ts";
import type { FakeChannel } from "../../support/people/fake-channel.ts";
import { ANA, expectNoFaults, openPeopleScene } from "../../support/people/scene.ts";
import { startSlack } from "../../support/people/slack.ts";
import { createDatabase, createKeys, startProcess } from "../../support/service.ts";
import type { TestDatabase } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { taskIn } from "../../support/work.ts";

const KILLS = Number(process.env["PRESS_KILLS"] ?? 6);
/** From before the call arrives until after the run has continued. */
const STEP_MS = 8;

const keys = createKeys();
let database: TestDatabase;
let channel: FakeChannel;

beforeAll(async () => {
  database = await createDatabase();
  channel = await startSlack();
});
afterAll(async () => {
  await channel.close();
  await database.drop();
});

verifies(
  "questions.people.crash",
  "a process killed around a press loses no answer that Slack saw accepted",
  async () => {
    // The same address before and after each kill, as behind a proxy.
    const env = { ...channel.env, PORT: String(await freePort()) };
    const start = () => startProcess({ databaseUrl: database.url, keys, env });
    let service = await start();
    const scene = await openPeopleScene(service, channel);
    for (let kill = 0; kill < KILLS; kill++) {
      const asked = await scene.ask("request_approval");
      const press = () => channel.press(scene.route, codeOf(asked.message, "Approve"), { person: ANA });
      const first = press().then(
        ({ status, notice }) => status === 200 && notice === undefined,
        () => false,
      );
      await sleep(kill * STEP_MS);
      await service.kill();
      const isAccepted = await first;
      service = await start();
      // Slack showed an error to the person, who presses again.
      if (!isAccepted) expect(await press()).toMatchObject({ status: 200, notice: undefined });
      await taskIn(scene.api, asked.taskId, "completed");
      expect(await scene.questionNow(asked)).toMatchObject({ answered_name: "Ana", answer: { approved: true } });
      expect((await scene.edited(asked)).text).toContain("Ana answered at");
    }
    expectNoFaults(channel);
    await service.stop();
  },
);
