import { z } from "zod";
import { getGoogleAccount } from "#operations/destinations/google-account.ts";
import type { Workspace } from "#operations/workspace.ts";

/** The path of the workspace's Google account. */
export const GOOGLE_ACCOUNT = "/console/api/google-account";

const time = z.iso.datetime();

/** The workspace's Google account as the API shows it. */
export const accountRecord = z
  .strictObject({
    id: z.uuid(),
    workspace_id: z.uuid(),
    email: z.string(),
    status: z.enum(["active", "disabled"]).describe("disabled: Google no longer accepts its grant."),
    error: z.string().nullable(),
    expires_at: time.describe("When the access token expires; it is refreshed before."),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: "GoogleAccount" });

/** Reads the workspace's Google account. @throws AppError `not_found`. */
export async function readAccount(workspace: Workspace): Promise<z.output<typeof accountRecord>> {
  return accountRecord.parse(JSON.parse(await getGoogleAccount(workspace)));
}
