import type { Queries, Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";
import { ROLE_PASSWORD } from "./encrypted-secrets.ts";
import { readSetting, writeSetting } from "./first-start.ts";

/** The encrypted password of a login role, which outlives the key that it was made from; undefined before it is stored. */
export function readRolePassword(tx: Pick<Transaction, "query">, role: string): Promise<string | undefined> {
  return readSetting(tx, ROLE_PASSWORD + role);
}

/** Stores the encrypted password of a login role. */
export function writeRolePassword(tx: Pick<Transaction, "query">, role: string, encrypted: string): Promise<void> {
  return writeSetting(tx, ROLE_PASSWORD + role, encrypted);
}

/** What the encrypted password of a role is bound to. */
export function rolePasswordContext(role: string): string {
  return ROLE_PASSWORD + role;
}

const FORGET = statement({
  name: "forget-role-passwords",
  text: `delete from instance_settings where key like '${ROLE_PASSWORD}%'`,
});

/** Forgets the passwords of all login roles. */
export async function forgetRolePasswords(db: Queries): Promise<void> {
  await db.query(FORGET);
}
