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
    with taken as (
      delete from mcp_sign_ins where state_hash = $1 or expires_at < clock_timestamp()
      returning id, workspace_id, server_id, user_id, flow_ciphertext, state_hash, expires_at
    )
    select id, workspace_id as "workspaceId", server_id as "serverId", user_id as "userId",
      flow_ciphertext as "flowCiphertext"
    from taken where state_hash = $1 and expires_at >= clock_timestamp()`,
});

/** Uses up a state; undefined when it is unknown, used or expired. */
export async function takeMcpSignIn(db: Database, stateHash: string): Promise<McpSignIn | undefined> {
  const [row] = await db.query<McpSignIn>(TAKE_SIGN_IN, [stateHash]);
  return row;
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
