import { readRoles } from "#db/queries/doctor/access.ts";
import { TENANT_ROLES, inspectRole } from "#db/request-role.ts";
import { failed, ok, warning } from "../define-check.ts";
import type { Check, Finding, Patient } from "../define-check.ts";

/** Whether the roles exist that isolate tenants, and have no right beyond it. */
export const roles: Check = {
  name: "roles",
  of: "database",
  async run(patient) {
    const found = await readRoles(patient.db);
    const missing = TENANT_ROLES.filter((role) => !found.some(({ name }) => name === role));
    if (missing.length > 0) {
      return failed(`Roles are missing: ${missing.join(", ")}.`, "Create them as in docs/operations.md#database.");
    }
    const strong = found.filter(({ isPrivileged }) => isPrivileged).map(({ name }) => name);
    if (strong.length > 0) {
      const [role = ""] = strong;
      return failed(
        `Roles have more rights than requests may have: ${strong.join(", ")}.`,
        `Run for each: ALTER ROLE ${role} NOSUPERUSER NOBYPASSRLS NOCREATEROLE NOCREATEDB NOREPLICATION;`,
      );
    }
    return patient.place.hasRequestRole
      ? ofSetting(patient)
      : found.some(({ isOfRequests }) => isOfRequests)
        ? ok("Requests log in as a role of their own.")
        : warning(
            "Requests log in as the role that owns the tables.",
            "See docs/operations.md#database, the role of requests.",
          );
  },
};

async function ofSetting({ place }: Patient): Promise<Finding> {
  const { name, excess, missing } = await inspectRole(place.requests.url);
  const grants = TENANT_ROLES.join(", ");
  if (missing.length > 0) {
    return failed(`The role ${name} is not a member of ${missing.join(", ")}.`, `Run: GRANT ${grants} TO ${name};`);
  }
  if (excess.length === 0) return ok(`Requests log in as ${name}.`);
  return warning(`The role of DATABASE_REQUEST_URL, ${name}, ${excess.join(" and ")}.`, "Take these rights away.");
}
