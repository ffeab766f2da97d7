import type { AgentChanges } from "#domain/agents/agent-changes.ts";
import { AppError } from "#domain/errors.ts";
import { invalid } from "#domain/invalid.ts";
import type { ModelCatalogue } from "#domain/models/model-catalogue.ts";
import type { ForkChanges, ForkCreate } from "#domain/teams/run-fork.ts";
import type { ModelUse } from "#db/queries/agents/agents.ts";
import type { NewFile } from "#db/queries/files/files.ts";
import { effortIssue } from "../models/check-models.ts";
import { keptProvider, resolveProvider } from "../models/resolve-provider.ts";

/** The fork to create. */
export interface Fork {
  /** The run to fork. */
  readonly sourceId: string;
  /** Its attempt to fork. */
  readonly attempt: number;
  /** Its inputs, copied by {@link copyInputs} before any transaction. */
  readonly copies: readonly NewFile[];
}

/** How far an attempt came that is forked. */
export interface ForkedAttempt {
  readonly status: string;
  /** The step that it has reached, of a task the model call: all earlier ones are finished. */
  readonly reached: number;
  /** Whether it has finished steps that are no longer stored. */
  readonly isPurged: boolean;
}

/** Says what to fork, once the attempt is known. @throws AppError when it cannot be forked so. */
export type RequestOf = (source: ForkedAttempt) => ForkCreate;

/** The error of a fork without the steps that it would take over. */
export function stepsGone(kind: "task" | "run", attempt: number): AppError {
  return new AppError(
    "conflict",
    `The steps of attempt ${attempt} of this ${kind} are no longer stored; run it again.`,
  );
}

/** The changes that replace fields of agents. */
export type SettingChanges = Pick<ForkChanges, "model" | "effort" | "temperature" | "system_prompt">;

/**
 * Returns the values that a fork gives an agent; undefined when it gives none. An agent on an endpoint of the workspace
 * keeps it.
 * @param agent how it would call its model without them
 * @throws AppError `bad_request` when no provider knows the model, or it does not accept the effort
 */
export function changedAgent(
  catalogue: ModelCatalogue,
  agent: ModelUse,
  { model, effort, temperature, system_prompt }: SettingChanges,
): AgentChanges | undefined {
  const served = model === undefined ? {} : { model, provider: providerFor(catalogue, model, agent.provider) };
  const reasoning = effort === undefined ? undefined : { ...agent.reasoning, effort };
  const issue = reasoning && effortIssue(catalogue, { ...agent, ...served, reasoning });
  if (issue !== undefined) throw invalid("body", [{ ...issue, path: "changes.effort" }]);
  const changes = {
    ...served,
    ...(reasoning && { reasoning }),
    ...(temperature !== undefined && { temperature }),
    ...(system_prompt !== undefined && { system_prompt }),
  };
  return Object.keys(changes).length === 0 ? undefined : { ...changes, version: null };
}

function providerFor(catalogue: ModelCatalogue, model: string, current: string): string {
  return resolveProvider(catalogue, { model, provider: keptProvider(catalogue, model, current) }, "changes.").provider;
}
