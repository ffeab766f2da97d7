import type { components } from "#client/schema.gen.ts";
import type { AgentDraft } from "./draft.ts";

type Model = components["schemas"]["ModelCatalogue"]["models"][number];

/** Takes any model: it is an endpoint of the workspace. */
export const CUSTOM_ENDPOINT = "openai-compatible";

/** All efforts of reasoning, from none to most; each model accepts some of them. */
export const EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const satisfies Model["efforts"];

/** What the form of an agent offers for its model, or the reason why it does not. */
export interface OfferedSettings {
  readonly efforts: readonly string[];
  readonly withoutEfforts: string | undefined;
  readonly withoutTemperature: string | undefined;
}

/** Returns what a model takes. A model that the catalogue does not describe may take everything. */
export function offeredSettings(model: Model | undefined, { effort }: Pick<AgentDraft, "effort">): OfferedSettings {
  if (model === undefined) return { efforts: EFFORTS, withoutEfforts: undefined, withoutTemperature: undefined };
  const { label, efforts, temperature } = model;
  return {
    efforts,
    withoutEfforts: efforts.length === 0 ? `The reasoning of ${label} cannot be adjusted.` : undefined,
    withoutTemperature:
      temperature === "never"
        ? `${label} does not accept a temperature.`
        : temperature === "with_effort_none" && effort !== "none"
          ? `${label} accepts a temperature only with the reasoning effort none.`
          : undefined,
  };
}
