import { expect, test } from "vitest";
import { readLimits } from "./told-limits.ts";

const NOW = Date.parse("2030-01-01T00:00:00Z");

test.each([
  [
    "OpenAI",
    {
      "x-ratelimit-limit-requests": "60",
      "x-ratelimit-remaining-requests": "59",
      "x-ratelimit-reset-requests": "1s",
      "x-ratelimit-limit-tokens": "150000",
      "x-ratelimit-remaining-tokens": "149984",
      "x-ratelimit-reset-tokens": "6m0s",
    },
    {
      requests: 60,
      requestsLeft: 59,
      requestsFullInMs: 1_000,
      tokens: 150_000,
      tokensLeft: 149_984,
      tokensFullInMs: 360_000,
    },
  ],
  [
    "Anthropic",
    {
      "anthropic-ratelimit-requests-limit": "50",
      "anthropic-ratelimit-requests-remaining": "0",
      "anthropic-ratelimit-requests-reset": "2030-01-01T00:00:30Z",
      "anthropic-ratelimit-input-tokens-limit": "40000",
      "anthropic-ratelimit-input-tokens-remaining": "39000",
      "anthropic-ratelimit-input-tokens-reset": "2029-12-31T23:59:59Z",
    },
    {
      requests: 50,
      requestsLeft: 0,
      requestsFullInMs: 30_000,
      tokens: 40_000,
      tokensLeft: 39_000,
      tokensFullInMs: 0,
    },
  ],
  [
    "Groq",
    {
      "x-ratelimit-limit-tokens": "18000",
      "x-ratelimit-remaining-tokens": "17997",
      "x-ratelimit-reset-tokens": "7.66s",
    },
    { tokens: 18_000, tokensLeft: 17_997, tokensFullInMs: 7_660 },
  ],
  [
    "Mistral, which names no reset",
    { "x-ratelimit-limit-req-minute": "30", "x-ratelimit-remaining-req-minute": "29" },
    { requests: 30, requestsLeft: 29, requestsFullInMs: 60_000 },
  ],
  [
    "OpenRouter, with a time in milliseconds",
    { "x-ratelimit-limit": "20", "x-ratelimit-remaining": "1", "x-ratelimit-reset": String(NOW + 5_000) },
    { requests: 20, requestsLeft: 1, requestsFullInMs: 5_000 },
  ],
  [
    "120ms",
    {
      "x-ratelimit-limit-requests": "500",
      "x-ratelimit-remaining-requests": "499",
      "x-ratelimit-reset-requests": "120ms",
    },
    { requests: 500, requestsLeft: 499, requestsFullInMs: 120 },
  ],
  [
    "a reset that cannot be read",
    { "ratelimit-limit": "5", "ratelimit-remaining": "4", "ratelimit-reset": "soon" },
    { requests: 5, requestsLeft: 4, requestsFullInMs: 60_000 },
  ],
  ["none", { "content-type": "text/event-stream" }, undefined],
  ["no numbers", { "x-ratelimit-limit-requests": "many", "x-ratelimit-remaining-requests": "-1" }, undefined],
  ["a limit of zero", { "x-ratelimit-limit-requests": "0", "x-ratelimit-remaining-requests": "0" }, undefined],
])("%s", (_, headers, expected) => {
  expect(readLimits(Object.fromEntries(Object.entries(headers)), NOW)).toEqual(expected);
});
