import { isDeepStrictEqual } from "node:util";
import type { OpenAiItem } from "#protocols/openai/items.ts";
import type { NamedModel } from "#operations/protocols/runnable-models.ts";
import type { HttpContext, HttpServices } from "../context.ts";
import { asHeaderText, setHeader } from "../middleware/set-header.ts";

/** More parameters without effect are not named. */
const MAX_NAMED = 20;
const MAX_NAME = 64;

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

/** Warns about images that the agent's model cannot see; its run goes on without them. */
export function imageWarnings(
  { catalogue }: HttpServices,
  { settings }: NamedModel,
  items: readonly OpenAiItem[],
): readonly string[] {
  if (settings === null || catalogue.supportsImages(settings.model) || settings.vision === true) return [];
  const known = catalogue.find(settings.model);
  const hasImages = items.some((item) => item.kind === "said" && item.files.some(isImage));
  if (!hasImages) return [];
  return known === undefined
    ? [`Whether ${settings.model} sees images is unknown: set vision in the agent's config.`]
    : [`${settings.model} does not see images: the run goes on without them.`];
}

function isImage(file: Extract<OpenAiItem, { kind: "said" }>["files"][number]): boolean {
  if ("url" in file) return file.isImage;
  return "declared" in file && file.declared.startsWith("image/");
}

/** Sets the header `X-Warning`: warnings, and the parameters without effect. */
export function setWarnings(
  c: HttpContext,
  { without, others }: { readonly without: readonly string[]; readonly others: readonly string[] },
): void {
  const shown = without.slice(0, MAX_NAMED).map((name) => name.slice(0, MAX_NAME));
  const more = without.length > MAX_NAMED ? ` and ${without.length - MAX_NAMED} more` : "";
  const ignored =
    shown.length === 0
      ? []
      : [`These parameters have no effect, the agent's own settings apply: ${shown.join(", ")}${more}.`];
  const warnings = [...ignored, ...others];
  if (warnings.length > 0) setHeader(c, "X-Warning", asHeaderText(warnings.join(" ")));
}
