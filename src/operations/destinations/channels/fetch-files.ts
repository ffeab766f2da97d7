import { z } from "zod";
import type { ChannelFile } from "#domain/people/channel-message.ts";
import type { Upload } from "#domain/files/sent-file.ts";
import { MAX_ATTACHMENTS } from "#domain/files/attachments.ts";
import { mediaTypeOf } from "#lib/http/body-text.ts";
import { fetchWhole } from "#lib/safe-fetch/fetch-whole.ts";
import type { WholeResponse } from "#lib/safe-fetch/fetch-whole.ts";
import { FetchFailedError } from "#lib/safe-fetch/follow-redirects.ts";
import { formatSize } from "#lib/text/format-size.ts";
import type { Services } from "../../context.ts";
import type { VendorHttp } from "../../ports.ts";
import type { RouteConfig } from "../route-config.ts";

const TIMEOUT_MS = 60_000;
const MAX_REPLY_BYTES = 64 * 1024;
/** Bots can download 20 MB (https://core.telegram.org/bots/api#getfile). */
const MAX_TELEGRAM_BYTES = 20 * 1024 * 1024;

const located = z.object({ result: z.object({ file_path: z.string() }) });
const bot = z.object({ bot_token: z.string() });

/** A file of a message that cannot be read; the message is for the person who sent it. */
export class UnreadableFileError extends Error {
  override readonly name = "UnreadableFileError";
}

/** Where files are, and what opens them. */
interface Source {
  readonly type: string;
  readonly config: RouteConfig;
}

/** Fetches the files of a message from its vendor. @throws UnreadableFileError; the signal's reason */
export async function fetchFiles(
  services: Services,
  { type, config }: Source,
  { files, signal }: { readonly files: readonly ChannelFile[]; readonly signal: AbortSignal },
): Promise<readonly Upload[]> {
  if (files.length > MAX_ATTACHMENTS) throw new UnreadableFileError(`It has more than ${MAX_ATTACHMENTS} files.`);
  const { bot_token: token } = bot.parse(config);
  const fetched: Upload[] = [];
  for (const file of files) {
    const maxBytes = type === "telegram" ? Math.min(MAX_TELEGRAM_BYTES, services.maxFileBytes) : services.maxFileBytes;
    if (file.size > maxBytes) throw new UnreadableFileError(`${file.name} is larger than ${formatSize(maxBytes)}.`);
    const limits = { timeoutMs: TIMEOUT_MS, maxBytes, signal };
    try {
      const response =
        type === "telegram"
          ? await fromTelegram(services.telegram, token, { file, limits })
          : await fromSlack(services.slack, token, { file, limits });
      if (!response.ok) throw new UnreadableFileError(`${file.name} could not be read: HTTP ${response.status}.`);
      fetched.push({ name: file.name, declared: file.type, content: response.body });
    } catch (error) {
      if (!(error instanceof FetchFailedError)) throw error;
      throw new UnreadableFileError(`${file.name} could not be read.`, { cause: error });
    }
  }
  return fetched;
}

interface Fetching {
  readonly file: ChannelFile;
  readonly limits: { readonly timeoutMs: number; readonly maxBytes: number; readonly signal: AbortSignal };
}

async function fromTelegram({ base, fetch }: VendorHttp, token: string, { file, limits }: Fetching) {
  const query = new URLSearchParams({ file_id: file.at });
  const asked = await fetchWhole(fetch, `${base}/bot${token}/getFile?${query.toString()}`, {
    ...limits,
    maxBytes: MAX_REPLY_BYTES,
  });
  const path = located.safeParse(parsed(asked.body)).data?.result.file_path;
  if (path === undefined) throw new UnreadableFileError(`Telegram does not give ${file.name}.`);
  return fetchWhole(fetch, `${base}/file/bot${token}/${path}`, limits);
}

/** The token goes to Slack only. Without the scope `files:read`, Slack answers with its sign-in page. */
async function fromSlack(
  { base, fetch }: VendorHttp,
  token: string,
  { file, limits }: Fetching,
): Promise<WholeResponse> {
  const url = URL.parse(file.at);
  const isOwnBase = !base.endsWith("slack.com");
  if (url === null || !(isOwnBase || (url.protocol === "https:" && url.hostname.endsWith(".slack.com")))) {
    throw new UnreadableFileError(`${file.name} is not at Slack.`);
  }
  const at = isOwnBase ? base + url.pathname + url.search : url.href;
  const response = await fetchWhole(fetch, at, { ...limits, headers: { authorization: `Bearer ${token}` } });
  if (mediaTypeOf(response) === "text/html" && file.type !== "text/html") {
    throw new UnreadableFileError(`${file.name} could not be read: the app needs the scope files:read.`);
  }
  return response;
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}
