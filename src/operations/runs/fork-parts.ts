import { AppError } from "#domain/errors.ts";
import type { ModelCatalogue } from "#domain/models/model-catalogue.ts";
import type { ForkCreate } from "#domain/teams/run-fork.ts";
import type { NewFile } from "#db/queries/files/files.ts";
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

/** Another model for an agent. An agent on an endpoint of the workspace keeps it. */
export function withModel(
  catalogue: ModelCatalogue,
  { model, provider }: { readonly model: string; readonly provider: string },
) {
  const served = resolveProvider(catalogue, { model, provider: keptProvider(catalogue, model, provider) }, "changes.");
  return { model, provider: served.provider, version: null };
}
