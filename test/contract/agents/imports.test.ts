import { beforeAll, expect } from "vitest";
import { agentFile, importAgents } from "../../support/agent-files.ts";
import { apiOf, consoleOf, idsOf, refusal } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";

let service: SharedService;
let api: Api;

beforeAll(async () => {
  service = await useSharedService();
  api = apiOf(service, service.keys.api);
});

verifies("exports.import.name-fits", "a long name is cut so that the suffix fits", async () => {
  for (const [name, cut] of [
    ["x".repeat(100), "x".repeat(89)],
    [`${"x".repeat(88)}🎉🎉`, "x".repeat(88)],
  ] as const) {
    expect(await importAgents(service, agentFile({ name }))).toMatchObject([{ name: `${cut} (imported)` }]);
  }
});

verifies("exports.import.foreign-format", "a crewform-export of version 1 is read like one of ours", async () => {
  const data = {
    name: "Foreign",
    description: "From elsewhere",
    model: "claude-sonnet-4-20250514",
    fallback_model: null,
    provider: null,
    system_prompt: "You are here.",
    temperature: 0.7,
    max_tokens: null,
    tags: ["t"],
    tools: ["web_search", "custom:x"],
    voice_profile: { tone: "formal", custom_instructions: "c", output_format_hints: "h" },
    config: { requires_approval: ["custom:x", "web_search"] },
  };
  const [made] = await importAgents(service, {
    ...agentFile(data),
    format: "crewform-export",
    exported_at: "2026-01-02T03:04:05Z",
  });
  expect(made).toMatchObject({
    name: "Foreign (imported)",
    provider: "anthropic",
    tools: ["web_search"],
    config: { requires_approval: ["web_search"] },
    voice_profile: { tone: "Formal", custom_instructions: "c", output_format_hints: "h" },
  });
});

verifies("exports.import.later-fields", "fields that a later release adds are ignored", async () => {
  const [made] = await importAgents(service, agentFile({ colour: "red" }, { signature: "x" }));
  expect(made).toMatchObject({ name: "A (imported)" });
  expect(made).not.toHaveProperty("colour");
});

const FAULTS: readonly {
  readonly name: string;
  readonly body: unknown;
  readonly paths: readonly string[];
  readonly says?: RegExp;
}[] = [
  {
    name: "another format",
    body: agentFile({}, { format: "other" }),
    paths: ["format"],
    says: /muster-export.*crewform-export/,
  },
  { name: "another version", body: agentFile({}, { version: 2 }), paths: ["version"], says: /version must be 1/ },
  { name: "another type", body: agentFile({}, { type: "task" }), paths: ["type"], says: /agent/ },
  { name: "no data", body: { format: "muster-export", version: 1, type: "agent" }, paths: ["data"] },
  { name: "no name", body: agentFile({ name: undefined }), paths: ["data.name"] },
  { name: "wrong types", body: agentFile({ tags: "a", temperature: 3 }), paths: ["data.temperature", "data.tags"] },
  { name: "a wrong tag", body: agentFile({ tags: ["a", 7] }), paths: ["data.tags.1"] },
  { name: "a wrong tone", body: agentFile({ voice_profile: { tone: "loud" } }), paths: ["data.voice_profile.tone"] },
  { name: "an unknown model", body: agentFile({ model: "nope-9" }), paths: ["data.model"], says: /nope-9/ },
  {
    name: "an unknown fallback",
    body: agentFile({ fallback_model: "nope-9" }),
    paths: ["data.fallback_model"],
    says: /nope-9/,
  },
  { name: "no JSON", body: "{", paths: [] },
  { name: "a list", body: [], paths: [] },
];

for (const { name, body, paths, says = /./ } of FAULTS) {
  verifies(
    ["exports.import.unknown-format", "exports.import.refused"],
    `a file with ${name} is rejected with the issue's path and creates nothing`,
    async () => {
      const before = idsOf(await api.get("/api-agents?limit=200"));
      const answer = await consoleOf(service, service.keys.api).post("/agents/import", body);
      expect(refusal(answer)).toMatchObject({ status: 400, code: "bad_request", paths });
      expect(refusal(answer).message).toMatch(says);
      expect(idsOf(await api.get("/api-agents?limit=200"))).toEqual(before);
    },
  );
}
