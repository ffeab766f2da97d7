import { createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import { z } from "zod";
import { startGemini } from "./google.ts";
import { Rejection } from "./strict-server.ts";
import type { StrictRequest, StrictServer } from "./strict-server.ts";

const EMAIL = "muster@project-7.iam.gserviceaccount.com";
const TOKEN = "ya29.token-of-the-test";
const LOCATION = /^\/v1\/projects\/project-7\/locations\/(?:global|europe-west4)\/publishers\/google\/models\//;
const EXPRESS = /^\/v1\/publishers\/google\/models\//;

const { privateKey, publicKey } = generateKeyPairSync("rsa", {
  modulusLength: 2_048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});

/** Vertex AI, and the number of access tokens that it gave. */
export interface VertexServer extends StrictServer {
  readonly tokens: () => number;
}

/** Starts Vertex AI, with its token endpoint. It takes an API key in express mode, else an access token. */
export async function startVertex(): Promise<VertexServer> {
  let tokens = 0;
  const server = await startGemini({
    basePath: "/v1",
    aside(path, text) {
      if (path !== "/token") return undefined;
      tokens += 1;
      return tokenFor(text);
    },
    check,
  });
  return { ...server, tokens: () => tokens };
}

/** The key file of a service account that a server knows. */
export function serviceAccountKey(
  { baseUrl }: Pick<StrictServer, "baseUrl">,
  fields: Readonly<Record<string, string>> = {},
): string {
  return JSON.stringify(
    {
      type: "service_account",
      project_id: "project-7",
      private_key_id: "0123456789abcdef",
      private_key: privateKey,
      client_email: EMAIL,
      token_uri: new URL("/token", baseUrl).href,
      ...fields,
    },
    null,
    2,
  );
}

const claims = z.strictObject({
  iss: z.literal(EMAIL),
  scope: z.literal("https://www.googleapis.com/auth/cloud-platform"),
  aud: z.url(),
  iat: z.int(),
  exp: z.int(),
});

/** https://developers.google.com/identity/protocols/oauth2/service-account */
function tokenFor(text: string): object {
  const form = new URLSearchParams(text);
  const [head = "", body = "", signature = ""] = (form.get("assertion") ?? "").split(".");
  const { iat, exp } = claims.parse(JSON.parse(Buffer.from(body, "base64url").toString()));
  const isSigned = verify(
    "RSA-SHA256",
    Buffer.from(`${head}.${body}`),
    createPublicKey(publicKey),
    Buffer.from(signature, "base64url"),
  );
  if (form.get("grant_type") !== "urn:ietf:params:oauth:grant-type:jwt-bearer" || !isSigned || exp - iat > 3_600) {
    return { error: "invalid_grant", error_description: "Invalid JWT Signature." };
  }
  return { access_token: TOKEN, expires_in: 3_599, token_type: "Bearer" };
}

const contents = z.looseObject({
  contents: z.array(
    z.looseObject({
      parts: z.array(
        z.looseObject({
          functionCall: z.looseObject({}).optional(),
          functionResponse: z.looseObject({}).optional(),
        }),
      ),
    }),
  ),
});

function check({ path, headers, body }: StrictRequest): void {
  const key = headers["x-goog-api-key"];
  const isExpress = EXPRESS.test(path);
  if (isExpress && key === undefined) refuse(401, "API keys are required in express mode.", "UNAUTHENTICATED");
  if (!isExpress && key !== undefined) {
    const message =
      "API keys are not supported by this API. Expected OAuth2 access token or other authentication credentials that assert a principal.";
    refuse(401, message, "UNAUTHENTICATED");
  }
  if (!isExpress && headers.authorization !== `Bearer ${TOKEN}`) {
    refuse(401, "Request had invalid authentication credentials. Expected OAuth 2 access token.", "UNAUTHENTICATED");
  }
  if (!isExpress && !LOCATION.test(path)) {
    refuse(403, "Permission 'aiplatform.endpoints.predict' denied on resource.", "PERMISSION_DENIED");
  }
  contents.parse(body).contents.forEach(({ parts }, turn) => {
    parts.forEach(({ functionCall, functionResponse }, index) => {
      if (![functionCall, functionResponse].some((each) => each !== undefined && "id" in each)) return;
      const at = `contents[${turn}].parts[${index}].${functionCall === undefined ? "function_response" : "function_call"}`;
      refuse(
        400,
        `Invalid JSON payload received. Unknown name "id" at '${at}': Cannot find field.`,
        "INVALID_ARGUMENT",
      );
    });
  });
}

function refuse(code: number, message: string, status: string): never {
  throw new Rejection(code, { error: { code, message, status } });
}
