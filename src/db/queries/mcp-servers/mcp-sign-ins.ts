import type { Role } from "#domain/access/role.ts";
import type { Database, Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

const INSERT_SIGN_IN = statement({
  name: "insert-mcp-sign-in",
  text: `
    insert into mcp_sign_ins (id, workspace_id, server_id, user_id, state_hash, flow_ciphertext, expires_at)
    values ($1, $2, $3, $4, $5, $6, clock_timestamp() + interval '10 minutes')`,
});

/** A sign-in that a person has started. */
export interface McpSignIn {
  readonly id: string;
  readonly workspaceId: string;
  readonly serverId: string;
  readonly userId: string;
  readonly flowCiphertext: string;
}

/** Records the start of a sign-in; it expires after ten minutes. */
export async function insertMcpSignIn(
  tx: Transaction,
  { id, workspaceId, serverId, userId, flowCiphertext, stateHash }: McpSignIn & { readonly stateHash: string },
): Promise<void> {
  await tx.query(INSERT_SIGN_IN, [id, workspaceId, serverId, userId, stateHash, flowCiphertext]);
}

const TAKE_SIGN_IN = statement({
  name: "take-mcp-sign-in",
  text: `
    delete from mcp_sign_ins s using members m
    where s.state_hash = $1 and s.expires_at >= clock_timestamp()
      and m.workspace_id = s.workspace_id and m.user_id = s.user_id
    returning s.id, s.workspace_id as "workspaceId", s.server_id as "serverId", s.user_id as "userId", m.role,
      s.flow_ciphertext as "flowCiphertext"`,
});

/** A sign-in that is about to be finished, with the person's role now. */
export interface TakenMcpSignIn extends McpSignIn {
  readonly role: Role;
}

/** Uses up a state; undefined when it is unknown, used or expired. */
export async function takeMcpSignIn(db: Database, stateHash: string): Promise<TakenMcpSignIn | undefined> {
  const [row] = await db.query<TakenMcpSignIn>(TAKE_SIGN_IN, [stateHash]);
  return row;
}

const DELETE_EXPIRED = statement({
  name: "delete-expired-mcp-sign-ins",
  text: `delete from mcp_sign_ins where expires_at < now()`,
});

/** Deletes the sign-ins that nobody has finished in time. */
export async function deleteExpiredMcpSignIns(db: Database): Promise<void> {
  await db.query(DELETE_EXPIRED);
}

const OWNER_OF_STATE = statement({
  name: "owner-of-mcp-sign-in",
  text: `select user_id as "userId", workspace_id as "workspaceId" from mcp_sign_ins where state_hash = $1`,
});

/** Who started a sign-in, without using it up. */
export async function ownerOfMcpSignIn(
  db: Database,
  stateHash: string,
): Promise<Pick<McpSignIn, "userId" | "workspaceId"> | undefined> {
  const [row] = await db.query<Pick<McpSignIn, "userId" | "workspaceId">>(OWNER_OF_STATE, [stateHash]);
  return row;
}
