import { z } from "zod";
import {
  addPasskey,
  beginPasskey,
  listPasskeys,
  passkeyInput,
  passkeyPatch,
  removePasskey,
  renamePasskey,
} from "#operations/accounts/passkeys.ts";
import type { Site } from "#operations/accounts/passkeys.ts";
import { beginPasskeySignIn, passkeySignInInput, signInWithPasskey } from "#operations/accounts/passkey-sign-in.ts";
import { endpoint } from "../api/shape/endpoint.ts";
import { respondValue } from "../api/shape/respond.ts";
import { addPath, idQuery } from "../api/shape/route.ts";
import type { Api } from "../api/shape/route.ts";
import type { HttpContext, HttpServices } from "../context.ts";
import { originOf } from "../middleware/origin.ts";
import { clientOf } from "./client.ts";
import { accessRecord } from "./records.ts";
import { requireSameSite, setDeviceCookie, setRefreshCookie } from "./refresh-cookie.ts";

const TAG = "Accounts";

const passkeyRecord = z
  .strictObject({
    id: z.uuid(),
    name: z.string(),
    created_at: z.iso.datetime(),
    last_used_at: z.iso.datetime().nullable().describe("null until a sign-in with it."),
  })
  .meta({ id: "Passkey" });

const creationOptions = z
  .looseObject({
    challenge: z.string(),
    rp: z.looseObject({ id: z.string(), name: z.string() }),
    user: z.looseObject({ id: z.string(), name: z.string(), displayName: z.string() }),
    pubKeyCredParams: z.array(z.looseObject({ type: z.literal("public-key"), alg: z.int() })),
  })
  .describe("For `PublicKeyCredential.parseCreationOptionsFromJSON`.")
  .meta({ id: "PasskeyCreationOptions" });
const requestOptions = z
  .looseObject({ challenge: z.string(), rpId: z.string() })
  .describe("For `PublicKeyCredential.parseRequestOptionsFromJSON`.")
  .meta({ id: "PasskeyRequestOptions" });

/** Adds /auth/passkeys: a person's passkeys, and signing in with one. */
export default function addPasskeys(api: Api): void {
  addPath(api, "/auth/passkeys", { tag: TAG, endpoints: [list, add] });
  addPath(api, "/auth/passkeys/options", { tag: TAG, endpoints: [begin] });
  addPath(api, "/auth/passkeys/sign-in/options", { tag: TAG, endpoints: [beginSignIn] });
  addPath(api, "/auth/passkeys/sign-in", { tag: TAG, endpoints: [signIn] });
  addPath(api, "/auth/passkeys/{id}", { tag: TAG, endpoints: [rename, remove] });
}

const list = endpoint({
  method: "get",
  operationId: "listPasskeys",
  needs: "session",
  summary: "List your passkeys",
  success: { status: 200, schema: z.array(passkeyRecord) },
  handle: async ({ c, services, who }) => respondValue(c, await listPasskeys(services, who)),
});

const begin = endpoint({
  method: "post",
  operationId: "beginPasskey",
  needs: "session",
  summary: "Get what a browser needs to make a passkey, for five minutes",
  body: z.strictObject({}),
  success: { status: 200, schema: creationOptions },
  handle: async ({ c, services, who }) => respondValue(c, await beginPasskey(services, who, siteOf(c, services))),
});

const add = endpoint({
  method: "post",
  operationId: "addPasskey",
  needs: "session",
  summary: "Add a passkey that the browser has made; this session counts as opened by it",
  body: passkeyInput,
  success: { status: 201, schema: passkeyRecord },
  async handle({ c, services, who, body: input }) {
    const given = { input, site: siteOf(c, services), client: clientOf(c, services) };
    return respondValue(c, await addPasskey(services, who, given), 201);
  },
});

const beginSignIn = endpoint({
  method: "post",
  operationId: "beginPasskeySignIn",
  needs: "public",
  summary: "Get what a browser needs to sign in with a passkey, for five minutes",
  body: z.strictObject({}),
  success: { status: 200, schema: requestOptions },
  handle: async ({ c, services }) => respondValue(c, await beginPasskeySignIn(services, siteOf(c, services))),
});

const signIn = endpoint({
  method: "post",
  operationId: "signInWithPasskey",
  needs: "public",
  summary: "Start a session with a passkey: returns an access token and sets a cookie that refreshes it",
  body: passkeySignInInput,
  success: { status: 200, schema: accessRecord },
  async handle({ c, services, body }) {
    requireSameSite(c, services);
    const at = { site: siteOf(c, services), client: clientOf(c, services) };
    const session = await signInWithPasskey(services, body, at);
    setRefreshCookie(c, services, session.refreshToken);
    setDeviceCookie(c, services, session.deviceToken);
    return respondValue(c, session.access);
  },
});

const rename = endpoint({
  method: "patch",
  operationId: "renamePasskey",
  needs: "session",
  summary: "Rename one of your passkeys",
  params: idQuery,
  body: passkeyPatch,
  readOnly: ["id", "created_at", "last_used_at"],
  success: { status: 200, schema: passkeyRecord },
  handle: async ({ c, services, who, params, body }) =>
    respondValue(c, await renamePasskey(services, who, { ...params, ...body })),
});

const remove = endpoint({
  method: "delete",
  operationId: "removePasskey",
  needs: "session",
  summary: "Remove one of your passkeys; other sessions that it opened end",
  params: idQuery,
  success: { status: 204 },
  handle: ({ services, who, params }) => removePasskey(services, who, params.id),
});

function siteOf(c: HttpContext, services: HttpServices): Site {
  return { origin: originOf(c, services), serviceName: services.serviceName };
}
