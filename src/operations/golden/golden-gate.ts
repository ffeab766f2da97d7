import { requireRole } from "#domain/access/role.ts";
import { AppError, orNotFound } from "#domain/errors.ts";
import type { GoldenPublish, GoldenRequired } from "#domain/golden/golden-run.ts";
import { readGate, writeGate } from "#db/queries/golden/golden-gates.ts";
import type { GateRow } from "#db/queries/golden/golden-gates.ts";
import { updateAgent } from "../agents/agents.ts";
import type { WrittenAgent } from "../agents/agents.ts";
import type { Workspace } from "../workspace.ts";
import { candidateOf } from "./candidate.ts";

const found = orNotFound("Agent");

/** An agent's gate. */
export interface Gate {
  readonly required: GoldenRequired;
  readonly cases: number;
  /** Why the agent as it is does not meet it; null if it does. */
  readonly fault: string | null;
}

/** Reads an agent's gate. @throws AppError `not_found`. */
export async function getGate(workspace: Workspace, agentId: string): Promise<Gate> {
  return gateOf(found(await readGate(workspace, agentId)));
}

/**
 * Sets what a change of an agent must pass before it is stored.
 * @throws AppError `not_found`; `conflict` when the agent has fewer cases than it would need.
 */
export async function setGate(
  workspace: Workspace,
  { agentId, required }: { readonly agentId: string; readonly required: GoldenRequired },
): Promise<Gate> {
  requireRole(workspace.who, "admin");
  return workspace.transaction(async (tx) => {
    const { cases } = found(await readGate(tx, agentId));
    const needed = required === "none" ? 0 : required === "all" ? 1 : required;
    if (cases < needed) {
      const message = `This agent has ${cases} golden cases, so no version could pass ${needed}: keep runs as golden first.`;
      throw new AppError("conflict", message);
    }
    await writeGate(tx, agentId, required);
    return gateOf(found(await readGate(tx, agentId)));
  });
}

function gateOf({ required, cases, fault }: GateRow): Gate {
  const isNumber = required !== null && /^\d/.test(required);
  return { required: isNumber ? Number(required) : required === "all" ? "all" : "none", cases, fault };
}

/**
 * Stores a candidate as the agent's newest version.
 * @throws AppError as a change of the agent; `conflict` when it does not meet the gate; `forbidden` for an override by
 * another than an admin.
 */
export async function publishCandidate(
  workspace: Workspace,
  agentId: string,
  { override, ...candidate }: GoldenPublish,
): Promise<WrittenAgent> {
  if (override !== undefined) requireRole(workspace.who, "admin");
  const patch = await candidateOf(workspace, agentId, candidate);
  return updateAgent(workspace, { id: agentId, patch, override });
}
