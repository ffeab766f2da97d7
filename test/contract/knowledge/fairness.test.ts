import { afterAll, beforeAll, expect } from "vitest";
import { consoleOf, send } from "../../support/api.ts";
import { startEmbeddingProvider } from "../../support/providers/embedding-provider.ts";
import type { EmbeddingProvider } from "../../support/providers/embedding-provider.ts";
import { eventually } from "../../support/eventually.ts";
import { addText, createBase, documentRead } from "../../support/knowledge.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { addWorkspace } from "../../support/workspace.ts";

const PER_PROCESS = 2;
const DOCUMENTS = 4;

let provider: EmbeddingProvider;
let service: TestService;
beforeAll(async () => {
  provider = await startEmbeddingProvider();
  service = await startService({
    env: {
      OPENAI_BASE_URL: `${provider.url}/v1`,
      ALLOW_PRIVATE_URLS: "true",
      KNOWLEDGE_PER_PROCESS: String(PER_PROCESS),
    },
  });
});
afterAll(async () => {
  await service.stop();
  await provider.close();
});

verifies(
  "knowledge.ingest.fair",
  "documents of one workspace that take long do not hold up another's",
  async () => {
    const [busy, other] = [await addWorkspace(service.databaseUrl), await addWorkspace(service.databaseUrl)];
    const key = { headers: { "x-api-key": busy.key }, body: { api_key: "sk-test-embeddings" } };
    expect((await send("PUT", `${service.url}/console/api/provider-keys/openai`, key)).status).toBe(200);
    provider.holdFrom(1);
    const busyConsole = consoleOf(service, busy.key);
    const busyBase = await createBase(busyConsole);
    for (let number = 0; number < DOCUMENTS; number++)
      await addText(busyConsole, busyBase, { text: `Text ${number}.` });
    await eventually("the provider is asked for vectors", async () => provider.seen.length > 0, 60_000);

    const otherConsole = consoleOf(service, other.key);
    const { id } = await addText(otherConsole, await createBase(otherConsole), { text: "A text of the other." });
    expect((await documentRead(otherConsole, id)).status).toBe("ready");
    expect(provider.seen.length).toBeLessThan(PER_PROCESS);
  },
  { tags: "slow" },
);
