import type { Principal } from "#domain/access/principal.ts";
import type { Surface } from "#domain/access/api-key.ts";
import type { BillingTarget } from "#domain/models/billing-target.ts";
import type { LoggedEvent } from "#domain/streams/logged-event.ts";
import type { SafeFetch } from "#lib/safe-fetch/safe-fetch.ts";

/** Resolves keys to principals. */
export interface KeyRing {
  /**
   * The principal of a key on a surface.
   * @throws AppError `unauthorized` for a key that is unknown, expired or of a kind that does not open the surface;
   * `forbidden` for a key that is limited to other surfaces, or to networks without the address.
   */
  authenticate(key: string, use: { readonly surface: Surface; readonly address: string }): Promise<Principal>;
  /**
   * The principal of the key with this id, of any kind, on a surface; without an address, from any network.
   * @throws AppError `unauthorized` when it is gone or expired; `forbidden` when it is limited to other surfaces or
   * networks.
   */
  authenticateId(keyId: string, use: { readonly surface: Surface; readonly address?: string }): Promise<Principal>;
  /** Evicts a key that was changed or revoked. */
  evict(keyHash: string): void;
  /** Evicts all keys: notifications may have been missed. */
  invalidateAll(): void;
}

/** The HTTP API of a vendor. */
export interface VendorHttp {
  readonly base: string;
  readonly fetch: SafeFetch;
}

/** The instance's OAuth client at Google. */
export interface GoogleOAuth {
  readonly clientId: string;
  readonly clientSecret: string;
  /** The URL of the consent page. */
  readonly authUrl: string;
  /** The URL that exchanges codes and refresh tokens for access tokens. */
  readonly tokenUrl: string;
  readonly fetch: SafeFetch;
}

/** Deletes contents that no row references. */
export interface BlobSweeper {
  /**
   * Deletes the current ones in batches, until `isStopped` returns true; returns their number.
   * @throws BlobStoreError when the store is not available; the rest waits for the next run.
   */
  runOnce(isStopped?: () => boolean): Promise<number>;
  /** Runs it in the background: call it when rows with contents were deleted. */
  soon(): void;
}

/** Creates and verifies URLs that give access to a file without a key, for a day. */
export interface FileLinks {
  /** The download path of {@link FileLinks.pathsOf}. */
  pathOf(fileId: string, now?: Date): string;
  /** Both paths; one signature is valid for both. */
  pathsOf(fileId: string, now?: Date): FilePaths;
  /** Verifies a link. `expires` and `signature` are the raw query parameters. */
  check(link: { readonly fileId: string; readonly expires: string; readonly signature: string }, now?: Date): LinkState;
}

/** A reader of a task's log. */
export interface Follower {
  /** Called at each arrival. */
  readonly notify: (arrival: LogNotification) => void;
  /** The number of the event that it waits for; undefined while it processes earlier ones. */
  readonly waitsFor: () => number | undefined;
}

/**
 * Notifies the followers of a task's log of new events, with the events themselves. Followers in other processes
 * receive batched notifications, only if their process has announced that it follows the log.
 */
export interface EventBus {
  /** Notifies a follower of each arrival, until the returned function is called. */
  subscribe(logId: string, follower: Follower): () => void;
  /**
   * Notifies all followers of a task, in all processes.
   * @param next the process that writes next: `here` while the execution continues, `anywhere` after a question or an  
   * answer, when followers of this process are announced to the others immediately
   */
  publish(logId: string, arrival: LogNotification, next?: "here" | "anywhere"): void;
  /** Handles a payload from another process. */
  receive(payload: string): void;
  /** Notifies the followers in this process that another one wrote. */
  logHasGrown(logId: string): void;
  /** Whether anybody follows a log, here or in a process that has announced it in the last seconds. */
  isFollowed(logId: string): boolean;
  /** Makes every follower in this process read its log: notifications may have been missed. */
  pollAll(): void;
  /** Checks the logs of all waiting followers, and notifies those that missed events; call it every few seconds. */
  pollForMissed(): Promise<void>;
  /** Records that another process follows these tasks; it is notified of what this process has just written. */
  followedElsewhere(processName: string, logIds: readonly string[]): void;
  /** Announces the followers of this process again; call it every few seconds. */
  announceFollowers(): void;
}

/** Embeds queries with a workspace's own connections. */
export interface QuestionEmbedder {
  /**
   * Embeds a query in a space (`provider/model/dimensions`), or returns why it cannot: the provider is not configured
   * any more, it times out, or a budget is used up. The search then uses full text only.
   */
  embedQuestion(
    payer: BillingTarget,
    asked: { readonly space: string; readonly question: string; readonly signal: AbortSignal },
  ): Promise<{ readonly vector: readonly number[] } | { readonly missing: string }>;
}

/** The signed paths of a file, each with its query, relative to the service's origin. */
export interface FilePaths {
  readonly download: string;
  readonly preview: string;
}

/** The result of {@link FileLinks.check}. */
export type LinkState = "good" | "expired" | "forged";

/** A notification to a follower: new events, or only that the log has grown. */
export type LogNotification = readonly LoggedEvent[] | "grown";
