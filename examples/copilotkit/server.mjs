/**
 * CopilotKit's runtime in front of an agent: point a React app's `<CopilotKit runtimeUrl>` at it.
 *
 *     MUSTER_URL=http://127.0.0.1:8787 MUSTER_AGUI_KEY=mst_... MUSTER_AGENT=<agent id> node server.mjs
 */
import { createServer } from "node:http";
import { HttpAgent } from "@ag-ui/client";
import { CopilotRuntime, InMemoryAgentRunner } from "@copilotkit/runtime/v2";
import { createCopilotNodeListener } from "@copilotkit/runtime/v2/node";

const { MUSTER_URL, MUSTER_AGENT, MUSTER_AGUI_KEY, PORT = "3000" } = process.env;

const support = new HttpAgent({
  url: `${MUSTER_URL}/ag-ui/${MUSTER_AGENT}/sse`,
  headers: { Authorization: `Bearer ${MUSTER_AGUI_KEY}` },
});
const runtime = new CopilotRuntime({ agents: { support }, runner: new InMemoryAgentRunner() });
const server = createServer(createCopilotNodeListener({ runtime, basePath: "/api/copilotkit" }));
server.listen(Number(PORT), "127.0.0.1", () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}/api/copilotkit\n`);
});
