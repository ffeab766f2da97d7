import { isDeepStrictEqual } from "node:util";
import type { NamedModel } from "#domain/models/runnable-model.ts";

/** Values that ask for nothing else than what every run does. */
const NEUTRAL: Readonly<Record<string, readonly unknown[]>> = {
  frequency_penalty: [0],
  include: [[]],
  logit_bias: [{}],
  presence_penalty: [0],
  service_tier: ["auto", "default"],
  stop: [[]],
  store: [false],
  top_p: [1],
  truncation: ["auto", "disabled"],
};

/** Parameters that a setting of the agent decides. */
const SETTINGS = {
  max_completion_tokens: "max_tokens",
  max_output_tokens: "max_tokens",
  max_tokens: "max_tokens",
  temperature: "temperature",
} as const;

/**
 * Returns the parameters of a request that have no effect: the agent's own settings apply, or nothing reads them.
 * @param read the fields that are read
 */
export function fieldsWithoutEffect(
  request: Readonly<Record<string, unknown>>,
  { read, model: { settings } }: { readonly read: object; readonly model: NamedModel },
): readonly string[] {
  const own: ReadonlyMap<string, string> = new Map(Object.entries(SETTINGS));
  const current = new Map<string, unknown>(Object.entries(settings ?? {}));
  return Object.entries(request).flatMap(([name, value]) => {
    if (value == null || name in read) return [];
    const neutral = [...(NEUTRAL[name] ?? []), current.get(own.get(name) ?? "")];
    return neutral.some((each) => isDeepStrictEqual(each, value)) ? [] : [name];
  });
}
