import type { Transaction } from "../../database.ts";
import { Statement, statement } from "../../statement.ts";

/** All encrypted columns: the table, the column that identifies a row in its workspace, and the encrypted column. */
const PLACES = {
  provider_key: ["provider_keys", "provider", "ciphertext"],
  webhook_subscription: ["webhook_subscriptions", "id::text", "secret_ciphertext"],
  trigger: ["triggers", "id::text", "secret_ciphertext"],
  previous_webhook_secret: ["webhook_subscriptions", "id::text", "previous_secret_ciphertext"],
  output_route: ["output_routes", "id::text", "secrets_ciphertext"],
  google_connection: ["google_connections", "workspace_id::text", "tokens_ciphertext"],
  trello_channel: ["trello_channels", "id::text", "secret_ciphertext"],
  trello_credentials: ["trello_channels", "id::text", "credentials_ciphertext"],
  custom_tool: ["custom_tools", "id::text", "headers_ciphertext"],
  mcp_server: ["mcp_servers", "id::text", "headers_ciphertext"],
  remote_agent: ["remote_agents", "id::text", "token_ciphertext"],
  push_config: ["push_configs", "id::text", "secrets_ciphertext"],
  idempotent_answer: ["idempotent_answers", "key", "body_ciphertext"],
} as const;

/** The owner of a secret. */
export type SecretKind = keyof typeof PLACES;

/** A stored secret. */
export interface EncryptedSecret {
  readonly kind: SecretKind;
  readonly workspaceId: string;
  /** Identifies its row in the workspace: an id, or a provider's or response's key. */
  readonly name: string;
  readonly encrypted: string;
}

// A cursor shows the rows as of its opening, regardless of later writes.
const OPEN = statement({
  name: "open-encrypted-secrets",
  text: `declare encrypted_secrets cursor for ${Object.entries(PLACES)
    .map(
      ([kind, [table, name, column]]) => `
        select '${kind}' as kind, workspace_id as "workspaceId", ${name} as name, ${column} as encrypted
        from ${table} where ${column} is not null`,
    )
    .join(" union all ")}`,
});
/** Can only be described while the cursor is open. */
const FETCH = new Statement<EncryptedSecret>({
  name: "fetch-encrypted-secrets",
  text: `fetch 500 from encrypted_secrets`,
});
const CLOSE = statement({ name: "close-encrypted-secrets", text: `close encrypted_secrets` });

const rewrites = Object.entries(PLACES).map(
  ([kind, [table, name, column]]) =>
    new Statement({
      name: `rewrite-${kind}`,
      text: `
        update ${table} k set ${column} = s.encrypted
        from json_to_recordset($1) as s(kind text, "workspaceId" uuid, name text, encrypted text)
        where s.kind = '${kind}' and k.workspace_id = s."workspaceId" and k.${name} = s.name`,
    }),
);

/**
 * Replaces every encrypted secret of the instance by the result of `reencrypt`, some hundred at a time.
 * @returns the number of secrets
 */
export async function rewriteEncryptedSecrets(
  tx: Transaction,
  reencrypt: (secret: EncryptedSecret) => string,
): Promise<number> {
  await tx.query(OPEN);
  let count = 0;
  for (;;) {
    const secrets = await tx.query<EncryptedSecret>(FETCH);
    if (secrets.length === 0) break;
    const reencrypted = JSON.stringify(secrets.map((secret) => ({ ...secret, encrypted: reencrypt(secret) })));
    for (const rewrite of rewrites) await tx.query(rewrite, [reencrypted]);
    count += secrets.length;
  }
  await tx.query(CLOSE);
  return count;
}
