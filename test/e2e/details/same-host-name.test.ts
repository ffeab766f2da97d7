import { afterAll, beforeAll, expect } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { openAiAgent, startTask, taskEnd } from "../../support/runs.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ScriptedProvider } from "../../support/scripted-provider.ts";
import { startPeer, startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { sql } from "../../support/workspace.ts";

/** No process has it: Linux gives none higher than 4,194,304. */
const NO_PROCESS = 2 ** 31 - 1;
const WARNING = "another machine or container has this host name";

let provider: ScriptedProvider;
let service: TestService;
const replied = Promise.withResolvers<void>();

beforeAll(async () => {
  provider = await startScriptedProvider(async (_, reply) => {
    await replied.promise;
    reply.say("done");
    reply.finish();
  });
  service = await startService({ env: { ...provider.env } });
});

afterAll(async () => {
  await service.stop();
  await provider.close();
});

verifies(
  "engine.takeover.same-host-name",
  "a process that starts leaves the runs of another machine with its host name alone, and warns of it",
  async () => {
    const taskId = await startTask(service, await openAiAgent(service), { title: "elsewhere" });
    await provider.called("elsewhere", 0);
    // As on a cloned machine: there the process lives, here its id means nothing.
    await sql(service.databaseUrl, "update executors set machine = 'clone', pid = $1", [NO_PROCESS]);
    const { databaseUrl, keys } = service;
    const peer = await startPeer({ databaseUrl, keys, env: { ...provider.env } });
    try {
      const warned = () =>
        peer
          .output()
          .stderr.split("\n")
          .find((line) => line.includes(WARNING));
      expect(JSON.parse(await eventually("it warns", warned))).toMatchObject({ pid: NO_PROCESS });
      replied.resolve();
      expect(await taskEnd(service, taskId)).toMatchObject({ status: "completed" });
      expect(provider.callsOf("elsewhere")).toHaveLength(1);
    } finally {
      await peer.stop();
    }
  },
);
