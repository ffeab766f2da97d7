import { isIP } from "node:net";
import { secretFields, urlFields } from "#domain/destinations/destination-form.ts";
import type { DestinationForm } from "#domain/destinations/destination-form.ts";
import { isMailRelay } from "#domain/destinations/mail-relay.ts";
import { outgoingUrlIssue } from "#domain/destinations/outgoing-url.ts";
import { routeSecretContext } from "#domain/destinations/output-route.ts";
import type { FieldIssue } from "#domain/errors.ts";
import { issuesOf, invalid } from "#domain/invalid.ts";
import { plainMessage } from "#domain/plain-messages.ts";
import { SECRET_MASK, maskSecret } from "#lib/security/masked-secret.ts";
import type { RouteRow } from "#db/queries/destinations/output-routes.ts";
import { checkAddress, checkUrl, UnsafeUrlError } from "#lib/safe-fetch/check-url.ts";
import type { SecretBox } from "#lib/security/secret-box.ts";
import { z } from "zod";
import type { Services } from "../context.ts";

/** A configuration by field name. */
export type RouteConfig = Readonly<Record<string, unknown>>;

/** The field with the host name of a mail server. */
const HOST_FIELD = "smtp_host";
/** What only a relay of the operator works without. */
const ACCOUNT_FIELDS = ["username", "password"];
const stored = z.record(z.string(), z.string());

/** The columns of a route that hold its configuration. */
export type StoredConfig = Pick<RouteRow, "config" | "secrets_ciphertext" | "host">;

/** Returns the form of a destination type. @throws AppError `bad_request` naming all types. */
export function formOf({ destinations }: Pick<Services, "destinations">, type: string): DestinationForm {
  const form = destinations.find((one) => one.type === type);
  if (form !== undefined) return form;
  const types = destinations.map((one) => one.type).join(", ");
  throw invalid("body", [{ path: "type", message: `must be one of ${types}` }]);
}

/**
 * Validates a configuration by its form, as far as possible without a delivery. Each delivery checks host names again
 * when they are resolved. @throws AppError `bad_request` with the paths.
 */
export function checkConfig(
  services: Pick<Services, "allowPrivateUrls" | "mailRelays">,
  form: DestinationForm,
  config: RouteConfig,
): void {
  const masked = maskedSecrets(form, config);
  if (masked.length > 0) throw invalid("body", masked);
  const parsed = form.config.safeParse(config, { error: plainMessage });
  const issues = parsed.success
    ? [...unsafeFields(services, form, config), ...missingAccount(services, config)]
    : issuesOf(parsed.error, ["config"]);
  if (issues.length > 0) throw invalid("body", issues);
}

/** Returns a configuration as it is stored: with secrets encrypted, and masked for display. */
export function storeConfig(
  secrets: SecretBox,
  { workspaceId, id, form }: { readonly workspaceId: string; readonly id: string; readonly form: DestinationForm },
  config: RouteConfig,
): StoredConfig {
  const given = secretFields(form).flatMap((name) => {
    const value = config[name];
    return typeof value === "string" ? [[name, value] as const] : [];
  });
  const masked = Object.fromEntries(given.map(([name, value]) => [name, maskSecret(value)]));
  const plain = JSON.stringify(Object.fromEntries(given));
  return {
    config: { ...config, ...masked },
    secrets_ciphertext: given.length === 0 ? null : secrets.encrypt(plain, routeSecretContext(workspaceId, id)),
    host: hostOf(form, config),
  };
}

/** Returns a configuration with its secrets decrypted. */
export function openConfig(
  secrets: SecretBox,
  {
    workspace_id: workspaceId,
    id,
    config,
    secrets_ciphertext: encrypted,
  }: Pick<RouteRow, "workspace_id" | "id"> & Omit<StoredConfig, "host">,
): RouteConfig {
  if (encrypted === null) return config;
  return { ...config, ...stored.parse(JSON.parse(secrets.open(encrypted, routeSecretContext(workspaceId, id)))) };
}

/** Merges a new configuration into an old one; a secret that is still masked keeps its value. */
export function mergeConfig(form: DestinationForm, given: RouteConfig, old: RouteConfig): RouteConfig {
  const kept = secretFields(form).flatMap((name) => {
    const before = old[name];
    return typeof before === "string" && given[name] === maskSecret(before) ? [[name, before] as const] : [];
  });
  return { ...given, ...Object.fromEntries(kept) };
}

/** The secrets that are masked, but not as in the stored configuration: {@link mergeConfig} has not replaced them. */
function maskedSecrets(form: DestinationForm, config: RouteConfig): readonly FieldIssue[] {
  return secretFields(form).flatMap((name) => {
    const value = config[name];
    if (typeof value !== "string" || !value.startsWith(SECRET_MASK)) return [];
    return [{ path: `config.${name}`, message: "is masked, and not this route's secret; send the secret itself" }];
  });
}

function missingAccount({ mailRelays }: Pick<Services, "mailRelays">, config: RouteConfig): readonly FieldIssue[] {
  const host = config[HOST_FIELD];
  if (typeof host !== "string") return [];
  const missing = ACCOUNT_FIELDS.filter((name) => config[name] === undefined);
  const mayLack = isMailRelay(mailRelays, host, config["smtp_port"]) && missing.length === ACCOUNT_FIELDS.length;
  if (mayLack) return [];
  const message = "is required, unless smtp_host is a relay of the operator (SMTP_RELAYS) that needs no account";
  return missing.map((name) => ({ path: `config.${name}`, message }));
}

function unsafeFields(
  { allowPrivateUrls, mailRelays }: Pick<Services, "allowPrivateUrls" | "mailRelays">,
  form: DestinationForm,
  config: RouteConfig,
): readonly FieldIssue[] {
  const reach = allowPrivateUrls ? "private" : "public";
  return [...urlFields(form), HOST_FIELD].flatMap((name) => {
    const value = config[name];
    if (typeof value !== "string") return [];
    if (name === HOST_FIELD && isMailRelay(mailRelays, value, config["smtp_port"])) return [];
    const message = name === HOST_FIELD ? hostIssue(value, reach) : urlIssue(value, reach);
    return message === undefined ? [] : [{ path: `config.${name}`, message }];
  });
}

function urlIssue(text: string, reach: "private" | "public"): string | undefined {
  return (
    outgoingUrlIssue(new URL(text), { allowPrivate: reach === "private" }) ?? urlIssueOf(() => checkUrl(text, reach))
  );
}

function hostIssue(host: string, reach: "private" | "public"): string | undefined {
  return isIP(host) === 0
    ? urlIssueOf(() => checkUrl(`https://${host}/`, reach))
    : urlIssueOf(() => checkAddress(host, host, reach));
}

function urlIssueOf(check: () => unknown): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof UnsafeUrlError) return error.message;
    throw error;
  }
}

/** Returns the receiver's host: routes to the same host share a limit. */
function hostOf(form: DestinationForm, config: RouteConfig): string {
  const [urlField] = urlFields(form);
  const url = urlField === undefined ? undefined : config[urlField];
  if (typeof url === "string") return new URL(url).host;
  const host = config[HOST_FIELD];
  return typeof host === "string" ? host : form.type;
}
