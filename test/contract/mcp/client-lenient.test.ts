import { beforeAll, expect } from "vitest";
import { listOf } from "../../support/api.ts";
import { startRawMcpServer } from "../../support/mcp/raw-server.ts";
import type { RawMcpServer, RawTools } from "../../support/mcp/raw-server.ts";
import { openMcpScene, withServer } from "../../support/mcp/scene.ts";
import type { McpScene, RegisterOptions } from "../../support/mcp/scene.ts";
import { verifies } from "../../support/verifies.ts";

let scene: McpScene;

beforeAll(async () => {
  scene = await openMcpScene();
});

/** Runs a server with these tools, of which an agent has all, for as long as it is used. */
async function withTools(
  tools: RawTools,
  use: (server: RawMcpServer, registered: Awaited<ReturnType<McpScene["register"]>>) => Promise<void>,
  options: RegisterOptions = {},
): Promise<void> {
  const server = await startRawMcpServer(() => tools);
  try {
    const registered = await scene.register({ url: server.endpoint }, { tools: Object.keys(tools), ...options });
    await use(server, registered);
  } finally {
    await server.close();
  }
}

const text = (words: string) => ({ content: [{ type: "text", text: words }] });

verifies("mcp.client.readable", "blocks of unknown types or without their fields do not lose the result", () =>
  withTools(
    {
      blocks: {
        result: {
          content: [
            { type: "text", text: "It ran." },
            { type: "resource_link", uri: "https://example.org/more" },
            { type: "chart", points: [1, 2] },
            { type: "video", data: "AAAA", mimeType: "video/mp4" },
            { type: "resource", resource: { text: "notes" } },
            "plain",
          ],
        },
      },
      single: { result: { content: { type: "text", text: "one" } } },
      structured: { result: { structuredContent: { a: 1 } } },
      words: { result: { content: "only words", isError: null } },
      failed: { result: { content: [{ type: "trouble", why: "no ink" }], isError: true } },
    },
    async (server, { call }) => {
      expect(await call("blocks", {})).toMatch(
        new RegExp(
          [
            /^It ran\.\n\[Resource: https:\/\/example\.org\/more\]\n\{"type":"chart","points":\[1,2\]\}\n/,
            /\[video\/mp4, 3 bytes\] It was not stored: .*\n\[Resource without a URI\]\nnotes\nplain$/,
          ]
            .map(({ source }) => source)
            .join(""),
        ),
      );
      expect(await call("single", {})).toBe("one");
      expect(await call("structured", {})).toBe('{"a":1}');
      expect(await call("words", {})).toBe("only words");
      expect(await call("failed", {})).toContain('"why":"no ink"');
      expect(server.calls).toHaveLength(5);
    },
  ),
);

verifies("mcp.client.lost-session", "a session that is over is opened again once, however the server says so", () =>
  withTools({ echo: { result: text("echo") } }, async (server, { call }) => {
    expect(await call("echo", {})).toBe("echo");
    for (const how of ["status", "error", "error without id"] as const) {
      const before = server.sessions();
      server.forget(how);
      expect(await call("echo", {})).toBe("echo");
      expect(server.sessions()).toBe(before + 1);
    }
    expect(server.calls).toHaveLength(4);
  }),
);

verifies("mcp.client.refresh-reconnects", "after a refresh, agents call over a new connection", () =>
  withTools({ echo: { result: text("echo") } }, async (server, { id, call }) => {
    await call("echo", {});
    const before = server.sessions();
    await call("echo", {});
    expect(server.sessions()).toBe(before);
    await scene.desk.post(`/mcp-servers/${id}/refresh`, undefined);
    await call("echo", {});
    expect(server.sessions()).toBe(before + 2);
  }),
);

const fields = (properties: object, more: object = {}) => ({
  listed: { inputSchema: { type: "object", properties, ...more } },
  result: text("It ran."),
});

verifies("mcp.client.foreign-schemas", "a tool is offered without the checks that its schema says in other ways", () =>
  withTools(
    {
      pattern: fields({ code: { type: "string", pattern: "^(?i)abc$", maxLength: 3 } }),
      draft4: fields({ n: { type: "number", minimum: 0, exclusiveMinimum: true } }, { required: ["n"] }),
      draft3: fields({ any: { type: "any", required: true } }),
    },
    async (server, { id, call }) => {
      const tools = listOf(await scene.desk.get(`/mcp-servers/${id}/tools`));
      expect(tools.map(({ issue }) => issue)).toEqual([null, null, null]);
      expect(await call("pattern", { code: "ABC" })).toBe("It ran.");
      expect(await call("pattern", { code: "ABCD" })).toContain("code must NOT have more than 3 characters");
      expect(await call("draft4", {})).toContain("must have required property 'n'");
      expect(await call("draft4", { n: 0 })).toBe("It ran.");
      expect(await call("draft3", {})).toBe("It ran.");
      expect(server.calls).toEqual(["pattern", "draft4", "draft3"]);
    },
  ),
);

verifies("mcp.client.param-headers", "annotated arguments are sent as headers; a broken annotation forbids calls", () =>
  withServer("stateless", async (server) => {
    await server.setTools(["headed", "broken"]);
    const { id, call } = await scene.register(server, { tools: ["headed"] });
    expect(await call("headed", { text: "Grüße" })).toBe("headed: Grüße");
    expect(server.headers.at(-1)?.["mcp-param-text"]).toBe("=?base64?R3LDvMOfZQ==?=");
    expect(await call("headed", { text: "plain" })).toBe("headed: plain");
    expect(server.headers.at(-1)?.["mcp-param-text"]).toBe("plain");
    const tools = listOf(await scene.desk.get(`/mcp-servers/${id}/tools`));
    const why = expect.stringMatching(/must not be called.*x-mcp-header of text is not the name of an HTTP header/);
    expect(tools.map(({ name, issue }) => [name, issue])).toEqual([
      ["headed", null],
      ["broken", why],
    ]);
  }),
);
