import { z } from "zod";
import { AppError, notFound } from "#domain/errors.ts";
import { invalid } from "#domain/invalid.ts";
import { BILLING_MODELS } from "#domain/models/model-call.ts";
import type { Principal } from "#domain/access/principal.ts";
import * as rows from "#db/queries/access/provider-keys.ts";
import type { ProviderKeyRow } from "#db/queries/access/provider-keys.ts";
import { UnsafeUrl, checkUrl } from "#lib/safe-fetch/check-url.ts";
import type { Services } from "../context.ts";
import { trimEndOf } from "#lib/text/trim-end.ts";

/** The body of PUT /console/api/provider-keys/:provider. */
export const providerKeyInput = z
  .strictObject({
    api_key: z
      .string()
      .trim()
      .min(1)
      .max(1_000)
      .regex(/^[\x20-\x7e]*$/, "must be printable ASCII: other characters cannot be sent to a vendor")
      .optional()
      .describe("The vendor's secret key; stored encrypted, never shown."),
    base_url: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe("Where the vendor's API is, if not at its own address."),
    billing_model: z.enum(BILLING_MODELS).default("per-token").describe("How its calls are paid for."),
  })
  .refine((input) => input.api_key !== undefined || input.base_url !== undefined, {
    message: "api_key or base_url is required",
  });

/** A workspace's connection to a vendor, checked. */
export type ProviderKeyInput = z.output<typeof providerKeyInput>;

/** Lists the vendors that the workspace has configured, without their keys. */
export function listProviderKeys(services: Services, who: Principal): Promise<ProviderKeyRow[]> {
  return rows.listProviderKeys(services.db, who);
}

/**
 * Stores or replaces the workspace's connection to a vendor; the key is encrypted first.
 * @throws AppError `not_found` for a vendor that this program does not know; `bad_request` for an address that leads
 * where the operator does not allow.
 */
export async function saveProviderKey(
  services: Services,
  who: Principal,
  { provider, input }: { readonly provider: string; readonly input: ProviderKeyInput },
): Promise<ProviderKeyRow> {
  const { workspaceId } = who;
  checkProvider(services, provider);
  checkBaseUrl(services, input.base_url);
  const key = input.api_key;
  const saved = await services.db.inWorkspace(who, (tx) =>
    rows.saveProviderKey(tx, {
      workspaceId,
      provider,
      ciphertext: key === undefined ? null : services.secrets.encrypt(key, providerKeyContext(workspaceId, provider)),
      last4: key === undefined ? null : key.slice(-4),
      billing: input.billing_model,
      baseUrl: input.base_url === undefined ? null : trimEndOf(input.base_url, "/"),
    }),
  );
  if (saved === undefined) throw notFound("Provider key");
  return saved;
}

/** Forgets the workspace's connection to a vendor. @throws AppError `not_found`. */
export async function deleteProviderKey(services: Services, who: Principal, provider: string): Promise<void> {
  checkProvider(services, provider);
  const deleted = await services.db.inWorkspace(who, (tx) => rows.deleteProviderKey(tx, provider));
  if (!deleted) throw notFound("Provider key");
}

function checkProvider({ catalogue: { providerIds } }: Services, provider: string): void {
  if (providerIds.includes(provider)) return;
  throw new AppError("not_found", `Unknown provider "${provider}". Known: ${providerIds.join(", ")}.`);
}

/** What can be told before any call; each call is checked again. */
function checkBaseUrl({ allowPrivateUrls }: Services, baseUrl: string | undefined): void {
  if (baseUrl === undefined) return;
  try {
    checkUrl(baseUrl, allowPrivateUrls ? "private" : "public");
  } catch (error) {
    if (!(error instanceof UnsafeUrl)) throw error;
    throw invalid("body", [{ path: "base_url", message: error.message }]);
  }
}

/** The row to which an encrypted key is bound. */
export function providerKeyContext(workspaceId: string, provider: string): string {
  return `provider_keys:${workspaceId}:${provider}`;
}
