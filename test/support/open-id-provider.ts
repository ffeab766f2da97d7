import { createPrivateKey, generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import { Provider } from "oidc-provider";
import type { AdapterFactory, AdapterPayload, JWK } from "oidc-provider";

const CLIENT = { id: "muster", secret: "a secret of the client" };

/** Programs with an account at the provider. */
const PROGRAMS = ["ci", "stranger"];

/** Gets an access token for a program by its own credentials. @param audience for whom it is */
export async function programToken({ issuer }: TestOpenIdProvider, client: string, audience: string): Promise<string> {
  const response = await fetch(`${issuer}/token`, {
    method: "POST",
    headers: {
      authorization: `Basic ${Buffer.from(`${client}:${encodeURIComponent(CLIENT.secret)}`).toString("base64")}`,
    },
    body: new URLSearchParams({ grant_type: "client_credentials", resource: audience }),
  });
  return z.object({ access_token: z.string() }).parse(await response.json()).access_token;
}

/** A person of the provider. */
export interface ProviderPerson {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: unknown;
  readonly name?: string;
  readonly groups?: unknown;
}

/** A real OpenID provider on loopback, whose sign-in page is replaced by the choice of a test. */
export interface TestOpenIdProvider {
  readonly issuer: string;
  /** The settings of a service that uses it. */
  readonly env: Readonly<Record<string, string>>;
  /** Allows these services to use it, with new keys. */
  serve(services: readonly { readonly url: string }[]): void;
  /** Who signs in next. */
  person: ProviderPerson | undefined;
  /** Changes the claims of the next ID tokens; the provider signs them, unless `as` says otherwise. */
  forge: Forgery | undefined;
  /** How the server behaves: hanging requests are never answered. */
  mood: "well" | "hanging" | "broken";
  close(): Promise<void>;
}

/** How an ID token is changed. */
export interface Forgery {
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly as?: "none" | "stranger";
}

/** Starts a provider that serves nobody yet. */
export async function startOpenIdProvider(): Promise<TestOpenIdProvider> {
  let handle: ((request: IncomingMessage, response: ServerResponse) => unknown) | undefined;
  const server = createServer((request, response) => {
    if (self.mood === "hanging") return;
    if (self.mood === "broken" || handle === undefined) return response.writeHead(500).end("broken");
    return handle(request, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("A server on loopback has a port.");
  const issuer = `http://127.0.0.1:${address.port}`;
  const self: TestOpenIdProvider = {
    issuer,
    env: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: CLIENT.id, OIDC_CLIENT_SECRET: CLIENT.secret, OIDC_NAME: "Acme" },
    serve(services) {
      handle = providerOf(self, services);
    },
    person: undefined,
    forge: undefined,
    mood: "well",
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return self;
}

function providerOf(self: TestOpenIdProvider, services: readonly { readonly url: string }[]) {
  const key = newKey();
  const provider = new Provider(self.issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: services.map(({ url }) => `${url}/auth/oidc/callback`),
        post_logout_redirect_uris: services.map(({ url }) => `${url}/sign-in`),
      },
      ...PROGRAMS.map((client_id) => ({
        client_id,
        client_secret: CLIENT.secret,
        grant_types: ["client_credentials"],
        redirect_uris: [],
        response_types: [],
      })),
    ],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "groups"] },
    cookies: { keys: ["a key of the test"] },
    jwks: { keys: [key] },
    pkce: { required: () => true },
    // Given, since the library prints a notice for each that it chooses itself.
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      ClientCredentials: 600,
      Grant: 600,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
    },
    adapter: memoryAdapter(),
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: (_, audience) => ({ scope: "", audience, accessTokenFormat: "jwt" as const }),
      },
    },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ ...self.person, sub }) }),
    async loadExistingGrant({ oidc }) {
      const known = oidc.session?.grantIdFor(CLIENT.id);
      if (known !== undefined) return oidc.provider.Grant.find(known);
      const grant = new oidc.provider.Grant({ clientId: CLIENT.id, accountId: oidc.session?.accountId });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
  });
  provider.use(async (ctx, next) => {
    await next();
    const { body } = ctx;
    if (self.forge === undefined || ctx.path !== "/token") return;
    for (const name of ["id_token", "access_token"]) {
      if (typeof body?.[name] === "string" && body[name].includes("."))
        body[name] = forged(body[name], key, self.forge);
    }
  });
  const callback = provider.callback();
  return async (request: IncomingMessage, response: ServerResponse) => {
    if (!(request.url ?? "").startsWith("/interaction/")) return callback(request, response);
    const result = self.person === undefined ? { error: "access_denied" } : { login: { accountId: self.person.sub } };
    return provider.interactionFinished(request, response, result);
  };
}

/** Keeps what the provider stores; the library warns of its own. */
export function memoryAdapter(kept = new Map<string, AdapterPayload>()): AdapterFactory {
  return (model) => {
    const find = async (id: string) => kept.get(`${model}:${id}`);
    const findBy = async (matches: (one: AdapterPayload) => boolean) => [...kept.values()].find(matches);
    return {
      upsert: async (id, payload) => void kept.set(`${model}:${id}`, payload),
      find,
      findByUid: (uid) => findBy((one) => one.uid === uid),
      findByUserCode: (code) => findBy((one) => one.userCode === code),
      consume: async (id) => void Object.assign((await find(id)) ?? {}, { consumed: 1 }),
      destroy: async (id) => void kept.delete(`${model}:${id}`),
      async revokeByGrantId(grantId) {
        for (const [key, one] of kept) if (one.grantId === grantId) kept.delete(key);
      },
    };
  };
}

/** A new key of a provider. */
export function newKey(): JWK {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return { ...privateKey.export({ format: "jwk" }), kty: "RSA", kid: randomUUID(), use: "sig", alg: "RS256" };
}

function forged(token: string, own: JWK, { claims = {}, as }: Forgery): string {
  const [, payload = ""] = token.split(".");
  const changed = { ...JSON.parse(Buffer.from(payload, "base64url").toString()), ...claims };
  const alg = as === "none" ? "none" : "RS256";
  const signed = [{ alg, kid: own.kid }, changed].map((part) =>
    Buffer.from(JSON.stringify(part)).toString("base64url"),
  );
  const text = signed.join(".");
  if (as === "none") return `${text}.`;
  const key = createPrivateKey({ key: { ...(as === "stranger" ? newKey() : own) }, format: "jwk" });
  return `${text}.${sign("RSA-SHA256", Buffer.from(text), key).toString("base64url")}`;
}
