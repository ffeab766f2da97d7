import type { OpenAiItem } from "#protocols/openai/items.ts";
import type { HttpContext, HttpServices } from "../context.ts";
import { asHeaderText, setHeader } from "../middleware/set-header.ts";
import type { NamedModel } from "#domain/models/runnable-model.ts";

/** More parameters without effect are not named. */
const MAX_NAMED = 20;
const MAX_NAME = 64;

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
