import type { PlanQuotas, Quotas } from "#domain/access/plan.ts";
import { createCatalogue } from "#domain/models/model-catalogue.ts";
import { createPriceList } from "#domain/models/prices.ts";
import type { MailSettings } from "#engine/destinations/delivery-services.ts";
import type { DeliverySettings } from "#destinations/delivery/delivery-attempt.ts";
import { createSafeLookup } from "#lib/safe-fetch/safe-fetch.ts";
import type { Proxies, ProxySettings } from "#lib/safe-fetch/proxies.ts";
import { createSafeRequest } from "#lib/safe-fetch/safe-request.ts";
import type { SafeFetch } from "#lib/safe-fetch/safe-fetch.ts";
import { PROVIDERS } from "#providers/gen/registry.ts";
import { TOOLS } from "#tools/gen/registry.ts";
import type { Config } from "#config/config.ts";
import { publicUrl } from "./listen.ts";
import { trimEndOf } from "#lib/text/trim-end.ts";
import type { VendorHttp, GoogleOAuth } from "#operations/ports.ts";
import { createOpenIdProvider } from "#protocols/oidc/openid-provider.ts";
import type { OpenIdProvider } from "#protocols/oidc/openid-provider.ts";

const MIB = 1024 * 1024;
/** A reader with a longer backlog must reconnect. */
const LOG_READ_TIMEOUT_MS = 60_000;

/** The models of all providers. */
const CATALOGUE = createCatalogue(PROVIDERS);

/** The engine's options from the settings. */
export function engineSettings(config: Config) {
  return {
    providers: PROVIDERS,
    catalogue: CATALOGUE,
    tools: TOOLS,
    toolSettings: config.toolSettings,
    instance: config.providerConnections,
    answerLimits: { bytes: config.MODEL_ANSWER_MIB * MIB, lineBytes: config.MODEL_LINE_MIB * MIB },
    prices: createPriceList(CATALOGUE, config.MODEL_PRICES),
    limits: {
      maxSteps: config.MAX_STEPS,
      maxRepeats: config.MAX_REPEATS,
      taskTimeoutMs: config.TASK_TIMEOUT * 1_000,
      teamRunTimeoutMs: config.RUN_TIMEOUT * 1_000,
      modelAttempts: config.MODEL_ATTEMPTS,
      modelTimeoutMs: config.MODEL_TIMEOUT * 1_000,
      maxEvents: config.RUN_MAX_EVENTS,
      maxEventBytes: config.RUN_MAX_EVENTS_MIB * MIB,
      toolTimeoutMs: config.TOOL_TIMEOUT * 1_000,
      remoteAgentTimeoutMs: config.REMOTE_AGENT_TIMEOUT * 1_000,
      budgetOutputTokens: config.BUDGET_OUTPUT_TOKENS,
      summaryShare: config.SUMMARY_AT / 100,
      modelWindow: config.MODEL_WINDOW,
      maxResultCharacters: config.TOOL_RESULT_CHARACTERS,
      budgetBytesPerToken: config.BUDGET_BYTES_PER_TOKEN,
    },
    recording: { prompts: config.RECORD_PROMPTS, exchanges: config.RECORD_RAW === "errors" },
    concurrency: jobConcurrency(config),
    lease: { beatMs: config.LEASE_MS / 5, leaseMs: config.LEASE_MS },
    knowledge: {
      extraction: {
        pages: config.KNOWLEDGE_MAX_PAGES,
        characters: config.KNOWLEDGE_MAX_CHARACTERS,
        unpackedBytes: config.KNOWLEDGE_MAX_UNPACKED_MIB * MIB,
        memoryBytes: config.KNOWLEDGE_MEMORY_MIB * MIB,
        timeoutMs: config.KNOWLEDGE_TIMEOUT * 1_000,
      },
      embeddingModel: config.EMBEDDING_MODEL,
    },
    retentionDays: config.RETENTION_DAYS,
    retentionTasksDays: config.RETENTION_TASKS_DAYS,
  };
}

/** Concurrent deliveries per process: slow receivers must leave slots for others. */
const DELIVERY_CONCURRENCY = { perProcess: 256, perHost: 32, perLane: 16, perSlowLane: 2 };

