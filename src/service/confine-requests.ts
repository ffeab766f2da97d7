import { DatabaseUnreachableError } from "#db/await-server.ts";
import type { RequestLink } from "#db/open-database.ts";
import type { Database, Transaction } from "#db/database.ts";
import { readRolePassword, rolePasswordContext, writeRolePassword } from "#db/queries/access/role-passwords.ts";
import { TENANT_ROLES, inspectRole, prepareRequestRole } from "#db/request-role.ts";
import type { RoleFinding } from "#db/request-role.ts";
import { isLoginRejection, isOutage } from "#db/retry-outage.ts";
import type { SecretBox } from "#lib/security/secret-box.ts";
import type { DatabaseUrls } from "./connect-database.ts";

const GRANT = `GRANT ${TENANT_ROLES.join(", ")} TO`;
const REMEDY =
  "Tenants are kept apart all the same, but an injected statement would have the rights of that role. " +
  `An administrator can run: CREATE ROLE muster_requests LOGIN NOINHERIT PASSWORD '…'; ${GRANT} muster_requests; ` +
  "then set DATABASE_REQUEST_URL to the URL with that role.";

/** How requests connect, and a warning if their isolation is weaker than possible. */
export interface ConfinedRequests {
  readonly requests: RequestLink;
  readonly warning?: string;
}

/**
 * Checks the role of DATABASE_REQUEST_URL; undefined when it is not set.
 * @throws DatabaseUnreachableError when it lacks a grant, which is named
 */
export async function checkRequestRole({
  requests,
  hasRequestRole,
}: DatabaseUrls): Promise<ConfinedRequests | undefined> {
  return hasRequestRole ? checkGiven(requests, await inspectRole(requests.url)) : undefined;
}

/**
 * Creates a login role for requests that is a member of the tenant roles only. If that fails, requests use the role of
 * DATABASE_URL, and a warning gives the reason.
 */
export async function confineRequests(
  { requests }: DatabaseUrls,
  { db, secrets }: { readonly db: Database; readonly secrets: SecretBox },
): Promise<ConfinedRequests> {
  try {
    let password = "";
    const name = await prepareRequestRole(db, async (tx, role) => (password = await passwordOf(tx, secrets, role)));
    const url = withCredentials(requests.url, name, password);
    const found = await inspectRole(url);
    if (found.name !== name) return weaker(requests, `connections for the role ${name} get the role ${found.name}`);
    if (found.excess.length > 0) return weaker(requests, `the role ${name} ${found.excess.join(" and ")}`);
    return { requests: { ...requests, url } };
  } catch (error) {
    if (!(error instanceof Error) || (isOutage(error) && !isLoginRejection(error))) throw error;
    return weaker(requests, error.message);
  }
}

/**
 * The password of a login role. It is made from the key of the first start and stored then: the processes that run while
 * the key is changed go on to use it.
 */
async function passwordOf(tx: Transaction, secrets: SecretBox, role: string): Promise<string> {
  const context = rolePasswordContext(role);
  const stored = await readRolePassword(tx, role);
  if (stored !== undefined) return secrets.open(stored, context);
  const made = secrets.derive(`database-role:${role}`).toString("hex");
  await writeRolePassword(tx, role, secrets.encrypt(made, context));
  return made;
}

function checkGiven(requests: RequestLink, { name, excess, missing }: RoleFinding): ConfinedRequests {
  if (missing.length > 0) {
    throw new DatabaseUnreachableError(
      `DATABASE_REQUEST_URL: the role ${name} is not a member of ${missing.join(", ")}. An administrator runs: ${GRANT} ${name};`,
    );
  }
  if (excess.length === 0) return { requests };
  return { requests, warning: `DATABASE_REQUEST_URL: the role ${name} ${excess.join(" and ")}. ${REMEDY}` };
}

function weaker(requests: RequestLink, reason: string): ConfinedRequests {
  return {
    requests,
    warning: `Requests log in as the role of DATABASE_URL, not as one of their own: ${reason}. ${REMEDY}`,
  };
}

/** Returns an address with another role. */
export function withCredentials(url: string, username: string, password: string): string {
  const parsed = new URL(url);
  parsed.username = username;
  parsed.password = password;
  return parsed.href;
}
