import { once } from "node:events";
import { createServer, request } from "node:http";
import type { Server } from "node:http";
import { afterAll, beforeAll, expect } from "vitest";
import { startBucket } from "../../support/providers/bucket.ts";
import type { TestBucket } from "../../support/providers/bucket.ts";
import { askFiles } from "../../support/files.ts";
import { fieldsOf, listOf } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { openAiAgent, startTask, taskEnd, taskNow } from "../../support/runs.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ScriptedProvider } from "../../support/scripted-provider.ts";
import { createDatabase, createKeys, startProcess, startService } from "../../support/service.ts";
import type { StartOptions, TestDatabase, TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { sql } from "../../support/workspace.ts";

const REPLY = "Done:\n\n```csv report.csv\na,b\n1,2\n```\n";
const keys = createKeys();

let database: TestDatabase;
let provider: ScriptedProvider;
let bucket: TestBucket;
let gate: Server;
/** Called when a content is in the bucket, before its sender hears of it. */
let onStored: () => Promise<void> = async () => undefined;

beforeAll(async () => {
  [database, bucket] = await Promise.all([createDatabase(), startBucket()]);
  provider = await startScriptedProvider((_, reply) => {
    reply.say(REPLY);
    reply.finish();
  });
  gate = createServer((incoming, outgoing) => {
    const { method, headers, url } = incoming;
    const onward = request(new URL(url ?? "", bucket.endpoint), { method, headers }, async (answer) => {
      if (method === "PUT") await onStored();
      outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(onward);
  });
  await once(gate.listen(0, "127.0.0.1"), "listening");
});
afterAll(async () => {
  gate.closeAllConnections();
  gate.close();
  await provider.close();
  await bucket.close();
  await database.drop();
});

verifies(
  ["attachments.output.once"],
  "a process that dies between storing a result's file and the run's end neither loses nor doubles it",
  async () => {
    const first = await startProcess(options());
    const stored = Promise.withResolvers<void>();
    onStored = async () => {
      stored.resolve();
      await new Promise(() => {});
    };
    const task = await startTask(first, await openAiAgent(first));
    await stored.promise;
    await first.kill();
    onStored = async () => undefined;
    const second = await startService(options());
    try {
      expect(await taskEnd(second, task)).toMatchObject({
        status: "completed",
        result: REPLY,
        attachments: [{ name: "report.csv", direction: "output", size: 8 }],
      });
      const [file, ...more] = listOf(await askFiles(second, `?task_id=${task}`));
      expect(more).toEqual([]);
      const { url } = fieldsOf(await askFiles(second, `/${String(file?.["id"])}`));
      expect(await (await fetch(String(url))).text()).toBe("a,b\n1,2\n");
      expect(provider.calls).toHaveLength(1);
      // What the dead process had stored is listed, to be swept.
      const left = await sql<{ key: string }>(database.url, "select key from unreferenced_blobs");
      expect(left).toHaveLength(1);
      expect(left[0]?.key).not.toContain(String(file?.["id"]));
    } finally {
      await second.stop();
    }
  },
);

verifies(
  "attachments.output.store-away",
  "an unavailable store loses the files of a result, not the result",
  async () => {
    const away = await startService(options({ S3_ENDPOINT: "http://127.0.0.1:1" }));
    try {
      const task = await startTask(away, await openAiAgent(away));
      const ended = await eventually("the end of the task", () => endOf(away, task), 40_000);
      expect(ended).toMatchObject({ status: "completed", result: REPLY, attachments: [] });
      expect(away.output().stderr).toContain("the files of a result were not stored");
    } finally {
      await away.stop();
    }
  },
);

async function endOf(service: TestService, id: string) {
  const task = await taskNow(service, id);
  return task.status === "completed" && task;
}

function options(env: Readonly<Record<string, string>> = {}): StartOptions {
  const address = gate.address();
  if (address === null || typeof address === "string") throw new Error("The gate has no port.");
  return {
    databaseUrl: database.url,
    keys,
    env: {
      ...provider.env,
      S3_BUCKET: bucket.bucket,
      S3_ENDPOINT: `http://127.0.0.1:${address.port}`,
      S3_REGION: bucket.region,
      S3_ACCESS_KEY_ID: bucket.accessKeyId,
      S3_SECRET_ACCESS_KEY: bucket.secretAccessKey,
      ...env,
    },
  };
}
