import type { Config } from "#config/config.ts";
import type { WrappedKey } from "#db/queries/access/data-keys.ts";
import { EncryptionKeyError } from "./encryption-key-error.ts";
import {
  isInFolder,
  newWrappingKey,
  parseKey,
  readNextKey,
  readWrappingKey,
  takeNextKey,
  writeNextKey,
} from "./wrapping-key.ts";
import type { WrappingKey } from "./wrapping-key.ts";

/** Which keys a rotation uses. */
export interface RotationPlan {
  /** False for a rotation that was begun before and is continued. */
  readonly isNew: boolean;
  /** The encryption key of now. */
  readonly present: WrappingKey;
  /** The encryption key of afterwards; the present one if only the data key changes. */
  readonly key: WrappingKey;
  /** Stores the key before anything is encrypted with it, if it will be in the data folder. */
  prepare(): Promise<void>;
  /** Puts the key in the place of the present one in the data folder, if that is its place. */
  take(): Promise<void>;
}

/** What the database says of its keys. */
export interface StoredKeys {
  readonly rows: readonly WrappedKey[];
  /** The fingerprint of the newest encryption key. */
  readonly fingerprint: string | undefined;
}

/**
 * Chooses the next encryption key: the value of NEW_ENCRYPTION_KEY; or a random one, if the present one is in the data
 * folder; or the present one. A rotation that was begun keeps its own.
 * @throws EncryptionKeyError when a key is malformed, or that of the begun rotation is not here
 */
export async function choosePlan(config: Config, stored: StoredKeys): Promise<RotationPlan> {
  const { NEW_ENCRYPTION_KEY: text, MUSTER_DATA: folder } = config;
  const present = await readWrappingKey(config);
  if (present === undefined) throw new EncryptionKeyError("The file encryption.key was just removed.");
  const given = text === undefined ? undefined : parseKey(text, "NEW_ENCRYPTION_KEY");
  if (isUnfinished(stored.rows)) return continuation(config, { present, given, stored });
  if (!isInFolder(config)) {
    return { isNew: true, present, key: given ?? present, prepare: async () => undefined, take: async () => undefined };
  }
  const key = given ?? newWrappingKey();
  return { isNew: true, present, key, prepare: () => writeNextKey(folder, key), take: () => takeNextKey(folder) };
}

/** Whether a rotation was begun and has not ended. */
export function isUnfinished(rows: readonly WrappedKey[]): boolean {
  // One active data key, wrapped by one encryption key.
  return rows.length > 1 || rows.some(({ isActive }) => !isActive);
}

async function continuation(
  config: Config,
  {
    present,
    given,
    stored,
  }: { readonly present: WrappingKey; readonly given: WrappingKey | undefined; readonly stored: StoredKeys },
): Promise<RotationPlan> {
  const { fingerprint } = stored;
  const next = isInFolder(config) ? await readNextKey(config.MUSTER_DATA) : undefined;
  const key = [present, given, next].find((candidate) => candidate?.box.fingerprint === fingerprint);
  if (key === undefined || (given !== undefined && given.box.fingerprint !== fingerprint)) {
    throw new EncryptionKeyError(
      `A rotation to the key ${fingerprint} is unfinished: finish it first, with that key as NEW_ENCRYPTION_KEY, or as ENCRYPTION_KEY once every process has it.`,
    );
  }
  const take = key === next ? () => takeNextKey(config.MUSTER_DATA) : async () => undefined;
  return { isNew: false, present, key, prepare: async () => undefined, take };
}
