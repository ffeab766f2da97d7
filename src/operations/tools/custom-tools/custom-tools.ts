import {
  CUSTOM_TOOL_PREFIX,
  customToolContext,
  customToolIssues,
  fillPlaceholders,
} from "#domain/tools/custom-tool.ts";
import type { CustomTool, CustomToolPatch } from "#domain/tools/custom-tool.ts";
import { AppError, orNotFound } from "#domain/errors.ts";
import { invalid } from "#domain/invalid.ts";
import { PROMISED_TOOLS, TEAM_TOOLS } from "#domain/tools/tool-name.ts";
import { outlastOutages } from "#db/outlast-outages.ts";
import * as rows from "#db/queries/tools/custom-tools.ts";
import { readRecord } from "#db/queries/tasks/read-record.ts";
import { newId } from "#lib/ids.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import { UnsafeUrlError, checkUrl } from "#lib/safe-fetch/check-url.ts";
import type { Services } from "../../context.ts";
import { checkHeaders, mergeHeaders, openHeaders, encryptHeaders } from "../stored-headers.ts";
import { callCustomTool } from "./call.ts";
import type { CallOutcome } from "./call.ts";
import { argumentIssues } from "./check-schema.ts";
import type { Arguments } from "./request.ts";
import type { Workspace } from "../../workspace.ts";

const found = orNotFound("Tool");

/**
 * Creates a tool whose schema `assertUsableParameters` has accepted. @throws AppError `bad_request`; `conflict` when
 * the workspace has a tool of that name.
 */
export async function createCustomTool(workspace: Workspace, tool: CustomTool): Promise<JsonText> {
  checkTool(workspace, tool);
  const id = newId();
  const { headers, ...fields } = tool;
  const encrypted = encryptHeaders(workspace.secrets, customToolContext(workspace.who.workspaceId, id), headers);
  return workspace.transaction(async (tx) => {
    const owner = { workspaceId: workspace.who.workspaceId, createdBy: workspace.who.userId };
    await rows.insertCustomTool(tx, { ...fields, ...encrypted, ...owner, id });
    return found(await readRecord(tx, "custom_tool", id));
  });
}

/** Reads a tool, without the values of its headers. @throws AppError `not_found`. */
export async function getCustomTool(workspace: Workspace, id: string): Promise<JsonText> {
  return found(await readRecord(workspace, "custom_tool", id));
}

/**
 * Changes the given fields of a tool; `assertUsableParameters` has accepted them. Runs in progress use the changed tool
 * from then on.
 * @throws AppError `not_found`; `bad_request`; `conflict` when another tool has the name.
 */
export async function updateCustomTool(
  workspace: Workspace,
  { id, patch }: { readonly id: string; readonly patch: CustomToolPatch },
): Promise<JsonText> {
  const context = customToolContext(workspace.who.workspaceId, id);
  return workspace.transaction(async (tx) => {
    const current = found(await rows.lockCustomTool(tx, id));
    const { headers: given, ...changes } = patch;
    const tool = { ...current, ...changes };
    checkTool(workspace, tool);
    const old = openHeaders(workspace.secrets, context, current);
    const encrypted = given && encryptHeaders(workspace.secrets, context, checkHeaders(mergeHeaders(given, old)));
    await rows.updateCustomTool(tx, { ...tool, ...encrypted });
    return found(await readRecord(tx, "custom_tool", id));
  });
}

/** Deletes a tool and its log. @throws AppError `not_found`; `conflict` naming the agents that list it. */
export async function deleteCustomTool(workspace: Workspace, id: string): Promise<void> {
  await workspace.transaction(async (tx) => {
    found(await rows.lockCustomTool(tx, id));
    const agents = await rows.agentsWithTool(tx, workspace.who.workspaceId, CUSTOM_TOOL_PREFIX + id);
    if (agents.length > 0) {
      throw new AppError("conflict", `The tool is used by ${agents.join(", ")}; remove it there first.`);
    }
    await rows.deleteCustomTool(tx, id);
  });
}

/**
 * Calls a tool as an agent would. @throws AppError `not_found`; `bad_request` for invalid arguments; as {@link
 * argumentIssues}.
 */
export async function testCustomTool(
  workspace: Workspace,
  test: { readonly id: string; readonly args: Arguments; readonly signal: AbortSignal },
): Promise<CallOutcome> {
  const [row] = await rows.readCustomTools(workspace, [test.id]);
  const tool = found(row);
  const issues = await argumentIssues(workspace, { ...tool, workspaceId: workspace.who.workspaceId }, test.args);
  if (issues.length > 0) {
    throw invalid(
      "body",
      issues.map(({ path, message }) => ({ path: path === "" ? "arguments" : `arguments.${path}`, message })),
    );
  }
  const { args, signal } = test;
  return callCustomTool({ ...workspace, db: outlastOutages(workspace.db) }, workspace.who, {
    tool,
    args,
    signal,
    subjectId: null,
    idempotencyKey: newId(),
  });
}

function checkTool(services: Services, tool: Pick<CustomTool, "name" | "url" | "parameters">): void {
  const issues = [...customToolIssues(tool)];
  const taken = new Set([...services.toolNames, ...PROMISED_TOOLS, ...TEAM_TOOLS]);
  if (taken.has(tool.name)) issues.push({ path: "name", message: "is the name of a built-in tool" });
  const issue = issues.length === 0 ? urlIssue(services, tool.url) : undefined;
  if (issue !== undefined) issues.push({ path: "url", message: issue });
  if (issues.length > 0) throw invalid("body", issues);
}

/** Checks what is known before any call; each call checks again. */
function urlIssue({ allowPrivateUrls }: Services, url: string): string | undefined {
  try {
    checkUrl(
      fillPlaceholders(url, () => "x"),
      allowPrivateUrls ? "private" : "public",
    );
    return undefined;
  } catch (error) {
    if (error instanceof UnsafeUrlError) return error.message;
    throw error;
  }
}
