import { createHash, createHmac } from "node:crypto";
import type { StrictRequest } from "./strict-server.ts";

/** The access key that the strict Bedrock knows. */
export const ACCESS_KEY = { id: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY" };
/** The region that it is in. */
export const REGION = "eu-central-1";

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;

/**
 * Checks a signature of version 4, written from its description:
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html. Returns Amazon's words if it
 * is wrong.
 */
export function checkAwsSignature({
  path,
  headers,
  text,
  authorization,
}: Pick<StrictRequest, "path" | "headers" | "text"> & { readonly authorization: string }): string | undefined {
  const [, id, day = "", region = "", service = "", names = "", signature] = AUTHORIZATION.exec(authorization) ?? [];
  if (id !== ACCESS_KEY.id) return "The security token included in the request is invalid.";
  if (region !== REGION) return `Credential should be scoped to a valid region.`;
  if (service !== "bedrock") return "Credential should be scoped to correct service: 'bedrock'.";
  const scope = `${day}/${region}/${service}/aws4_request`;
  const canonical = [
    "POST",
    path.split("/").map(encodeURIComponent).join("/"),
    "",
    ...names.split(";").map((name) => `${name}:${String(headers[name] ?? "").trim()}`),
    "",
    names,
    sha256(text),
  ].join("\n");
  const toSign = ["AWS4-HMAC-SHA256", String(headers["x-amz-date"]), scope, sha256(canonical)].join("\n");
  const key = [day, region, service, "aws4_request"].reduce<Buffer | string>(
    (secret, part) => hmac(secret, part),
    `AWS4${ACCESS_KEY.secret}`,
  );
  return hmac(key, toSign).toString("hex") === signature
    ? undefined
    : "The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method.";
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
