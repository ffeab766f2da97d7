import { Client } from "pg";
import type { Config } from "#config/config.ts";
import { SERVICE_URL, readSetting } from "#db/queries/access/first-start.ts";
import { isHeldCopy } from "#db/queries/access/hold.ts";
import { queriesOn } from "#db/rows-on-client.ts";
import { ask } from "#tenancy/ask.ts";
import { RIGHTS_CHECKS } from "#tenancy/check-rights.ts";
import { ROUTE_CHECKS } from "#tenancy/check-routes.ts";
import type { Walk } from "#tenancy/check-routes.ts";
import { TABLE_CHECKS } from "#tenancy/check-tables.ts";
import { lockScratch, removeScratch } from "#tenancy/remove.ts";
import { addScratch, inScratch } from "#tenancy/scratch.ts";
import { sendWithRetries } from "#tenancy/send-with-retries.ts";
import { signInOwner } from "#tenancy/sign-in.ts";
import { publicUrl } from "../listen.ts";
import { failed, ok } from "./define-check.ts";
import type { Finding } from "./define-check.ts";
import { connectSoon, explainConnection, explainSettings, messageOf, placeOf } from "./examine.ts";
import type { Examined } from "./examine.ts";
import { judge } from "./tenancy-checks.ts";
import type { TenancyCheck } from "./tenancy-checks.ts";

/** Options of {@link examineTenancy}. */
export interface TenancyOptions {
  /** Where the service answers; by default where it last started. */
  readonly url: string | undefined;
  /** Ends the examination early; what it made is removed. */
  readonly signal: AbortSignal;
  /** Called before each check. */
  readonly onCheck: (check: TenancyCheck) => void;
}

interface Examination extends TenancyOptions {
  readonly config: Config;
  readonly client: Client;
}

/**
 * Asks every table and every route for the rows of another workspace, with two scratch workspaces that are removed
 * afterwards. @param prepare reads the settings
 */
export async function examineTenancy(
  prepare: () => Promise<Config>,
  options: TenancyOptions,
): Promise<readonly Examined[]> {
  const config = await prepare().catch(explainSettings);
  if ("outcome" in config) return [{ check: "settings", ...config }];
  const place = await connectSoon(config).catch(explainConnection);
  if ("outcome" in place) return [{ check: "database", ...place }];
  const client = new Client({ connectionString: place.url, application_name: "muster doctor", keepAlive: true });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return [{ check: "database", ...ok(placeOf(place)) }, ...(await checkAll({ ...options, config, client }))];
  } finally {
    await client.end().catch(() => undefined);
    await place.embedded?.stop();
  }
}

async function checkAll(examination: Examination): Promise<readonly Examined[]> {
  const { client } = examination;
  if (!(await lockScratch(client))) {
    const text = "Another muster doctor --tenancy examines this database.";
    return [{ check: "scratch workspaces", ...failed(text, "Wait until it has ended.") }];
  }
  const left = await removeScratch(client);
  const examined: Examined[] = [];
  try {
    for (const { name, find } of RIGHTS_CHECKS) {
      examined.push(await run(examination, name, () => find(client)));
    }
    for (const { name, find } of TABLE_CHECKS) {
      examined.push(await run(examination, name, () => inScratch(client, find)));
    }
    examined.push(...(await checkRoutes(examination)));
  } finally {
    await removeScratch(client);
  }
  const earlier = left > 0 ? ` So are ${left} that an earlier run had left.` : "";
  return [...examined, { check: "scratch workspaces", ...ok(`They are removed.${earlier}`) }];
}

async function checkRoutes(examination: Examination): Promise<readonly Examined[]> {
  const { client, signal } = examination;
  const skip = (finding: Finding) => ROUTE_CHECKS.map(({ name }) => ({ check: name, ...finding }));
  if (await isHeldCopy(queriesOn(client))) return skip(skipped("This restored copy is held.", "Release it first."));
  const sides = await addScratch(client);
  const [first, second] = sides;
  const baseUrl = await findService(examination, first.keys.envelope);
  if (baseUrl === undefined) return skip(NO_SERVICE);
  const workspaceIds = sides.map(({ workspaceId }) => workspaceId);
  const walk: Walk = {
    baseUrl,
    client,
    anon: examination.config.MUSTER_ANON_KEY,
    own: await signInOwner(baseUrl, first, client),
    other: await signInOwner(baseUrl, second, client),
    send: sendWithRetries({ client, workspaceIds, signal }),
  };
  const examined: Examined[] = [];
  for (const { name, find } of ROUTE_CHECKS) examined.push(await run(examination, name, () => find(walk)));
  return examined;
}

const NO_SERVICE = skipped(
  "Only the database was checked: no service answers that uses it.",
  "Start the service, or name its address with --url.",
);

function skipped(text: string, remedy: string): Finding {
  return { outcome: "skipped", text, remedy };
}

/** The address at which a service knows a key of this database; undefined when there is none. */
async function findService({ url, config, client }: Examination, key: string): Promise<string | undefined> {
  const known = [url, await readSetting(queriesOn(client), SERVICE_URL), publicUrl(config)];
  for (const baseUrl of url === undefined ? known : [url]) {
    if (baseUrl === undefined) continue;
    const headers = { "x-api-key": key };
    const answer = await ask(baseUrl, "GET /functions/v1/api-me", { asked: {}, headers }).catch(() => undefined);
    if (answer?.status === 200) return baseUrl;
  }
  return undefined;
}

async function run(
  { signal, onCheck }: Examination,
  check: TenancyCheck,
  find: () => Promise<readonly string[]>,
): Promise<Examined> {
  signal.throwIfAborted();
  onCheck(check);
  try {
    return { check, ...judge(check, await find()) };
  } catch (error) {
    signal.throwIfAborted();
    const text = `It cannot be checked: ${messageOf(error)}`;
    return { check, ...failed(text, "Correct what the message says, and try again.") };
  }
}
