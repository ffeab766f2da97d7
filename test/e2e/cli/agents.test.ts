import { beforeAll, expect } from "vitest";
import { apiOf } from "../../support/api.ts";
import { openCli } from "../../support/cli.ts";
import type { TestCli } from "../../support/cli.ts";
import { verifies } from "../../support/verifies.ts";
import { readAgent } from "../../support/work.ts";

const ENDPOINT = ["--model", "llama-9", "--provider", "openai-compatible"] as const;
const SCHEMA = { type: "object", properties: { thoughts: { type: "string" }, answer: { type: "string" } } };

let cli: TestCli;

beforeAll(async () => {
  cli = await openCli();
});

verifies("cli.agents.model-settings", "how an agent's models are called is set and removed", async () => {
  const set = ["--fallback-model", "a", "--fallback-model", "b,c", "--temperature", "none", "--effort", "max"] as const;
  const more = ["--show-reasoning", "on", "--prompt-caching", "off", "--output-schema", "-"] as const;
  const input = JSON.stringify(SCHEMA);
  const made = await cli.musterWith({ input }, "agents", "create", "--name", "Set", ...ENDPOINT, ...set, ...more);
  expect(made.code, made.stderr).toBe(0);
  const settings = async () => {
    const { id } = await cli.readRecord("agents", "get", "Set");
    return readAgent(apiOf(cli.service, cli.service.keys.api), id);
  };
  expect(await settings()).toMatchObject({
    fallback_models: ["a", "b", "c"],
    temperature: null,
    reasoning: { effort: "max", show: true },
    prompt_caching: false,
    output_schema: SCHEMA,
  });
  const unset = ["--fallback-model", "none", "--effort", "default", "--output-schema", "none", "--temperature", "1"];
  const changed = await cli.succeed("agents", "update", "Set", ...unset);
  expect(changed).toMatch(/: fallback_models, temperature, reasoning, output_schema\n$/);
  expect(await settings()).toMatchObject({
    fallback_models: [],
    temperature: 1,
    reasoning: { effort: null, show: true },
    prompt_caching: false,
    output_schema: null,
  });
});

const FAULTS = [
  { args: ["--effort", "huge"], says: "--effort must be one of none, minimal, low, medium, high, xhigh, max, default" },
  { args: ["--temperature", "warm"], says: '--temperature must be a number, not "warm"' },
  { args: ["--output-schema", "/no/such/file"], says: "Cannot read /no/such/file" },
  { args: ["--fallback-model", "--model", "demo"], says: "It needs a value" },
] as const;

for (const { args, says } of FAULTS) {
  verifies("cli.agents.model-settings", `${args.join(" ")} is a usage error`, async () => {
    const { code, stderr } = await cli.muster("agents", "create", "--name", "Wrong", "--model", "demo", ...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(says)]);
  });
}
