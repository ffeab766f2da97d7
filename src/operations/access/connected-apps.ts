import { z } from "zod";
import { KEY_SCOPES, generateKey, hashKey } from "#domain/access/api-key.ts";
import type { AppRequest } from "#domain/access/connected-app.ts";
import type { PublishedAgent } from "#domain/tools/mcp-tools.ts";
import { listMcpAgents } from "#db/queries/agents/agents.ts";
import { AppError, orNotFound } from "#domain/errors.ts";
import { givenId } from "#domain/given-id.ts";
import { invalid } from "#domain/invalid.ts";
import { includesRole } from "#domain/access/role.ts";
import { insertKey } from "#db/queries/access/first-start.ts";
import * as rows from "#db/queries/access/connected-apps.ts";
import { keepOAuthClient, revokeAppKey } from "#db/queries/access/oauth-records.ts";
import { listWorkspaces } from "#db/queries/access/workspaces.ts";
import type { WorkspaceRecord } from "#db/queries/access/workspaces.ts";
import { needsPasskey } from "../accounts/session-ring.ts";
import type { SignedIn } from "../accounts/session-ring.ts";
import type { Services } from "../context.ts";
import type { Workspace } from "../workspace.ts";
import { MAX_REACH, checkReach, reachable } from "./keys.ts";

/** The body of POST /auth/app-requests/{uid}. */
export const appDecision = z.discriminatedUnion("decision", [
  z.strictObject({ decision: z.literal("deny") }),
  z.strictObject({
    decision: z.literal("allow"),
    workspace_id: givenId.describe("The workspace that the app may use: one of yours."),
    scopes: z
      .array(z.enum(KEY_SCOPES))
      .min(1)
      .transform((scopes) => KEY_SCOPES.filter((scope) => scope === "read" || scopes.includes(scope)))
      .describe("What it may do, of the scopes that it asked for: read, or also write, which starts work."),
    agents: reachable.default(null).describe("The agents to which it is limited, by id; null for no limit."),
  }),
]);

/** What a person allows. */
export type AppConsent = Omit<Extract<z.output<typeof appDecision>, { decision: "allow" }>, "decision">;

/** The prefix that lists show of a key whose text nobody has. */
const PREFIX = "oauth";

/**
 * Connects an app: creates a key in the person's name, which the app's tokens stand for.
 * @throws AppError `not_found` for a workspace that is not the person's; `forbidden` for one that requires a passkey; `bad_request` for an agent
 * that it does not have, and a scope that the app did not ask for.
 */
export async function connectApp(
  services: Pick<Services, "db">,
  who: SignedIn,
  { request, consent }: { readonly request: AppRequest; readonly consent: AppConsent },
): Promise<void> {
  const { db } = services;
  const { client, keyId: id } = request;
  const { workspace_id: workspaceId, scopes, agents } = consent;
  const others = scopes.filter((scope) => !request.scopes.includes(scope));
  if (others.length > 0)
    throw invalid("body", [{ path: "scopes", message: `the app did not ask for ${others.join(", ")}` }]);
  orNotFound("Workspace")((await workspacesOf(services, who)).find(({ id }) => id === workspaceId));
  if (who.closedIn.includes(workspaceId)) throw needsPasskey();
  // Who decides again, before the app has heard of it, replaces the first decision, also in another workspace.
  await revokeAppKey(db, id);
  // Only admins manage keys; an app's key is its person's own, so each member may create and delete those.
  await db.inWorkspace({ workspaceId, userId: who.userId, role: "admin" }).transaction(async (tx) => {
    await checkReach(tx, { agents });
    await insertKey(tx, {
      id,
      workspaceId,
      createdBy: who.userId,
      kind: "mcp",
      label: client.name,
      keyHash: hashKey(generateKey("mcp")),
      prefix: PREFIX,
      scopes,
      expiresAt: null,
      limits: { agents },
      app: client,
    });
  });
  await keepOAuthClient(db, hashKey(client.client_id));
}

/** A workspace to which a person can connect an app, and the agents that the app then sees. */
export interface ConnectableWorkspace extends Pick<WorkspaceRecord, "id" | "name" | "role"> {
  readonly agents: readonly Pick<PublishedAgent, "id" | "name">[];
}

/**
 * The workspaces to which a person can connect an app, oldest first, with their published agents. Of one that requires a
 * passkey which the session does not have, it shows none.
 */
export async function connectableWorkspaces(
  services: Pick<Services, "db">,
  who: SignedIn,
): Promise<ConnectableWorkspace[]> {
  const workspaces = await workspacesOf(services, who);
  return Promise.all(
    workspaces.map(async ({ id, name, role }) => {
      const isClosed = who.closedIn.includes(id);
      const own = services.db.inWorkspace({ workspaceId: id, userId: who.userId, role });
      const agents = isClosed ? [] : await listMcpAgents(own);
      return {
        id,
        name,
        role,
        agents: agents.slice(0, MAX_REACH).map((agent) => ({ id: agent.id, name: agent.name })),
      };
    }),
  );
}

function workspacesOf({ db }: Pick<Services, "db">, who: SignedIn): Promise<WorkspaceRecord[]> {
  return listWorkspaces(db, who.userId);
}

/** Lists connected apps, newest first: the caller's own, for admins all of the workspace. */
export function listApps(workspace: Workspace): Promise<readonly rows.AppRecord[]> {
  return rows.listApps(workspace, includesRole(workspace.who.role, "admin"));
}

/**
 * Disconnects an app, immediately and in every process: its calls and tokens end.
 * @throws AppError `not_found`, also for another person's app unless the caller is an admin.
 */
export async function disconnectApp(workspace: Workspace, id: string): Promise<void> {
  const { db, who, keys } = workspace;
  if (who.keyId !== null && !includesRole(who.role, "admin")) {
    throw new AppError("forbidden", "A key without the role admin disconnects no apps.");
  }
  const own = includesRole(who.role, "admin") ? null : who.userId;
  const admin = db.inWorkspace({ ...who, role: "admin" });
  const hash = orNotFound("App")(await admin.transaction((tx) => rows.deleteApp(tx, id, own)));
  keys.evict(hash);
}
