import type { Logger } from "pino";
import type { Database } from "#db/database.ts";
import { openListener } from "#db/listener.ts";
import { announceClientCancel } from "#db/queries/tools/client-calls.ts";
import { announceFollowers, notifyProcesses } from "#db/queries/streams/announcements.ts";
import { announceLiveViewers } from "#db/queries/streams/live-viewers.ts";
import { findGrownLogs } from "#db/queries/streams/task-events.ts";
import { createEngine } from "#engine/engine.ts";
import type { EngineOptions } from "#engine/engine-options.ts";
import { createOpenStreams } from "#http/streams/open-streams.ts";
import type { BlobStore } from "#lib/blobs/blob-store.ts";
import { createProxies } from "#lib/safe-fetch/proxies.ts";
import { createSafeFetch } from "#lib/safe-fetch/safe-fetch.ts";
import { createSchemaChecker } from "#lib/json-schema/schema-checker.ts";
import { createMachineCallers } from "#operations/accounts/machine-callers.ts";
import { createSessionRing } from "#operations/accounts/session-ring.ts";
import { createAppTokens } from "#operations/access/app-tokens.ts";
import { createKeyRing } from "#operations/access/authenticate.ts";
import { createBlobSweeper } from "#operations/files/blobs.ts";
import { createFileLinks } from "#operations/files/file-links.ts";
import { createEventBus } from "#operations/streams/event-bus.ts";
import type { Services } from "#operations/context.ts";
import type { Observe } from "#domain/observation.ts";
import type { BusLinks } from "#operations/streams/event-bus.ts";
import { createClientCalls } from "#operations/conversations/client-calls.ts";
import { createLiveHub } from "#operations/streams/live-hub.ts";
import { createRateLimits } from "#operations/access/rate-limits.ts";
import { DESTINATIONS } from "#destinations/gen/registry.ts";
import type { Config } from "#config/config.ts";
import { connectEvents } from "./connect-events.ts";
import type { Instance } from "./instance.ts";
import { createLogLevel } from "./log-level.ts";
import { operationServices } from "./operation-services.ts";
import {
  deliverySettings,
  engineSettings,
  googleOAuth,
  openIdProvider,
  proxySettings,
  personalMails,
  pushContact,
  requestLimits,
  vendorHttp,
} from "./settings.ts";
import { traceSampler, traceSettings } from "./traces.ts";

/** What is opened before the other parts are created. */
export interface Opened {
  readonly instance: Instance;
  readonly blobs: BlobStore;
  readonly observe: Observe;
  /** The URL of the service. */
  readonly url: string;
  /** How the engine runs suspects. */
  readonly suspects: EngineOptions["suspects"];
}

/** The parts of a service. */
export type Parts = ReturnType<typeof createParts>;

/** Creates what the engine and the surfaces share. */
export function createParts(config: Config, log: Logger, { instance, blobs, observe, url, suspects }: Opened) {
  const { db, secrets } = instance;
  const reach = config.ALLOW_PRIVATE_URLS ? "private" : "public";
  const proxies = createProxies(proxySettings(config));
  const shared = {
    db,
    secrets,
    log,
    observe,
    blobs,
    events: createEventBus(busLinks(db, log)),
    fetch: createSafeFetch({ reach, proxies }),
    fetchAnywhere: createSafeFetch({ reach: "anywhere", proxies }),
    schemas: createSchemaChecker(),
    sweeper: createBlobSweeper({ db, blobs, onError: (error) => log.warn({ err: error }, "files were left") }),
    links: createFileLinks(secrets),
    traceNewRun: traceSampler(config),
  };
  const openId = openIdProvider(config, shared);
  const keys = createKeyRing(db);
  const deliveries = {
    destinations: DESTINATIONS,
    google: googleOAuth(config, shared),
    settings: deliverySettings(config, proxies),
    links: shared.links,
    publicUrl: url,
    pushContact: pushContact(config),
    mail: personalMails(config),
    operations: (): Services => services,
  };
  const parts = {
    ...shared,
    config,
    databaseUrl: instance.url,
    refreshSecrets() {
      instance.refreshSecrets().catch((error: unknown) => log.error({ err: error }, "could not read the data keys"));
    },
    google: deliveries.google,
    openId,
    machines: openId && createMachineCallers(db, openId, config.OIDC_CLIENTS),
    trello: vendorHttp(config, shared, { setting: "TRELLO_API_BASE", base: "https://api.trello.com" }),
    slack: vendorHttp(config, shared, { setting: "SLACK_API_BASE", base: "https://slack.com" }),
    telegram: vendorHttp(config, shared, { setting: "TELEGRAM_API_BASE", base: "https://api.telegram.org" }),
    engine: createEngine({
      ...engineSettings(config),
      ...shared,
      reach,
      proxies,
      deliveries,
      suspects,
      traces: traceSettings(config, shared.fetchAnywhere),
    }),
    keys,
    apps: createAppTokens(db, keys),
    sessions: createSessionRing(db, secrets),
    limits: createRateLimits(db, requestLimits(config)),
    clientCalls: createClientCalls((name) => {
      announceClientCancel(db, name).catch((error: unknown) => log.warn({ err: error }, "could not announce a cancel"));
    }),
    live: createLiveHub(
      (workspaceIds) => announceLiveViewers(db, workspaceIds),
      (error) => log.warn({ err: error }, "could not announce viewers"),
    ),
    logLevel: createLogLevel(db, log),
    streams: createOpenStreams(config.STREAMS_PER_KEY),
  };
  const services = operationServices(parts);
  return { ...parts, operations: () => services };
}

/** Passes on what other processes announce; returns a function that stops it. */
export async function listenToOthers({ databaseUrl, log, ...parts }: Parts): Promise<() => Promise<void>> {
  const listener = await openListener({
    url: databaseUrl,
    onLost: (error) => log.warn({ err: error }, "listening connection lost"),
  });
  listener.onReconnect(() => log.warn("listening connection restored"));
  const disconnect = connectEvents({ listener, ...parts });
  // They may have changed between the start and the first notification.
  parts.refreshSecrets();
  await parts.logLevel.refresh();
  return async () => {
    disconnect();
    parts.logLevel.close();
    await listener.close();
  };
}

/** A lost notification is detected by the next poll, a few seconds later. */
function busLinks(db: Database, log: Logger): BusLinks {
  const warn = (error: unknown) => log.warn({ err: error }, "could not notify other processes");
  return {
    send: (notices) => notifyProcesses(db, notices).catch(warn),
    announceFollowers: (payloads) => void announceFollowers(db, payloads).catch(warn),
    findGrown: (awaited) =>
      findGrownLogs(db, awaited).catch((error: unknown) => {
        log.warn({ err: error }, "could not check for missed events");
        return [];
      }),
  };
}
