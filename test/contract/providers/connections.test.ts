import { afterEach, expect, test, vi } from "vitest";
import bedrock from "#providers/amazon-bedrock.ts";
import anthropic from "#providers/anthropic.ts";
import azure from "#providers/azure-openai.ts";
import vertex from "#providers/google-vertex.ts";
import google from "#providers/google.ts";
import openai from "#providers/openai.ts";
import { ACCESS_KEY, REGION } from "../../support/providers/strict/aws-signature.ts";
import { startBedrock } from "../../support/providers/strict/bedrock.ts";
import { says } from "../../support/providers/strict/strict-server.ts";
import { verifies } from "../../support/verifies.ts";
import { collect, question, textOf } from "./collect.ts";

const ENVIRONMENT = [
  "OPENAI_API_KEY",
  "ANTHROPIC_API_KEY",
  "GOOGLE_GENERATIVE_AI_API_KEY",
  "GOOGLE_VERTEX_API_KEY",
  "AZURE_API_KEY",
  "AWS_BEARER_TOKEN_BEDROCK",
  "AWS_ACCESS_KEY_ID",
  "AWS_SECRET_ACCESS_KEY",
  "AWS_SESSION_TOKEN",
];

afterEach(() => vi.unstubAllEnvs());

test.each([openai, anthropic, google, azure, bedrock, vertex])(
  "$label rejects a connection without a key, whatever the environment holds",
  async (provider) => {
    for (const name of ENVIRONMENT) vi.stubEnv(name, "from-the-environment");
    expect(provider.requiresKey).toBe(true);
    await expect(provider.connect({})).rejects.toThrow(`${provider.label} needs an API key.`);
  },
);

verifies("providers.clouds.environment", "an access key is used as given, whatever the environment holds", async () => {
  const server = await startBedrock();
  for (const name of ENVIRONMENT) vi.stubEnv(name, "from-the-environment");
  vi.stubEnv("AWS_REGION", "us-east-1");
  vi.stubEnv("AWS_ENDPOINT_URL", "http://127.0.0.1:9");
  server.plays(says("Hello."));
  const apiKey = `${ACCESS_KEY.id}:${ACCESS_KEY.secret}`;
  const client = await bedrock.connect({ apiKey, baseUrl: server.baseUrl, region: REGION });
  expect(textOf(await collect(client, question("amazon.nova-2-lite-v1:0", "Hi")))).toBe("Hello.");
  expect(server.accepted[0]?.headers).not.toHaveProperty("x-amz-security-token");
  await server.close();
});