function jobConcurrency(config: Config) {
  const { RUNS_PER_PROCESS, RUNS_PER_WORKSPACE, KNOWLEDGE_PER_PROCESS } = config;
  const runs = { perProcess: RUNS_PER_PROCESS, perLane: RUNS_PER_WORKSPACE };
  return {
    task: runs,
    team_run: runs,
    // One slot is reserved for other workspaces' documents.
    ingest: { perProcess: KNOWLEDGE_PER_PROCESS, perLane: Math.max(1, KNOWLEDGE_PER_PROCESS - 1) },
    delivery: DELIVERY_CONCURRENCY,
  };
}

/** The proxies from the settings. */
export function proxySettings({ HTTP_PROXY, HTTPS_PROXY, NO_PROXY }: Config): ProxySettings {
  return { http: HTTP_PROXY, https: HTTPS_PROXY, except: NO_PROXY };
}

/** The OAuth client for Google accounts; undefined when it is not configured. */
export function googleOAuth(config: Config, { fetch, fetchAnywhere }: Fetches): GoogleOAuth | undefined {
  const { GOOGLE_OAUTH_CLIENT_ID: clientId, GOOGLE_OAUTH_CLIENT_SECRET: clientSecret } = config;
  if (clientId === undefined || clientSecret === undefined) return undefined;
  const base = config.GOOGLE_OAUTH_BASE && trimEndOf(config.GOOGLE_OAUTH_BASE, "/");
  return {
    clientId,
    clientSecret,
    authUrl: `${base ?? "https://accounts.google.com"}/o/oauth2/v2/auth`,
    tokenUrl: `${base ?? "https://oauth2.googleapis.com"}/token`,
    fetch: base === undefined ? fetch : fetchAnywhere,
  };
}

interface Fetches {
  readonly fetch: SafeFetch;
  /** For addresses that the operator sets. */
  readonly fetchAnywhere: SafeFetch;
}

/** The provider at which people sign in; its address is the operator's. */
export function openIdProvider(config: Config, { fetchAnywhere: fetch }: Fetches): OpenIdProvider | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = config;
  if (issuer === undefined || clientId === undefined) return undefined;
  const {
    OIDC_SCOPES: scopes,
    OIDC_NAME: name = new URL(issuer).host,
    OIDC_GROUPS_CLAIM: groupsClaim,
    OIDC_AUDIENCE: audience,
  } = config;
  return createOpenIdProvider({
    issuer,
    clientId,
    clientSecret,
    scopes,
    name,
    groupsClaim: config.OIDC_GROUPS.length > 0 ? groupsClaim : undefined,
    audience,
    fetch,
  });
}

/** A vendor's API, at the address of its setting if there is one; that may be private. */
export function vendorHttp(
  { vendorBases }: Config,
  fetches: Fetches,
  { setting, base }: { readonly setting: string; readonly base: string },
): VendorHttp {
  const own = vendorBases[setting];
  return own === undefined ? { base, fetch: fetches.fetch } : { base: own, fetch: fetches.fetchAnywhere };
}

/** Whom push services can tell of problems: the setting, or the service's own URL, which browsers can use only by https. */
export function pushContact(config: Config): string {
  const url = publicUrl(config);
  return config.VAPID_SUBJECT ?? (url?.startsWith("https:") === true ? url : "mailto:muster@localhost.localdomain");
}

