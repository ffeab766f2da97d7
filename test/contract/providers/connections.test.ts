import { afterEach, expect, test, vi } from "vitest";
import anthropic from "#providers/anthropic.ts";
import google from "#providers/google.ts";
import openai from "#providers/openai.ts";

afterEach(() => vi.unstubAllEnvs());

test.each([openai, anthropic, google])(
  "$label rejects a connection without a key, whatever the environment holds",
  async (provider) => {
    vi.stubEnv("OPENAI_API_KEY", "from-the-environment");
    vi.stubEnv("ANTHROPIC_API_KEY", "from-the-environment");
    vi.stubEnv("GOOGLE_GENERATIVE_AI_API_KEY", "from-the-environment");
    expect(provider.requiresKey).toBe(true);
    await expect(provider.connect({})).rejects.toThrow(`${provider.label} needs an API key.`);
  },
);
