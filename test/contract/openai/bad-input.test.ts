import { afterAll, beforeAll, expect } from "vitest";
import { apiOf, listOf, send } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";

let service: TestService;
let api: Api;

beforeAll(async () => {
  service = await startService({ env: { MAX_BODY_BYTES: "100000" } });
  api = apiOf(service, service.keys.api);
  await createAgent(api, { name: "Guide" });
});
afterAll(() => service.stop());

const user = { role: "user", content: "x" } as const;
const said = (fields: object) => ({ model: "Guide", messages: [user], ...fields });
const asked = (fields: object) => ({ model: "Guide", input: "x", ...fields });
const calling = { role: "assistant", content: null, tool_calls: [{ id: "c", type: "function", function: {} }] };

/** What each request is answered: its path and body, then the status, the field, and a part of the message. */
const REFUSALS = [
  ["/chat/completions", "", 400, null, "it is empty"],
  ["/chat/completions", "{", 400, null, "must be JSON"],
  ["/chat/completions", "[]", 400, null, "must be a JSON object"],
  ["/chat/completions", '"text"', 400, null, "must be a JSON object"],
  ["/chat/completions", "model=Guide", 400, null, "must be JSON"],
  ["/chat/completions", '--b\r\nContent-Disposition: form-data; name="model"\r\n', 400, null, "must be JSON"],
  ["/chat/completions", JSON.stringify(said({ metadata: "x".repeat(100_000) })), 413, null, "97.7 KiB"],
  ["/chat/completions", said({ user: "\0" }), 400, "user", ""],
  ["/chat/completions", {}, 400, "model", "is required"],
  ["/chat/completions", said({ model: "" }), 400, "model", ""],
  ["/chat/completions", said({ model: "gpt-9" }), 404, "model", '"gpt-9" does not exist'],
  ["/chat/completions", said({ messages: "x" }), 400, "messages", "must be a list"],
  ["/chat/completions", said({ messages: [] }), 400, "messages", "at least one"],
  ["/chat/completions", said({ messages: [{ role: "robot", content: "x" }] }), 400, "messages.0.role", "role must be"],
  ["/chat/completions", said({ messages: [{ role: "user" }] }), 400, "messages.0.content", "array of parts"],
  ["/chat/completions", said({ messages: [user, { role: "assistant", content: "x" }] }), 400, "messages", "prefill"],
  [
    "/chat/completions",
    said({ messages: [{ ...user, content: [{ type: "video" }] }] }),
    400,
    "messages.0.content.0.type",
    "image_url",
  ],
  ["/chat/completions", said({ messages: [{ role: "assistant" }, user] }), 400, "messages.0.content", "text parts"],
  [
    "/chat/completions",
    said({ messages: [user, calling] }),
    400,
    "messages.1.tool_calls.0.function.name",
    "is required",
  ],
  ["/chat/completions", said({ messages: [{ ...user, role: "tool" }] }), 400, "messages.0.tool_call_id", "is required"],
  [
    "/chat/completions",
    said({ messages: [{ role: "user", content: [{ type: "image_url", image_url: { url: "x.png" } }] }] }),
    400,
    "messages.0.content.0.image_url.url",
    "https URL",
  ],
  [
    "/chat/completions",
    said({
      messages: [{ role: "user", content: [{ type: "file", file: { file_data: "data:text/plain;base64,%" } }] }],
    }),
    400,
    "messages.0.content.0.file.file_data",
    "must be base64",
  ],
  [
    "/chat/completions",
    said({ messages: [{ role: "user", content: [{ type: "file", file: {} }] }] }),
    400,
    "messages.0.content.0",
    "needs a file_id",
  ],
  [
    "/chat/completions",
    said({ messages: [{ role: "user", content: [{ type: "file", file: { file_id: "file-1" } }] }] }),
    400,
    "file_id",
    "no file file-1",
  ],
  [
    "/chat/completions",
    said({ messages: [{ role: "assistant", content: [{ type: "file", file: { file_id: "x" } }] }, user] }),
    400,
    "messages.0.content",
    "text parts",
  ],
  ["/chat/completions", said({ stream: "yes" }), 400, "stream", "true or false"],
  ["/chat/completions", said({ n: 2 }), 400, "n", "must be 1"],
  ["/chat/completions", said({ logprobs: true }), 400, "logprobs", "not supported"],
  ["/chat/completions", said({ top_logprobs: 3 }), 400, "top_logprobs", "not supported"],
  ["/chat/completions", said({ audio: { voice: "alloy" } }), 400, "audio", "not supported"],
  ["/chat/completions", said({ modalities: ["text", "audio"] }), 400, "modalities.1", "text"],
  ["/chat/completions", said({ response_format: { type: "grammar" } }), 400, "response_format.type", "json_schema"],
  [
    "/chat/completions",
    said({ response_format: { type: "json_schema" } }),
    400,
    "response_format.json_schema",
    "required",
  ],
  [
    "/chat/completions",
    said({ response_format: { type: "json_schema", json_schema: { name: "x", schema: { type: "nothing" } } } }),
    400,
    "response_format.json_schema.schema",
    "",
  ],
  ["/chat/completions", said({ reasoning_effort: "much" }), 400, "reasoning_effort", "low"],
  ["/chat/completions", said({ reasoning_effort: "high" }), 400, "reasoning_effort", "does not accept"],
  ["/chat/completions", said({ metadata: { a: 1 } }), 400, "metadata.a", "text"],
  ["/chat/completions", said({ tool_choice: "required" }), 400, "tool_choice", "needs tools"],
  ["/chat/completions", said({ tool_choice: { type: "custom" } }), 400, "tool_choice", "allowed_tools"],
  ["/chat/completions", said({ web_search_options: {} }), 400, "web_search_options", "on the agent"],
  ["/chat/completions", said({ functions: [] }), 400, "functions", "use tools"],
  ["/chat/completions", said({ function_call: "auto" }), 400, "function_call", "use tool_choice"],
  ["/chat/completions", said({ tools: {} }), 400, "tools", "must be a list"],
  ["/chat/completions", said({ tools: [{ type: "web_search" }] }), 400, "tools.0.type", "on the agent"],
  ["/responses", {}, 400, "model", "is required"],
  ["/responses", { model: "Guide" }, 400, "input", "must be a string"],
  ["/responses", asked({ input: "" }), 400, "input", "not empty"],
  ["/responses", asked({ input: [] }), 400, "input", "at least one"],
  ["/responses", asked({ input: [{ type: "computer_call" }] }), 400, "input.0.type", "type must be"],
  ["/responses", asked({ input: [{ role: "robot", content: "x" }] }), 400, "input.0.role", ""],
  [
    "/responses",
    asked({ input: [{ ...user, content: [{ type: "input_image" }] }] }),
    400,
    "input.0.content.0",
    "file_id",
  ],
  [
    "/responses",
    asked({ input: [{ ...user, content: [{ type: "input_file", file_url: 7 }] }] }),
    400,
    "input.0.content.0.file_url",
    "",
  ],
  ["/responses", asked({ input: [{ role: "assistant", content: "x" }] }), 400, "input", "end with a user message"],
  ["/responses", asked({ include: ["message.output_text.logprobs"] }), 400, "include.0", "not supported"],
  ["/responses", asked({ reasoning: { effort: "high" } }), 400, "reasoning.effort", "does not accept"],
  [
    "/responses",
    asked({ tool_choice: { type: "allowed_tools", mode: "auto", tools: [{ type: "function", name: "x" }] } }),
    400,
    "tool_choice",
    "not among the tools",
  ],
  ["/responses", asked({ conversation: "conv_1" }), 400, "conversation", "previous_response_id"],
  ["/responses", asked({ prompt: { id: "pmpt_1" } }), 400, "prompt", "own prompt"],
  ["/responses", asked({ text: { format: { type: "json_schema" } } }), 400, "text.format.name", "required"],
  ["/responses", asked({ tools: [{ type: "file_search" }] }), 400, "tools.0.type", "on the agent"],
  ["/responses", asked({ previous_response_id: "resp_1" }), 404, null, "resp_1"],
] as const;

