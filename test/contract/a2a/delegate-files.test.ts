import { beforeAll, expect } from "vitest";
import { openDelegationScene } from "../../support/a2a/delegation-scene.ts";
import type { DelegationScene } from "../../support/a2a/delegation-scene.ts";
import { PIXEL } from "../../support/mcp/server.ts";
import { inTurns, useScriptedService } from "../../support/providers/scripted-agents.ts";
import type { ScriptedWorkspace } from "../../support/providers/scripted-agents.ts";
import { verifies } from "../../support/verifies.ts";
import { createTask, readTask, taskIn } from "../../support/work.ts";

const REPORT = { name: "report.csv", type: "text/csv", base64: Buffer.from("a,1\n").toString("base64") };
const PICTURE = { name: "dot.png", type: "image/png", base64: PIXEL };
const PROGRAM = { name: "tool.exe", type: "application/x-msdownload", base64: "TVqQAAMAAAAEAAAA" };

let scripted: ScriptedWorkspace;
let scene: DelegationScene;

beforeAll(async () => {
  scripted = await useScriptedService();
  scene = await openDelegationScene(scripted.service);
});

const KINDS = [
  { protocol: "1.0", streaming: true },
  { protocol: "1.0", streaming: false },
  { protocol: "0.3", streaming: true },
  { protocol: "0.3", streaming: false },
] as const;

for (const kind of KINDS) {
  const how = `${kind.protocol} ${kind.streaming ? "with" : "without"} streams`;
  verifies("a2a-client.files", `inline files of a remote agent of ${how} become files of the task`, () =>
    scene.withRemote({ ...kind, files: [REPORT, PICTURE, PROGRAM] }, async (_, id) => {
      for (const message of ["file", "reply"]) {
        const script = inTurns((reply) => reply.callTool("a2a_delegate", { agent_id: id, message }));
        const agent = await scripted.player(script, { tools: ["a2a_delegate"] });
        const { id: taskId } = await createTask(scene.api, { assigned_agent_id: agent.id });
        await taskIn(scene.api, taskId, "completed");
        const { attachments } = await readTask(scene.api, taskId);
        expect(attachments).toMatchObject([
          { name: "report.csv", type: "text/csv", direction: "output", size: 4 },
          { name: "dot.png", type: "image/png", direction: "output" },
        ]);
        const [, second] = agent.calls();
        const seen = JSON.stringify(second?.body);
        expect(seen).toContain("[report.csv, text/csv, 4 bytes] Stored as report.csv (");
        expect(seen).toMatch(/\[tool\.exe, application\/x-msdownload, 12 bytes\] It was not stored: /);
        expect(seen).toContain(message === "file" ? "Here they are." : "a direct reply");
        expect(second?.images).toEqual([`data:image/png;base64,${PIXEL}`]);
      }
    }),
  );
}