/** The server of mails to people, and their sender; undefined without one. */
export function personalMails({ SMTP_URL: url, MAIL_FROM: from, ...config }: Config): MailSettings | undefined {
  if (url === undefined || from === undefined) return undefined;
  const { hostname: host, port, protocol, username, password } = new URL(url);
  const isSecure = protocol === "smtps:";
  const auth = username === "" ? undefined : { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  const serviceName = config.SERVICE_NAME ?? "Muster";
  return { from, serviceName, server: { host, port: Number(port) || (isSecure ? 465 : 587), isSecure, auth } };
}

/** The options of deliveries from the settings. */
export function deliverySettings(config: Config, proxies: Proxies): DeliverySettings {
  const reach = config.ALLOW_PRIVATE_URLS ? "private" : "public";
  return {
    send: createSafeRequest({ reach, proxies }),
    reach,
    lookup: createSafeLookup({ reach }),
    sendAnywhere: createSafeRequest({ reach: "anywhere", proxies }),
    vendorBases: config.vendorBases,
    serviceName: config.SERVICE_NAME ?? "Service",
    timeoutMs: config.DELIVERY_TIMEOUT * 1_000,
    mailRelays: config.SMTP_RELAYS,
    maxLimitedMs: config.DELIVERY_LIMIT_WAIT * 1_000,
  };
}

/** The request limits per plan, and of the table API. */
export function requestLimits(config: Config) {
  return {
    plan: {
      free: config.RATE_LIMIT_FREE,
      pro: config.RATE_LIMIT_PRO,
      team: config.RATE_LIMIT_TEAM,
      enterprise: config.RATE_LIMIT_ENTERPRISE,
    },
    personMinute: config.RATE_LIMIT_PERSON,
    tableMinute: config.RATE_LIMIT_TABLE_MINUTE,
    tableMonth: config.RATE_LIMIT_TABLE_MONTH,
  };
}

/** The quotas per plan. */
export function planQuotas(config: Config): PlanQuotas {
  const quotas = (storedMib: number | null, counted: Omit<Quotas, "storedBytes">) => ({
    ...counted,
    storedBytes: storedMib === null ? null : storedMib * MIB,
  });
  return {
    free: quotas(config.STORED_MIB_FREE, {
      records: config.RECORDS_FREE,
      schedules: config.SCHEDULES_FREE,
      alerts: config.ALERTS_FREE,
    }),
    pro: quotas(config.STORED_MIB_PRO, {
      records: config.RECORDS_PRO,
      schedules: config.SCHEDULES_PRO,
      alerts: config.ALERTS_PRO,
    }),
    team: quotas(config.STORED_MIB_TEAM, {
      records: config.RECORDS_TEAM,
      schedules: config.SCHEDULES_TEAM,
      alerts: config.ALERTS_TEAM,
    }),
    enterprise: quotas(config.STORED_MIB_ENTERPRISE, {
      records: config.RECORDS_ENTERPRISE,
      schedules: config.SCHEDULES_ENTERPRISE,
      alerts: config.ALERTS_ENTERPRISE,
    }),
  };
}

/** How many pages of event logs are read concurrently: half of the connections are reserved for other requests. */
export function logReadLimits({ DATABASE_POOL }: Config) {
  const total = Math.ceil(DATABASE_POOL / 2);
  return { total, perKey: Math.ceil(total / 2), timeoutMs: LOG_READ_TIMEOUT_MS };
}

/** The options of the surfaces from the settings. */
export function requestSettings(config: Config) {
  return {
    maxBodyBytes: config.MAX_BODY_BYTES,
    maxFileBytes: config.MAX_FILE_BYTES,
    retentionTasksDays: config.RETENTION_TASKS_DAYS,
    maxDocumentBytes: config.KNOWLEDGE_MAX_FILE_MIB * MIB,
    allowPrivateUrls: config.ALLOW_PRIVATE_URLS,
    mailRelays: config.SMTP_RELAYS,
    signUps: config.SIGN_UP,
    sendsMail: config.SMTP_URL !== undefined,
    passwordSignIn: config.PASSWORD_SIGN_IN,
    appRegistration: config.APP_REGISTRATION,
    groupRules: config.OIDC_GROUPS,
    providerSessionSeconds: config.OIDC_SESSION_HOURS * 3_600,
    bytesPerToken: config.BUDGET_BYTES_PER_TOKEN,
    scheduleMinSeconds: config.SCHEDULE_MIN_SECONDS,
    defaultPlan: config.DEFAULT_PLAN ?? (config.SIGN_UP === "open" ? "free" : "enterprise"),
    workspacesPerPerson: config.WORKSPACES_PER_PERSON,
    catalogue: CATALOGUE,
    prices: createPriceList(CATALOGUE, config.MODEL_PRICES),
    agUiInterrupts: config.AG_UI_INTERRUPTS,
    publicUrl: publicUrl(config),
    securityContact: config.SECURITY_CONTACT,
    serviceName: config.SERVICE_NAME ?? "Muster",
    trustedProxies: config.TRUSTED_PROXIES,
    table: {
      timeoutMs: config.TABLE_STATEMENT_TIMEOUT * 1_000,
      maxRows: config.TABLE_MAX_ROWS,
      // Half of the connections are reserved for other requests.
      concurrency: Math.ceil(config.DATABASE_POOL / 2),
    },
  };
}
