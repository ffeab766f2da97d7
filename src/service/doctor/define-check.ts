import type { Config } from "#config/config.ts";
import type { OpenDatabase } from "#db/open-database.ts";
import type { ServerFacts } from "#db/queries/doctor/server-facts.ts";
import type { DatabaseUrls } from "../connect-database.ts";

/** What a check found. */
export interface Finding {
  /** skipped: it could not be checked. */
  readonly outcome: "ok" | "warning" | "failed" | "skipped";
  /** One sentence. */
  readonly text: string;
  /** What to do, unless it is ok. */
  readonly remedy?: string;
}

/** A database that answers, and the settings. */
export interface Patient {
  readonly config: Config;
  readonly db: OpenDatabase;
  readonly place: DatabaseUrls;
  readonly server: ServerFacts;
}

/** A check of what the database server says of itself. */
export interface ServerCheck {
  readonly name: string;
  readonly of: "server";
  readonly run: (server: ServerFacts) => Promise<Finding> | Finding;
}

/** A check. It changes nothing, and throws only when it cannot tell. */
export type Check =
  | ServerCheck
  | { readonly name: string; readonly of: "machine"; readonly run: (config: Config) => Promise<Finding> | Finding }
  | { readonly name: string; readonly of: "database"; readonly run: (patient: Patient) => Promise<Finding> | Finding };

/** All is well. */
export function ok(text: string): Finding {
  return { outcome: "ok", text };
}

/** The service works, but not as well as it could, or not for long. */
export function warning(text: string, remedy: string): Finding {
  return { outcome: "warning", text, remedy };
}

/** The service does not work, or its data is in danger. */
export function failed(text: string, remedy: string): Finding {
  return { outcome: "failed", text, remedy };
}
