import type { NewFile } from "#db/queries/files/files.ts";
import { outgoingUrlIssue } from "#domain/destinations/outgoing-url.ts";
import { MAX_ATTACHMENTS } from "#domain/files/attachments.ts";
import { AppError } from "#domain/errors.ts";
import type { LinkedFile } from "#domain/files/linked-file.ts";
import { nameOfType } from "#domain/files/media-type.ts";
import { invalid } from "#domain/invalid.ts";
import { sniffType } from "#lib/blobs/sniff-type.ts";
import { mediaTypeOf } from "#lib/http/body-text.ts";
import { UnsafeUrlError } from "#lib/safe-fetch/check-url.ts";
import { fetchWhole } from "#lib/safe-fetch/fetch-whole.ts";
import type { WholeResponse } from "#lib/safe-fetch/fetch-whole.ts";
import { FetchFailedError } from "#lib/safe-fetch/follow-redirects.ts";
import type { Services } from "../context.ts";
import { storeUpload } from "./files.ts";
import type { Upload, SentFile } from "#domain/files/sent-file.ts";
import type { Workspace } from "../workspace.ts";

const TIMEOUT_MS = 20_000;

/**
 * Stores the files of a message as {@link storeSent} does.
 * @throws AppError `bad_request` for too many; as {@link storeSent}.
 */
export async function storeAllSent(workspace: Workspace, files: readonly SentFile[]): Promise<readonly NewFile[]> {
  if (files.length > MAX_ATTACHMENTS)
    throw new AppError("bad_request", `A message has at most ${MAX_ATTACHMENTS} files.`);
  const stored: NewFile[] = [];
  for (const file of files) stored.push(await storeSent(workspace, file));
  return stored;
}

/**
 * Stores a file of a request as {@link storeUpload} does; one on another server is fetched now, without access to
 * private networks.
 * @throws AppError `bad_request` for a URL that is not allowed or cannot be read; as {@link storeUpload}.
 */
export async function storeSent(workspace: Workspace, file: SentFile): Promise<NewFile> {
  return storeUpload(workspace, "url" in file ? await fetchLinked(workspace, file) : file);
}

async function fetchLinked(services: Services, { url, name, isImage, field }: LinkedFile): Promise<Upload> {
  const reject = (message: string) => invalid("body", [{ path: field, message }]);
  const target = URL.parse(url);
  const issue =
    target === null ? "is not a URL" : outgoingUrlIssue(target, { allowPrivate: services.allowPrivateUrls });
  if (target === null || issue !== undefined) throw reject(issue ?? "");
  const limits = { timeoutMs: TIMEOUT_MS, maxBytes: services.maxFileBytes };
  const response = await fetchWhole(services.fetch, target, limits).catch((error: unknown) => {
    throw error instanceof FetchFailedError || error instanceof UnsafeUrlError ? reject(error.message) : error;
  });
  if (!response.ok) throw reject(`${target.hostname} answers with HTTP ${response.status}`);
  const declared = await typeOf(response);
  if (isImage && !declared.startsWith("image/")) throw reject(`${target.hostname} answers with ${declared}, no image`);
  return { name: name ?? nameOf(target, declared), declared, content: response.body };
}

/** The type of a response. Servers often name the wrong type of image, so an image says itself what it is. */
async function typeOf(response: WholeResponse): Promise<string> {
  const sniffed = await sniffType(response.body);
  return typeof sniffed === "object" && sniffed.type.startsWith("image/") ? sniffed.type : mediaTypeOf(response);
}

function nameOf({ pathname }: URL, declared: string): string {
  const last = pathname.slice(pathname.lastIndexOf("/") + 1);
  return last === "" ? nameOfType(declared) : last;
}