verifies(
  "openai.bad-input",
  "each malformed or unsupported request is rejected by its field, and starts nothing",
  async () => {
    const authorization = `Bearer ${service.keys.api}`;
    for (const [path, body, status, param, says] of REFUSALS) {
      const answer = await send("POST", `${service.url}/v1${path}`, { headers: { authorization }, body });
      const error = {
        message: expect.stringContaining(says),
        type: "invalid_request_error",
        param,
        code: expect.any(String),
      };
      expect([path, body, answer.status, answer.body]).toEqual([path, body, status, { error }]);
    }
    expect(listOf(await api.get("/api-tasks"))).toEqual([]);
  },
);

verifies("openai.bad-input", "an unknown model has OpenAI's own code", async () => {
  const authorization = `Bearer ${service.keys.api}`;
  const asked = await send("POST", `${service.url}/v1/chat/completions`, {
    headers: { authorization },
    body: said({ model: "gpt-9" }),
  });
  const read = await send("GET", `${service.url}/v1/models/gpt-9`, { headers: { authorization } });
  for (const { body } of [asked, read])
    expect(body).toMatchObject({ error: { code: "model_not_found", param: "model" } });
});

verifies("openai.bad-input", "requests without a body are rejected in the same form", async () => {
  const authorization = `Bearer ${service.keys.api}`;
  for (const [method, path, status] of [
    ["GET", "/responses/resp_1", 404],
    ["GET", "/responses/resp_01a00000-0000-7000-8000-000000000000", 404],
    ["GET", "/responses/resp_01a00000-0000-7000-8000-000000000000_9?stream=true", 404],
    ["GET", "/responses/resp_01a00000-0000-7000-8000-000000000000?stream=perhaps", 400],
    ["GET", "/responses/resp_01a00000-0000-7000-8000-000000000000?starting_after=-1", 400],
    ["POST", "/responses/resp_1/cancel", 404],
    ["GET", "/models/Nobody", 404],
    ["GET", "/chat/completions", 405],
    ["POST", "/embeddings", 404],
  ] as const) {
    const answer = await send(method, `${service.url}/v1${path}`, { headers: { authorization } });
    const error = { message: expect.any(String), type: "invalid_request_error", code: expect.any(String) };
    expect([path, answer.status, answer.body]).toMatchObject([path, status, { error }]);
  }
  const key = { authorization, "Idempotency-Key": "x".repeat(256) };
  const long = await send("POST", `${service.url}/v1/chat/completions`, { headers: key, body: said({}) });
  expect([long.status, long.body]).toMatchObject([400, { error: { message: expect.stringContaining("255") } }]);
});
