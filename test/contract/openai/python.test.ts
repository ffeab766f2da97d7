import { execFile, execFileSync } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { apiOf } from "../../support/api.ts";
import { callingScript, callsText } from "../../support/client-tools.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ScriptedProvider } from "../../support/scripted-provider.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";

const EXAMPLE = join(import.meta.dirname, "../../../examples/python/agent.py");
/** An interpreter with the packages of examples/python/requirements.txt, as in a virtual environment. */
const python = process.env["TEST_PYTHON"] ?? "python3";
const reason = findReasonToSkip();

describe.skipIf(reason !== undefined)(`the official client for Python${reason ?? ""}`, () => {
  let provider: ScriptedProvider;
  let service: TestService;

  beforeAll(async () => {
    provider = await startScriptedProvider(callingScript);
    service = await startService({ env: { ...provider.env } });
    await createAgent(apiOf(service, service.keys.api), { name: "Guide", model: "gpt-4o" });
  });
  afterAll(async () => {
    await service.stop();
    await provider.close();
  });

  verifies("openai.python", "the example chats, streams, runs a function and continues a response", async () => {
    const question = callsText([{ name: "get_weather", args: { city: "Bern" } }]);
    const { stdout } = await promisify(execFile)(python, [EXAMPLE, "Guide", question], {
      env: { ...process.env, MUSTER_URL: service.url, MUSTER_API_KEY: service.keys.api },
    });
    expect(stdout.trim().split("\n")).toEqual([
      "models: Guide",
      "chat: Results: sunny in Bern",
      "stream: Results: none",
      "responses: Results: none",
    ]);
  });
});

/** Why the example cannot be run here; undefined when it can. */
function findReasonToSkip(): string | undefined {
  try {
    execFileSync(python, ["-c", "import openai"], { stdio: "ignore" });
    return undefined;
  } catch {
    return `, skipped: ${python} has no package openai; set TEST_PYTHON to an interpreter that has it`;
  }
}
