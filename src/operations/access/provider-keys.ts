import { z } from "zod";
import { AppError, notFound } from "#domain/errors.ts";
import { invalid } from "#domain/invalid.ts";
import { BILLING_MODELS } from "#domain/models/model-call.ts";
import type { Principal } from "#domain/access/principal.ts";
import * as rows from "#db/queries/access/provider-keys.ts";
import type { ProviderKeyRow } from "#db/queries/access/provider-keys.ts";
import { UnsafeUrl, checkUrl } from "#lib/safe-fetch/check-url.ts";
import type { Services } from "../context.ts";
import type { ConnectionTestResult } from "../models/model-providers.ts";
import { trimEndOf } from "#lib/text/trim-end.ts";

const connection = {
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
};

/** The body of POST /console/api/provider-keys/:provider/test. Without key and address, the stored ones are tried. */
export const providerTestInput = z.strictObject({
  api_key: connection.api_key.describe("A key that is tried and not stored."),
  base_url: connection.base_url,
  model: z.string().min(1).max(200).optional().describe("The model to call; by default a cheap one of the vendor."),
});

/** What a workspace tries of a vendor, checked. */
export type ProviderTestInput = z.output<typeof providerTestInput>;

/** The body of PUT /console/api/provider-keys/:provider. */
export const providerKeyInput = z
  .strictObject({
    ...connection,
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

/**
 * Calls a model of the vendor once, for some tokens that no budget counts.
 * @throws AppError as {@link saveProviderKey}. What the vendor says against it is in the result.
 */
export function testProviderKey(
  services: Services,
  who: Principal,
  {
    provider,
    input: { api_key: apiKey, base_url: baseUrl, model },
    signal,
  }: { readonly provider: string; readonly input: ProviderTestInput; readonly signal: AbortSignal },
): Promise<ConnectionTestResult> {
  checkProvider(services, provider);
  checkBaseUrl(services, baseUrl);
  const given =
    apiKey === undefined && baseUrl === undefined
      ? undefined
      : { apiKey, baseUrl: baseUrl === undefined ? undefined : trimEndOf(baseUrl, "/") };
  return services.providers.test(who.workspaceId, { provider, given, model, signal });
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
