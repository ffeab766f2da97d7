import { randomBytes } from "node:crypto";
import { generateKey } from "#domain/access/api-key.ts";

/** The settings of the processes of a proof. */
export interface ProofSettings {
  /** The key of the workspace. */
  readonly key: string;
  /** The settings of the process of a name, which calls models with its name as its key. */
  readonly of: (name: string) => Readonly<Record<string, string>>;
}

const KEY_BYTES = 32;
/** No request waits for its turn: faults are measured, not limits. */
const NO_LIMITS = Object.fromEntries(
  ["FREE", "PRO", "TEAM", "ENTERPRISE", "PERSON", "TABLE_MINUTE"].map((name) => [`RATE_LIMIT_${name}`, "1000000"]),
);

/** @param vendorUrl where models, tools and receivers are */
export function proofSettings(vendorUrl: string): ProofSettings {
  const key = generateKey("envelope");
  const shared = {
    ...NO_LIMITS,
    ENCRYPTION_KEY: randomBytes(KEY_BYTES).toString("base64"),
    MUSTER_INIT_API_KEY: key,
    OPENAI_COMPATIBLE_BASE_URL: `${vendorUrl}/v1`,
    ALLOW_PRIVATE_URLS: "true",
    SCHEDULE_MIN_SECONDS: "1",
    SHUTDOWN_GRACE: "2",
    LOG_LEVEL: "warn",
  };
  return { key, of: (name) => ({ ...shared, OPENAI_COMPATIBLE_API_KEY: name }) };
}
