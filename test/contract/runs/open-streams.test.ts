import { beforeAll, expect } from "vitest";
import type { KeyKind } from "#domain/access/api-key.ts";
import { apiOf, consoleOf, listOf } from "../../support/api.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";
import { ENDLESS, createAgent } from "../../support/work.ts";
import { addKey, addMember, addWorkspace, sql } from "../../support/workspace.ts";
import type { TestWorkspace } from "../../support/workspace.ts";

/** A second, and what a busy machine needs to notice. */
const WITHIN_A_SECOND_MS = 10_000;

let service: SharedService;
let workspace: TestWorkspace;
let agentId: string;

beforeAll(async () => {
  service = await useSharedService();
  workspace = await addWorkspace(service.databaseUrl);
  const published = { is_a2a_published: true, is_mcp_published: true, tools: ["wait"] };
  agentId = (await createAgent(apiOf(service, workspace.key), { name: "Slow", ...published })).id;
});

/** A surface that answers with a stream while an agent works, and what starts one there. */
interface Surface {
  readonly name: string;
  readonly kind: KeyKind;
  readonly path: () => string;
  readonly body: object;
}

const rpc = (method: string, params: object) => ({ jsonrpc: "2.0", id: 1, method, params });
const message = { id: "m", role: "user", content: ENDLESS };
const surfaces: readonly Surface[] = [
  {
    name: "AG-UI",
    kind: "ag-ui",
    path: () => `/ag-ui/${agentId}/sse`,
    body: { runId: "r", messages: [message], tools: [], context: [], state: {}, forwardedProps: {} },
  },
  {
    name: "A2A",
    kind: "a2a",
    path: () => `/a2a/${agentId}`,
    body: rpc("message/stream", {
      message: { kind: "message", messageId: "m", role: "user", parts: [{ kind: "text", text: ENDLESS }] },
    }),
  },
  {
    name: "MCP",
    kind: "mcp",
    path: () => "/mcp",
    body: rpc("tools/call", { name: "slow", arguments: { message: ENDLESS }, _meta: { progressToken: 1 } }),
  },
  {
    name: "OpenAI chat",
    kind: "envelope",
    path: () => "/v1/chat/completions",
    body: { model: "Slow", stream: true, messages: [message] },
  },
  {
    name: "OpenAI responses",
    kind: "envelope",
    path: () => "/v1/responses",
    body: { model: "Slow", stream: true, input: ENDLESS },
  },
];

/** What takes a key away. */
const withdrawals: readonly { readonly name: string; readonly of: (by: Withdrawn) => Promise<unknown> }[] = [
  { name: "is revoked", of: ({ desk, keyId }) => desk.delete(`/keys/${keyId}`) },
  {
    name: "expires",
    of: ({ keyId }) => sql(service.databaseUrl, "update api_keys set expires_at = now() where id = $1", [keyId]),
  },
  { name: "goes with its member", of: ({ desk, userId }) => desk.delete(`/members/${userId}`) },
];

interface Withdrawn {
  readonly desk: ReturnType<typeof consoleOf>;
  readonly keyId: string;
  readonly userId: string;
}

for (const { name, kind, path, body } of surfaces) {
  for (const withdrawal of withdrawals) {
    verifies(
      "hardening.streams.end-with-credential",
      `a stream of ${name} ends within a second when its key ${withdrawal.name}`,
      async () => {
        const { workspaceId } = workspace;
        const { userId } = await addMember(service.databaseUrl, workspaceId, "member");
        const key = await addKey(service.databaseUrl, { workspaceId, ownerId: userId, kind });
        const [row] = await sql<{ id: string }>(
          service.databaseUrl,
          "select id from api_keys where created_by = $1 order by created_at desc, id desc limit 1",
          [userId],
        );
        const response = await fetch(service.url + path(), {
          method: "POST",
          headers: {
            authorization: `Bearer ${key}`,
            "content-type": "application/json",
            accept: "application/json, text/event-stream",
          },
          body: JSON.stringify(body),
        });
        expect([response.status, response.headers.get("content-type")]).toEqual([
          200,
          expect.stringMatching(/^text\/event-stream/),
        ]);
        const ended = response.text().then(
          () => "ended",
          () => "cut",
        );
        const since = performance.now();
        await withdrawal.of({ desk: consoleOf(service, workspace.key), keyId: row?.id ?? "", userId });
        expect(await ended).toBe("ended");
        expect(performance.now() - since).toBeLessThan(WITHIN_A_SECOND_MS);
        const tasks = listOf(await apiOf(service, workspace.key).get("/api-tasks?status=running"));
        for (const { id } of tasks) await apiOf(service, workspace.key).delete(`/api-tasks?id=${String(id)}`);
      },
    );
  }
}
