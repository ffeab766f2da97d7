import { agentPatch } from "#domain/agents/agent.ts";
import type { FieldChange, VersionFields } from "#domain/agents/agent-version.ts";
import { AppError, orNotFound } from "#domain/errors.ts";
import { issuesOf } from "#domain/invalid.ts";
import { plainMessage } from "#domain/plain-messages.ts";
import * as rows from "#db/queries/agents/agent-versions.ts";
import type { VersionPage, VersionRef } from "#db/queries/agents/agent-versions.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import { updateAgent } from "./agents.ts";
import { checkAgent } from "./check-agent.ts";
import type { Workspace } from "../workspace.ts";

const found = orNotFound("Version");

/** Lists the versions of an agent, newest first, older than `before`. @throws AppError `not_found`. */
export async function listAgentVersions(
  workspace: Workspace,
  page: { readonly id: string; readonly limit: number; readonly before: number | undefined },
): Promise<VersionPage> {
  return orNotFound("Agent")(await rows.listVersions(workspace, page));
}

/** Reads a version with its fields. @throws AppError `not_found`. */
export async function getAgentVersion(workspace: Workspace, ref: VersionRef): Promise<JsonText> {
  return found(await rows.readVersion(workspace, ref));
}

/** Two versions of an agent and their differences. */
export interface VersionDiff {
  readonly from: number;
  readonly to: number;
  readonly changes: readonly FieldChange[];
}

/**
 * Compares a version with another one, by default the previous one; the first version is compared with itself.
 * @throws AppError `not_found` for either.
 */
export async function diffAgentVersions(
  workspace: Workspace,
  { id, version, against = Math.max(1, version - 1) }: VersionRef & { readonly against?: number | undefined },
): Promise<VersionDiff> {
  const [before, after] = await Promise.all(
    [against, version].map(async (each) => found(await rows.readFields(workspace, { id, version: each }))),
  );
  const { diffVersions } = await import("#domain/agents/agent-version.ts");
  return { from: against, to: version, changes: diffVersions(before ?? {}, after ?? {}) };
}

/**
 * Restores an agent's fields from a version. If that changes anything, it creates a new version. A saved voice or
 * template that was deleted is left out.
 * @throws AppError `not_found`; `conflict` when the old fields are no longer valid; `bad_request` when no provider has
 * its model any more.
 */
export async function restoreAgentVersion(workspace: Workspace, ref: VersionRef): Promise<JsonText> {
  const fields: VersionFields = found(await rows.readRestorable(workspace, ref));
  const patch = agentPatch.safeParse(fields, { error: plainMessage });
  if (!patch.success) {
    throw new AppError("conflict", `Version ${ref.version} does not satisfy today's rules and cannot be restored.`, {
      details: issuesOf(patch.error),
    });
  }
  const checked = await checkAgent(workspace, patch.data);
  return (await updateAgent(workspace, { id: ref.id, patch: checked })).record;
}
