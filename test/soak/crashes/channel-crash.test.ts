import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { freePort } from "../../support/free-port.ts";
import { createDatabase, createKeys, startProcess } from "../../support/service.ts";
import type { TestDatabase } from "../../support/service.ts";
import type { FakeTalk } from "../../support/talk/fake-talk.ts";
import { ANA, openTalkScene } from "../../support/talk/scene.ts";
import { startSlackTalk } from "../../support/talk/slack.ts";
import { startTelegramTalk } from "../../support/talk/telegram.ts";
import { verifies } from "../../support/verifies.ts";

const KILLS = Number(process.env["TALK_KILLS"] ?? 4);
/** From before the call is stored until the answer grows. */
const STEP_MS = 150;

const keys = createKeys();
let database: TestDatabase;
let slack: FakeTalk;
let telegram: FakeTalk;

beforeAll(async () => {
  database = await createDatabase();
  [slack, telegram] = await Promise.all([startSlackTalk(), startTelegramTalk()]);
});
afterAll(async () => {
  await Promise.all([slack.close(), telegram.close()]);
  await database.drop();
});

describe.each([
  ["slack", () => slack],
  ["telegram", () => telegram],
])("%s", (type, of) => {
  verifies(
    "channels.talk.crash",
    `a process killed during an answer in ${type} loses nothing, and another one continues the message`,
    async () => {
      const talk = of();
      const env = { ...talk.env, PORT: String(await freePort()) };
      const start = () => startProcess({ databaseUrl: database.url, keys, env });
      let service = await start();
      const scene = await openTalkScene(service, talk);
      for (let kill = 0; kill < KILLS; kill++) {
        const call = talk.compose(`[[slow:150]][[say:Number ${kill} is said once and to the end.]]`, { person: ANA });
        const first = talk.send(scene.to, call).then(
          ({ status }) => status === 200,
          () => false,
        );
        await sleep(kill * STEP_MS);
        await service.kill();
        const isAccepted = await first;
        service = await start();
        // The vendor calls again.
        if (!isAccepted) expect((await talk.send(scene.to, call)).status).toBe(200);
        await scene.hears(`Number ${kill} is said once and to the end.`);
        await scene.silence();
        const said = scene.said().filter(({ text }) => text === `Number ${kill} is said once and to the end.`);
        if (type === "slack") expect(said).toHaveLength(1);
      }
      // In Telegram a message whose ids were lost stays as it was.
      if (type === "slack") expect(scene.said()).toHaveLength(KILLS);
      const list = await scene.desk.get(`/agents/${scene.agentId}/conversations`);
      const replies = JSON.stringify(list.body)
        .match(/"replies":\d+/g)
        ?.map((one) => Number(one.slice(10)));
      expect((replies ?? []).reduce((sum, count) => sum + count, 0)).toBe(KILLS);
      expect(talk.faults).toEqual([]);
      await service.stop();
    },
  );
});
