import type { Database } from "#db/database.ts";
import { ENCRYPTION_KEY_FINGERPRINT, readSetting, writeSetting } from "#db/queries/access/first-start.ts";
import { countOtherProcesses } from "#db/queries/queue/processes.ts";
import { rewriteEncryptedSecrets } from "#db/queries/access/encrypted-secrets.ts";
import type { SecretKind } from "#db/queries/access/encrypted-secrets.ts";
import { customToolContext } from "#domain/tools/custom-tool.ts";
import { googleTokensContext } from "#domain/destinations/google-account.ts";
import { channelSecretContext } from "#domain/destinations/trello-channel.ts";
import { routeSecretContext } from "#domain/destinations/output-route.ts";
import { triggerSecretContext } from "#domain/schedules/trigger.ts";
import { hookSecretContext } from "#domain/destinations/webhook.ts";
import type { SecretBox } from "#lib/security/secret-box.ts";
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
  remote_agent: remoteAgentContext,
  push_config: pushConfigContext,
  idempotent_answer: answerContext,
};

/** The encryption key cannot be changed now; the message says why. */
export class KeyChangeRejectedError extends Error {
  override readonly name = "KeyChangeRejectedError";
}

/**
 * Re-encrypts every stored secret with another key and stores the new key's fingerprint, in one transaction. The
 * database therefore always belongs to exactly one key.
 * @returns the number of secrets
 * @throws KeyChangeRejectedError while other processes use the database, when the key was changed meanwhile, or when a
 * secret cannot be decrypted.
 */
export function changeEncryptionKey(
  db: Database,
  { from, to }: { readonly from: SecretBox; readonly to: SecretBox },
): Promise<number> {
  return db.transaction(async (tx) => {
    const others = await countOtherProcesses(tx);
    if (others > 0) {
      throw new KeyChangeRejectedError(
        `${others} other process${others === 1 ? " uses" : "es use"} this database with the old key. Stop the service everywhere first.`,
      );
    }
    if ((await readSetting(tx, ENCRYPTION_KEY_FINGERPRINT)) !== from.fingerprint) {
      throw new KeyChangeRejectedError("Another process has just changed the key of this database.");
    }
    await writeSetting(tx, ENCRYPTION_KEY_FINGERPRINT, to.fingerprint);
    return rewriteEncryptedSecrets(tx, ({ kind, workspaceId, name, encrypted }) => {
      const context = CONTEXT[kind](workspaceId, name);
      return to.encrypt(opened(from, { kind, encrypted, context }), context);
    });
  });
}

function opened(
  box: SecretBox,
  { kind, encrypted, context }: { readonly kind: SecretKind; readonly encrypted: string; readonly context: string },
): string {
  try {
    return box.open(encrypted, context);
  } catch (cause) {
    const message = `A stored secret (${kind}, ${context}) cannot be decrypted with the old key: delete it, or restore the correct value.`;
    throw new KeyChangeRejectedError(message, { cause });
  }
}
