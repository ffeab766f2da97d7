import { beforeAll, describe, expect } from "vitest";
import { openDelegationScene } from "../../support/a2a/delegation-scene.ts";
import type { DelegationScene } from "../../support/a2a/delegation-scene.ts";
import { eventually } from "../../support/eventually.ts";
import { questionOf, respond } from "../../support/interactions.ts";
import { saying, useScriptedService } from "../../support/providers/scripted-agents.ts";
import type { ScriptedWorkspace } from "../../support/providers/scripted-agents.ts";
import { readStream } from "../../support/sse-client.ts";
import { ofType } from "../../support/valid-stream.ts";
import { verifies } from "../../support/verifies.ts";
import { createTask, readTask, stopTask, taskIn } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

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
  { protocol: "0.3", streaming: false, oldPath: true },
] as const;

verifies("a2a-client.minimal-card", "an agent whose card names no endpoint is called at its base URL", () =>
  scene.withRemote({ protocol: "0.3", oldPath: true, isMinimal: true }, async (remote, id) => {
    expect(await scene.delegated(id, "say All done here.")).toBe("All done here.");
    expect(remote.seen.at(-1)).toMatchObject({ method: "POST", path: "/" });
  }),
);

for (const kind of KINDS) {
  describe(`a remote agent of ${kind.protocol} ${kind.streaming ? "with" : "without"} streams`, () => {
    verifies(
      ["a2a-client.tool", "a2a-client.both-families", "a2a-client.bearer", "a2a-client.discovery-order"],
      "answers, in its version and with the token",
      () =>
        scene.withRemote(kind, async (remote, id) => {
          expect(await scene.delegated(id, "say All done here.")).toBe("All done here.");
          const [sent] = remote.calls;
          expect(sent).toMatchObject({
            text: "say All done here.",
            authorization: "Bearer s3cret",
            version: kind.protocol,
          });
          const asked = remote.seen.filter(({ method }) => method === "GET").map(({ path }) => path);
          expect(asked[0]).toBe("/.well-known/agent-card.json");
          expect(await scene.delegated(id, "fail")).toContain("It did not work.");
          expect(await scene.delegated(id, "reply")).toBe("a direct reply");
        }),
    );

    verifies("a2a-client.asks", "asks, and the answer of a person is sent to it", () =>
      scene.withRemote(kind, async (remote, id) => {
        const taskId = await scene.delegating(id, "ask Which colour?");
        const { request, interactionId } = await questionOf(scene.service, { agentId: scene.agentId, taskId });
        expect(request).toMatchObject({
          interactionType: "text_input",
          title: "Remote asks",
          description: "Which colour?",
        });
        expect(await readTask(scene.api, taskId)).toMatchObject({ status: "waiting_for_input" });
        await respond(scene.service, { agentId: scene.agentId, taskId }, { interactionId, text: "blue" });
        await taskIn(scene.api, taskId, "completed");
        expect(await scene.resultOf(taskId)).toBe("You said blue");
        const messages = remote.calls.filter(({ text }) => text !== "");
        expect(messages.map(({ text }) => text)).toEqual(["ask Which colour?", "blue"]);
        expect(messages[1]?.taskId).toBeDefined();
      }),
    );

    verifies(
      ["a2a-client.cancel", "engine.cancel.aborts-remote"],
      "is cancelled with the task that delegates to it",
      () =>
        scene.withRemote(kind, async (remote, id) => {
          const taskId = await scene.delegating(id, "hang");
          await eventually("the remote task", () => remote.calls.length > 0 && true);
          await eventually("its id is known", async () => (await openCalls()) > 0);
          await stopTask(scene.api, taskId);
          const cancelled = () => remote.calls.find(({ method }) => method.toLowerCase().includes("cancel"));
          expect((await eventually("the cancel", cancelled)).taskId).toBeDefined();
        }),
    );
  });
}

async function openCalls(): Promise<number> {
  const rows = await sql(
    scene.service.databaseUrl,
    "select from remote_calls where ended_at is null and remote_task_id is not null and workspace_id = $1",
    [scripted.service.workspaceId],
  );
  return rows.length;
}

verifies(
  ["a2a-client.streams", "a2a-client.progress"],
  "what a remote agent streams is shown in the task's stream as it comes",
  () =>
    scene.withRemote({ protocol: "1.0" }, async (remote, id) => {
      const taskId = await scene.delegating(id, "drip");
      const reader = await readStream(scene.service, { agentId: scene.agentId, taskId });
      await reader.until((events) => ofType(events, "CUSTOM").length > 0);
      expect(ofType(reader.events, "CUSTOM")[0]).toMatchObject({
        name: "TOOL_CALL_PROGRESS",
        value: { toolCallId: expect.any(String), delta: "so far" },
      });
      expect(remote.calls[0]?.method).toBe("SendStreamingMessage");
      await stopTask(scene.api, taskId);
    }),
);

verifies("a2a-client.broken-stream", "after a stream aborts, the task is polled and no second message is sent", () =>
  scene.withRemote({ protocol: "0.3" }, async (remote, id) => {
    const taskId = await scene.delegating(id, "break");
    await eventually("a question for the task", () => remote.calls.some(({ method }) => method === "tasks/get"));
    remote.finish("made it anyway");
    await taskIn(scene.api, taskId, "completed");
    expect(await scene.resultOf(taskId)).toBe("made it anyway");
    expect(remote.calls.filter(({ text }) => text === "break")).toHaveLength(1);
  }),
);

verifies("a2a-client.bounded", "an endless stream is aborted with a clear error", () =>
  scene.withRemote({ protocol: "1.0" }, async (_, id) => {
    expect(await scene.delegated(id, "endless")).toMatch(/more than \d+ (bytes|characters)/);
  }),
);

verifies(
  ["a2a-client.disabled-refused", "a2a-client.listed", "a2a-client.enable-disable"],
  "the model gets a list of the enabled remote agents and can delegate to no other",
  () =>
    scene.withRemote({ protocol: "1.0", name: "Translator" }, async (remote, id) => {
      const teller = await scripted.player(saying("Heard."), { tools: ["a2a_delegate"] });
      const toolsOffered = async (title: string) => {
        const { id: taskId } = await createTask(scene.api, { assigned_agent_id: teller.id, title });
        await taskIn(scene.api, taskId, "completed");
        return JSON.stringify(Object(teller.calls().at(-1)?.body)["tools"] ?? []);
      };
      expect(await toolsOffered("with one")).toContain(`${id}: Translator. Does things. Skills: Everything.`);
      expect(await scene.delegated("nobody", "say x")).toContain(`Known: ${id}`);
      expect((await scene.settings.patch(`/remote-agents/${id}`, { is_enabled: false })).status).toBe(200);
      expect(await toolsOffered("with none")).toBe("[]");
      expect(await scene.delegated(id, "say x")).toContain('There is no tool "a2a_delegate"');
      await scene.settings.patch(`/remote-agents/${id}`, { is_enabled: true });
      expect(await scene.delegated(id, "say x")).toBe("x");
      expect(remote.calls).toHaveLength(1);
    }),
);
