import { errors } from "oidc-provider";
import type { Adapter, AdapterFactory, AdapterPayload } from "oidc-provider";
import { z } from "zod";
import { hashKey } from "#domain/access/api-key.ts";
import { findUnstorable } from "#domain/storable.ts";
import type { Database } from "#db/database.ts";
import * as rows from "#db/queries/access/oauth-records.ts";
import type { Services } from "../context.ts";
import { asUnavailable } from "../unavailable.ts";

/** A registration that nobody has connected is forgotten after a day. */
const REGISTRATION_SECONDS = 86_400;

/** Sessions of the library: each request is put before a person of the console, so they would hold nothing. */
const UNUSED = "Session";

const payloadShape = z.looseObject({ kind: z.string().optional() });

/**
 * Keeps the authorization server's records in the database, for all processes. Ids and secrets are stored as hashes. The
 * records of a grant belong to the key of its connected app, whose id is the grant's.
 */
export function createOAuthStore({ db: database, keys }: Pick<Services, "db" | "keys">): AdapterFactory {
  const db = tellingOutages(database);
  const revoke = async (keyId: string) => {
    const hash = await rows.revokeAppKey(db, keyId);
    if (hash !== undefined) keys.evict(hash);
  };
  return (model) => (model === UNUSED ? NOTHING : storeOf(db, { model, revoke }));
}

type Querying = Pick<Database, "query">;

/** Programs try again after an outage; after other errors of ours, they ask their person to connect them again. */
function tellingOutages(db: Querying): Querying {
  return {
    query: (statement, values) =>
      db.query(statement, values).catch((error: unknown) => {
        const outage = asUnavailable(error);
        if (outage === undefined) throw error;
        throw Object.assign(new errors.TemporarilyUnavailable(outage.message), { statusCode: outage.status });
      }),
  };
}

interface Kept {
  readonly model: string;
  /** Revokes a grant: deletes the key of its app. */
  readonly revoke: (grantId: string) => Promise<void>;
}

const NOTHING: Adapter = {
  upsert: async () => undefined,
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  consume: async () => undefined,
  destroy: async () => undefined,
  revokeByGrantId: async () => undefined,
};

function storeOf(db: Querying, { model, revoke }: Kept): Adapter {
  const recordOf = (id: string) => ({ model, hash: hashKey(id) });

  async function consume(id: string): Promise<void> {
    if (await rows.consumeOAuthRecord(db, recordOf(id))) return;
    // Another request was faster with the same code or token: one of both is not the app.
    const found = await find(id);
    if (found?.grantId !== undefined) await revoke(found.grantId);
    throw new errors.InvalidGrant("it was used already");
  }

  async function find(id: string): Promise<AdapterPayload | undefined> {
    const found = await rows.findOAuthRecord(db, recordOf(id));
    if (found === undefined) return undefined;
    const payload = payloadShape.parse(found.payload);
    return {
      ...payload,
      ...(payload.kind !== undefined && { jti: id }),
      ...(found.consumedAt !== null && { consumed: found.consumedAt }),
    };
  }

  return {
    ...NOTHING,
    async upsert(id, given, seconds = REGISTRATION_SECONDS) {
      const { jti: _, ...payload } = given;
      const issue = findUnstorable(payload);
      if (issue !== undefined) throw new errors.InvalidRequest(`${issue.path} ${issue.message}`);
      const keyId = model === "Grant" ? id : payload.grantId;
      const isStored = await rows.storeOAuthRecord(db, { ...recordOf(id), keyId, payload, seconds });
      if (!isStored) throw new errors.InvalidGrant("the app was disconnected");
    },
    find,
    consume,
    async destroy(id) {
      if (model === "Grant") await revoke(id);
      else await rows.deleteOAuthRecord(db, recordOf(id));
    },
    revokeByGrantId: revoke,
  };
}
