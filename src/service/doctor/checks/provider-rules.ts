import { unknownWorkspaces } from "#db/queries/doctor/work.ts";
import { ok, warning } from "../define-check.ts";
import type { Check } from "../define-check.ts";
import { someOf } from "../some-of.ts";

/** Whether the rules on groups and programs of the identity provider name workspaces that exist; others give nothing. */
export const providerRules: Check = {
  name: "provider rules",
  of: "database",
  async run({ config, db }) {
    const rules = [...config.OIDC_GROUPS, ...config.OIDC_CLIENTS];
    const unknown = await unknownWorkspaces(db, [...new Set(rules.map(({ workspace }) => workspace))]);
    if (unknown.length === 0) return ok("OIDC_GROUPS and OIDC_CLIENTS name no unknown workspace.");
    return warning(
      `No workspace has the slug or id ${someOf(unknown)}: its rules in OIDC_GROUPS and OIDC_CLIENTS give nothing.`,
      "Correct the name, or create the workspace.",
    );
  },
};
