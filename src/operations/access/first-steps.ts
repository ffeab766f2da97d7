import { readMadeFirst } from "#db/queries/access/first-steps.ts";
import type { Workspace } from "../workspace.ts";

/** The first steps in a workspace, in their order. */
export const FIRST_STEPS = ["agent", "run", "model", "destination", "person"] as const;

/** One of {@link FIRST_STEPS}, and whether the workspace has what it makes. */
export interface FirstStep {
  readonly id: (typeof FIRST_STEPS)[number];
  readonly done: boolean;
}

/** The provider that needs no key. */
const DEMO = "demo";

/** Tells which of the first steps the workspace has taken. */
export async function listFirstSteps(workspace: Workspace): Promise<readonly FirstStep[]> {
  const made = await workspace.transaction(readMadeFirst);
  const providers = await workspace.providers.list(workspace.who.workspaceId);
  const model = providers.some(({ id, obstacle }) => id !== DEMO && obstacle === undefined);
  return FIRST_STEPS.map((id) => ({ id, done: { ...made, model }[id] }));
}
