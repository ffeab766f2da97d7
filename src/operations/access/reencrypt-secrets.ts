import type { Database } from "#db/database.ts";
import { rewriteOlderSecrets } from "#db/queries/access/encrypted-secrets.ts";
import type { EncryptedSecret, SecretKind } from "#db/queries/access/encrypted-secrets.ts";
import { pushDeviceContext, vapidKeyContext } from "#domain/accounts/push-device.ts";
import { customToolContext } from "#domain/tools/custom-tool.ts";
import { googleTokensContext } from "#domain/destinations/google-account.ts";
import { channelSecretContext } from "#domain/destinations/trello-channel.ts";
import { routeSecretContext } from "#domain/destinations/output-route.ts";
import { triggerSecretContext } from "#domain/schedules/trigger.ts";
import { hookSecretContext } from "#domain/destinations/webhook.ts";
import { UnreadableSecretError } from "#lib/security/secret-box.ts";
import type { SecretBox } from "#lib/security/secret-box.ts";
import { mcpAccountContext, mcpClientContext, mcpSignInContext } from "#domain/tools/mcp-account.ts";
import { mcpServerContext } from "#domain/tools/mcp-server.ts";
import { remoteAgentContext } from "#domain/tools/remote-agent.ts";
import { answerContext } from "./answer-once.ts";
import { providerKeyContext } from "./provider-keys.ts";
import { pushConfigContext } from "#domain/destinations/push-config.ts";

/** The row to which each kind of secret is bound. */
const CONTEXT: Readonly<Record<SecretKind, (workspaceId: string, name: string) => string>> = {
  provider_key: providerKeyContext,
  webhook_subscription: hookSecretContext,
  previous_webhook_secret: hookSecretContext,
  output_route: routeSecretContext,
  google_connection: googleTokensContext,
  trello_channel: channelSecretContext,
  trello_credentials: channelSecretContext,
  trigger: triggerSecretContext,
  custom_tool: customToolContext,
  mcp_server: mcpServerContext,
  mcp_client: mcpClientContext,
  mcp_account: mcpAccountContext,
  mcp_sign_in: mcpSignInContext,
  remote_agent: remoteAgentContext,
  push_config: pushConfigContext,
  idempotent_answer: answerContext,
  push_device: (_workspaceId, id) => pushDeviceContext(id),
  vapid_key: (_workspaceId, publicKey) => vapidKeyContext(publicKey),
  request_role: (_workspaceId, name) => name,
};

/** The context of a secret of a workspace, which binds it to its row. @param name identifies the row in the workspace */
export function secretContext(kind: SecretKind, workspaceId: string, name: string): string {
  return CONTEXT[kind](workspaceId, name);
}

/** The result of {@link reencryptSecrets}. */
export interface Reencrypted {
  /** The number of secrets that have changed their key. */
  readonly count: number;
  /** The secrets that cannot be decrypted, by kind and row; they are as before. */
  readonly unreadable: readonly string[];
}

/**
 * Re-encrypts the secrets of all generations before this one, while others read and change them. It can be stopped at
 * any time, and called again.
 * @param onBatch receives the number of re-encrypted secrets so far
 */
export async function reencryptSecrets(
  db: Database,
  {
    secrets,
    generation,
    onBatch,
  }: { readonly secrets: SecretBox; readonly generation: number; readonly onBatch: (count: number) => void },
): Promise<Reencrypted> {
  const unreadable: string[] = [];
  let count = 0;
  function reencrypt({ kind, workspaceId, name, encrypted }: EncryptedSecret): string | null {
    const context = secretContext(kind, workspaceId, name);
    try {
      return secrets.encrypt(secrets.open(encrypted, context), context);
    } catch (error) {
      if (!(error instanceof UnreadableSecretError)) throw error;
      unreadable.push(`${kind}, ${context}`);
      return null;
    }
  }
  await rewriteOlderSecrets(db, {
    generation,
    reencrypt,
    onBatch(added) {
      count += added;
      onBatch(count);
    },
  });
  return { count, unreadable };
}
