import type { Queries, Transaction } from "../../database.ts";
import { retryOutage } from "../../retry-outage.ts";
import { Statement, statement } from "../../statement.ts";

interface Place {
  readonly table: string;
  /** What identifies a row in its workspace, in SQL. */
  readonly name: string;
  /** The encrypted column. */
  readonly column: string;
  /** False for secrets of the instance and of persons. */
  readonly hasWorkspace?: boolean;
  /** The rows whose column is encrypted, in SQL. */
  readonly where?: string;
}

/** The names of settings that hold the password of a login role; the role's name follows. */
export const ROLE_PASSWORD = "request_role_password:";

/** All that is stored encrypted. */
const PLACES = {
  provider_key: { table: "provider_keys", name: "provider", column: "ciphertext" },
  webhook_subscription: { table: "webhook_subscriptions", name: "id::text", column: "secret_ciphertext" },
  trigger: { table: "triggers", name: "id::text", column: "secret_ciphertext" },
  previous_webhook_secret: {
    table: "webhook_subscriptions",
    name: "id::text",
    column: "previous_secret_ciphertext",
  },
  output_route: { table: "output_routes", name: "id::text", column: "secrets_ciphertext" },
  google_connection: { table: "google_connections", name: "workspace_id::text", column: "tokens_ciphertext" },
  trello_channel: { table: "trello_channels", name: "id::text", column: "secret_ciphertext" },
  trello_credentials: { table: "trello_channels", name: "id::text", column: "credentials_ciphertext" },
  custom_tool: { table: "custom_tools", name: "id::text", column: "headers_ciphertext" },
  mcp_server: { table: "mcp_servers", name: "id::text", column: "headers_ciphertext" },
  mcp_client: { table: "mcp_servers", name: "id::text", column: "client_ciphertext" },
  mcp_account: { table: "mcp_accounts", name: "id::text", column: "tokens_ciphertext" },
  mcp_sign_in: { table: "mcp_sign_ins", name: "id::text", column: "flow_ciphertext" },
  remote_agent: { table: "remote_agents", name: "id::text", column: "token_ciphertext" },
  push_config: { table: "push_configs", name: "id::text", column: "secrets_ciphertext" },
  idempotent_answer: { table: "idempotent_answers", name: "key", column: "body_ciphertext" },
  push_device: { table: "push_devices", name: "id::text", column: "target_ciphertext", hasWorkspace: false },
  vapid_key: { table: "vapid_keys", name: "public_key", column: "private_ciphertext", hasWorkspace: false },
  request_role: {
    table: "instance_settings",
    name: "key",
    column: "value",
    hasWorkspace: false,
    where: `key like '${ROLE_PASSWORD}%'`,
  },
} as const satisfies Record<string, Place>;

/** The owner of a secret. */
export type SecretKind = keyof typeof PLACES;

/** An encrypted column of a table of workspaces. */
export interface SecretColumn {
  readonly kind: SecretKind;
  readonly table: string;
  readonly column: string;
  /** The column that identifies a row in its workspace. */
  readonly name: string;
}

/** The encrypted columns of workspaces. */
export function secretColumns(): SecretColumn[] {
  return Object.entries<Place>(PLACES).flatMap(([kind, { table, column, name, hasWorkspace = true }]) =>
    hasWorkspace && isKind(kind) ? [{ kind, table, column, name: name.replace("::text", "") }] : [],
  );
}

function isKind(name: string): name is SecretKind {
  return name in PLACES;
}

/** A stored secret. */
export interface EncryptedSecret {
  readonly kind: SecretKind;
  /** Empty for a secret of the instance. */
  readonly workspaceId: string;
  /** Identifies its row in the workspace: an id, or a provider's or response's key. */
  readonly name: string;
  readonly encrypted: string;
}

const NO_WORKSPACE = "'00000000-0000-0000-0000-000000000000'::uuid";
/** Secrets read and written together. */
const BATCH = 500;

const kinds = Object.entries<Place>(PLACES).map(([kind, place]) => {
  const { table, name, column, hasWorkspace = true, where = "true" } = place;
  const workspace = hasWorkspace ? "workspace_id" : NO_WORKSPACE;
  return {
    table,
    select: `
      select '${kind}' as kind, ${workspace} as "workspaceId", ${name} as name, ${column} as encrypted
      from ${table} where ${column} is not null and ${where} and data_key_of(${column}) < $1`,
    rewrite: new Statement({
      name: `rewrite-${kind}`,
      text: `
        update ${table} k set ${column} = s.encrypted
        from json_to_recordset($1) as s("workspaceId" uuid, name text, "from" text, encrypted text)
        where ${hasWorkspace ? 'k.workspace_id = s."workspaceId" and ' : ""}k.${name} = s.name and k.${column} = s."from"`,
    }),
    page: new Statement<EncryptedSecret>({
      name: `page-${kind}`,
      text: `
        select '${kind}' as kind, ${workspace} as "workspaceId", ${name} as name, ${column} as encrypted
        from ${table}
        where ${column} is not null and ${where} and data_key_of(${column}) < $1
          and (${workspace}, ${name}) > ($2::uuid, $3::text)
        order by ${workspace}, ${name} limit ${BATCH}`,
    }),
  };
});

const COUNT = statement({
  name: "count-older-secrets",
  text: `select count(*)::integer as count from (${kinds.map(({ select }) => select).join(" union all ")}) s`,
});

/** Counts the secrets that a generation before this one encrypts. */
export async function countOlderSecrets(db: Queries, generation: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(COUNT, [generation]);
  return row?.count ?? 0;
}

/** A secret with its new form; null leaves it as it is. */
export type Reencrypt = (secret: EncryptedSecret) => string | null;

/**
 * Replaces the secrets that generations before this one encrypt, some hundred in a statement. A secret that is changed
 * meanwhile keeps its change.
 * @param onBatch receives the number of secrets after each statement
 */
export async function rewriteOlderSecrets(
  db: Queries,
  {
    generation,
    reencrypt,
    onBatch,
  }: {
    readonly generation: number;
    readonly reencrypt: Reencrypt;
    readonly onBatch: (count: number) => void;
  },
): Promise<void> {
  for (const { page, rewrite } of kinds) {
    let last = { workspaceId: "00000000-0000-0000-0000-000000000000", name: "" };
    for (;;) {
      const secrets = await db.query<EncryptedSecret>(page, [generation, last.workspaceId, last.name]);
      const final = secrets.at(-1);
      if (final === undefined) break;
      const rewritten = secrets.flatMap((secret) => {
        const encrypted = reencrypt(secret);
        return encrypted === null ? [] : [{ ...secret, from: secret.encrypted, encrypted }];
      });
      // A locked row is waited for; safe to repeat.
      await retryOutage(() => db.query(rewrite, [JSON.stringify(rewritten)]));
      onBatch(rewritten.length);
      last = final;
    }
  }
}

const LOCK = statement({
  name: "lock-encrypted-secrets",
  text: `lock table ${[...new Set(kinds.map(({ table }) => table))].join(", ")} in share row exclusive mode`,
});

/** Until the transaction ends, no secret is written by others. */
export async function lockSecrets(tx: Transaction): Promise<void> {
  await tx.query(LOCK);
}
