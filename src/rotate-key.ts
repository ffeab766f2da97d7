import type { Logger } from "pino";
import { migrate } from "#db/migrate.ts";
import { changeEncryptionKey } from "#operations/access/change-encryption-key.ts";
import type { Config } from "./config.ts";
import { prepareNextKey } from "./encryption-key.ts";
import { openInstance } from "./instance.ts";

/** What became of the stored secrets. */
export interface Rotation {
  /** How many there were. */
  readonly secrets: number;
  /** Names the new key. */
  readonly fingerprint: string;
}

/**
 * Encrypts all stored secrets with a new key, while no other process runs, and puts it in the place of the old one. If it
 * dies at any moment, the next start finds the key that the database then has.
 * @throws EncryptionKeyError, KeyChangeRejectedError; nothing is changed then.
 */
export async function rotateEncryptionKey(config: Config, log: Logger): Promise<Rotation> {
  const instance = await openInstance(config, log);
  try {
    // Who starts meanwhile waits for the lock, and then finds the new key.
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
