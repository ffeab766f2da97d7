import { z } from "zod";
import { AppError, notFound } from "#domain/errors.ts";
import { invalid } from "#domain/invalid.ts";
import { CONNECTION_FIELDS, connectionFields } from "#domain/models/connection-fields.ts";
import { BILLING_MODELS } from "#domain/models/model-call.ts";
import * as rows from "#db/queries/access/provider-keys.ts";
import type { ProviderKeyRow } from "#db/queries/access/provider-keys.ts";
import { UnsafeUrlError, checkUrl } from "#lib/safe-fetch/check-url.ts";
import type { Services } from "../context.ts";
import type { ConnectionTestResult, GivenConnection } from "#domain/models/model-providers.ts";
import { unknownProvider } from "../models/resolve-provider.ts";
import { trimEndOf } from "#lib/text/trim-end.ts";
import { keyHint, onOneLine } from "#lib/text/key-text.ts";
import type { Workspace } from "../workspace.ts";

const connection = {
  api_key: z
    .string()
    .trim()
    .overwrite(onOneLine)
    .min(1)
    .max(10_000)
    .regex(/^[\x20-\x7e]*$/, "must be printable ASCII: other characters cannot be sent to a provider")
    .optional()
    .describe("The provider's secret key; stored encrypted, never shown."),
  base_url: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("The base URL of the provider's API, if not the default."),
  ...connectionFields.shape,
};

/** The body of POST /console/api/provider-keys/:provider/test. Without any part of a connection, the stored one is tested. */
export const providerTestInput = z.strictObject({
  api_key: connection.api_key.describe("The key to test; it is not stored."),
  base_url: connection.base_url,
  ...connectionFields.shape,
  model: z.string().min(1).max(200).optional().describe("The model to call; by default a cheap one of the provider."),
});

/** The connection to test, validated. */
export type ProviderTestInput = z.output<typeof providerTestInput>;

/** The body of PUT /console/api/provider-keys/:provider. */
export const providerKeyInput = z
  .strictObject({
    ...connection,
    billing_model: z.enum(BILLING_MODELS).default("per-token").describe("How calls are billed."),
  })
  .refine((input) => input.api_key !== undefined || input.base_url !== undefined, {
    message: "api_key or base_url is required",
  });

/** A workspace's connection to a provider, validated. */
export type ProviderKeyInput = z.output<typeof providerKeyInput>;

/** Lists the providers that the workspace has configured, without their keys. */
export function listProviderKeys(workspace: Workspace): Promise<ProviderKeyRow[]> {
  return rows.listProviderKeys(workspace);
}

/**
 * Saves or replaces the workspace's connection to a provider; the key is stored encrypted. The next run of this process
 * uses it, the next one of other processes once they are notified.
 * @throws AppError `not_found` for an unknown provider; `bad_request` for a URL that the operator does not allow.
 */
export async function saveProviderKey(
  workspace: Workspace,
  { provider, input }: { readonly provider: string; readonly input: ProviderKeyInput },
): Promise<ProviderKeyRow> {
  const { workspaceId } = workspace.who;
  const given = checkedConnection(workspace, provider, input);
  const key = given.apiKey;
  const saved = await workspace.transaction((tx) =>
    rows.saveProviderKey(tx, {
      workspaceId,
      provider,
      ciphertext: key === undefined ? null : workspace.secrets.encrypt(key, providerKeyContext(workspaceId, provider)),
      last4: key === undefined ? null : keyHint(key),
      billing: input.billing_model,
      baseUrl: given.baseUrl ?? null,
      resource: given.resource ?? null,
      region: given.region ?? null,
      project: given.project ?? null,
      api: given.api ?? null,
    }),
  );
  if (saved === undefined) throw notFound("Provider key");
  workspace.providers.invalidate(workspaceId);
  return saved;
}

/**
 * Calls a model of the provider once, for a few tokens that no budget counts.
 * @throws AppError as {@link saveProviderKey}. The provider's errors are in the result.
 */
export function testProviderKey(
  workspace: Workspace,
  {
    provider,
    input,
    signal,
  }: { readonly provider: string; readonly input: ProviderTestInput; readonly signal: AbortSignal },
): Promise<ConnectionTestResult> {
  const given = checkedConnection(workspace, provider, input);
  const isGiven = Object.values(given).some((part) => part !== undefined);
  return workspace.providers.test(workspace.who.workspaceId, {
    provider,
    given: isGiven ? given : undefined,
    model: input.model,
    signal,
  });
}

/** Deletes the workspace's connection to a provider. @throws AppError `not_found`. */
export async function deleteProviderKey(workspace: Workspace, provider: string): Promise<void> {
  checkProvider(workspace, provider);
  const deleted = await workspace.transaction((tx) => rows.deleteProviderKey(tx, provider));
  if (!deleted) throw notFound("Provider key");
  workspace.providers.invalidate(workspace.who.workspaceId);
}

function checkProvider({ catalogue: { providerIds } }: Services, provider: string): void {
  if (providerIds.includes(provider)) return;
  throw new AppError("not_found", unknownProvider(provider, providerIds));
}

/** The connection that a request gives. @throws AppError as {@link saveProviderKey} */
function checkedConnection(
  services: Services,
  provider: string,
  { api_key: apiKey, base_url: baseUrl, ...input }: Omit<ProviderTestInput, "model">,
): GivenConnection {
  checkProvider(services, provider);
  checkBaseUrl(services, baseUrl);
  const fields = Object.fromEntries(CONNECTION_FIELDS.map((name) => [name, input[name]]));
  const given = { apiKey, baseUrl: baseUrl && trimEndOf(baseUrl, "/"), ...fields };
  const issues = services.providers.check(provider, given);
  if (issues.length > 0) throw invalid("body", issues);
  return given;
}

/** Checks what is known before any call; each call checks again. */
function checkBaseUrl({ allowPrivateUrls }: Services, baseUrl: string | undefined): void {
  if (baseUrl === undefined) return;
  try {
    checkUrl(baseUrl, allowPrivateUrls ? "private" : "public");
  } catch (error) {
    if (!(error instanceof UnsafeUrlError)) throw error;
    throw invalid("body", [{ path: "base_url", message: error.message }]);
  }
}

/** The row to which an encrypted key is bound. */
export function providerKeyContext(workspaceId: string, provider: string): string {
  return `provider_keys:${workspaceId}:${provider}`;
}
