import { afterEach, expect, test, vi } from "vitest";
import anthropic from "#providers/anthropic.ts";
import google from "#providers/google.ts";
import openai from "#providers/openai.ts";

afterEach(() => vi.unstubAllEnvs());

test.each([openai, anthropic, google])(
  "$label rejects a connection without a key, whatever the environment holds",
  (provider) => {
    vi.stubEnv("OPENAI_API_KEY", "from-the-environment");
    vi.stubEnv("ANTHROPIC_API_KEY", "from-the-environment");
    vi.stubEnv("GOOGLE_GENERATIVE_AI_API_KEY", "from-the-environment");
    expect(provider.requiresKey).toBe(true);
    expect(() => provider.connect({})).toThrow(`${provider.label} needs an API key.`);
  },
);
