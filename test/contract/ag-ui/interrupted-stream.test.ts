import { expect } from "vitest";
import { apiOf } from "../../support/api.ts";
import { startService } from "../../support/service.ts";
import { readStream } from "../../support/sse-client.ts";
import { verifies } from "../../support/verifies.ts";
import { QUICK, createAgent, taskInState } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

verifies("ag-ui.sse.interrupted", "a stream that cannot read its log breaks without a word", async () => {
  const service = await startService();
  try {
    const api = apiOf(service, service.keys.api);
    const { id: agentId } = await createAgent(api);
    const { id: taskId } = await taskInState(api, { agentId, status: "completed", description: QUICK });
    await sql(service.databaseUrl, "alter table task_events rename to task_events_away");
    const reader = await readStream(service, { agentId, taskId });
    expect(await reader.over).toBe("cut");
    expect(reader.raw().replace(": connected\n\n", "")).toBe("");
    const lines = service.output().stderr.split("\n").filter(Boolean);
    expect(lines.filter((line) => line.includes('"msg":"stream interrupted"'))).toHaveLength(1);
    expect(lines.filter((line) => !line.startsWith("{"))).toEqual([]);
  } finally {
    await service.stop();
  }
});
