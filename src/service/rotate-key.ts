import type { Logger } from "pino";
import { migrate } from "#db/migrate.ts";
import { changeEncryptionKey } from "#operations/access/change-encryption-key.ts";
import type { Config } from "#config/config.ts";
import { prepareNextKey } from "./encryption-key.ts";
import { openInstance } from "./instance.ts";

/** The result of a key rotation. */
export interface Rotation {
  /** The number of secrets. */
  readonly secrets: number;
  /** The fingerprint of the new key. */
  readonly fingerprint: string;
}

/**
 * Re-encrypts all stored secrets with a new key, while no other process runs, and replaces the old key. After a crash
 * at any point, the next start finds the key that the database then uses.
 * @throws EncryptionKeyError, KeyChangeRejectedError; then nothing was changed
 */
export async function rotateEncryptionKey(config: Config, log: Logger): Promise<Rotation> {
  const instance = await openInstance(config, log);
  try {
    // A process that starts meanwhile waits for the lock, and then finds the new key.
    const { result } = await migrate(instance.url, async () => {
      const next = await prepareNextKey(config);
      const secrets = await changeEncryptionKey(instance.db, { from: instance.secrets, to: next.box });
      await next.take();
      return { secrets, fingerprint: next.box.fingerprint };
    });
    return result;
  } finally {
    await instance.close();
  }
}
