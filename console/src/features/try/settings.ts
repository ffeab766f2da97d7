import type { Agent } from "../agents/records.ts";
import type { Change } from "./change-list.tsx";

/** The fields of an agent that Try changes for one reply, and saves as a version. */
export interface Settings {
  readonly system_prompt: string;
  readonly model: string;
  readonly effort: Agent["reasoning"]["effort"];
  readonly temperature: number | null;
}

const LABELS = {
  system_prompt: "Prompt",
  model: "Model",
  effort: "Reasoning effort",
  temperature: "Temperature",
} as const satisfies Readonly<Record<keyof Settings, string>>;

const FIELDS = ["system_prompt", "model", "effort", "temperature"] as const;

/** The settings among an agent's fields. */
export function settingsOf(fields: Pick<Agent, "system_prompt" | "model" | "reasoning" | "temperature">): Settings {
  const { system_prompt, model, reasoning, temperature } = fields;
  return { system_prompt, model, effort: reasoning.effort, temperature };
}

/** The settings that differ, for people. */
export function changesBetween(before: Settings, after: Settings): readonly Change[] {
  return FIELDS.filter((field) => before[field] !== after[field]).map((field) => ({
    label: LABELS[field],
    isText: field === "system_prompt",
    before: textOf(before[field]),
    after: textOf(after[field]),
  }));
}

/** A setting as a text; null is the provider's default. */
function textOf(value: string | number | null): string {
  return value === null ? "the provider’s default" : String(value);
}
