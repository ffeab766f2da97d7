import { z } from "zod";
import { withoutInvisible } from "#lib/text/without-invisible.ts";
import { ROLES } from "./access/role.ts";

const ROLE_NAMES: ReadonlySet<string> = new Set(ROLES);

/**
 * A name or title that people find a record by, without invisible characters. Blanks alone would show as nothing.
 * @param max its most characters
 */
export function displayName(max: number) {
  return z.string().overwrite(withoutInvisible).min(1, { abort: true }).max(max).regex(/\S/, "must not be blank");
}

/** The name of a person, without blanks around it. It is no role's: "Owner" would seem to say who may decide. */
export function personName() {
  return displayName(100)
    .trim()
    .refine((name) => !isRoleName(name), NOT_A_ROLE);
}

/** Why {@link personName} rejects a name. */
export const NOT_A_ROLE = "must not be the name of a role";

/** True for the name of a role in any letters, also in wide ones. */
export function isRoleName(name: string): boolean {
  return ROLE_NAMES.has(name.normalize("NFKC").trim().toLowerCase());
}
