import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { signJwt, verifyJwt } from "./jwt.ts";

const KEY = Buffer.alloc(32, 1);
const CLAIMS = { sub: "ada", exp: 1 };

/** A token made by the book, with any header and any hash. */
function made(header: object, hash: string, key = KEY): string {
  const parts = [header, CLAIMS].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  return `${parts}.${createHmac(hash, key).update(parts).digest("base64url")}`;
}

test("a token is what RFC 7519 says, and reads back with its key", () => {
  expect(signJwt(CLAIMS, KEY)).toBe(made({ alg: "HS256", typ: "JWT" }, "sha256"));
  expect(verifyJwt(signJwt(CLAIMS, KEY), KEY)).toEqual(CLAIMS);
});

const [header = "", payload = "", signature = ""] = signJwt(CLAIMS, KEY).split(".");
const other = Buffer.from(JSON.stringify({ sub: "eve", exp: 1 })).toString("base64url");
const none = Buffer.from(JSON.stringify({ alg: "none", typ: "JWT" })).toString("base64url");

/** The last of the 43 characters has two bits that are not of the 256. */
function sameBytes(text: string): string {
  const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  return text.slice(0, -1) + digits.charAt(digits.indexOf(text.slice(-1)) + 1);
}

test.each([
  ["of another key", made({ alg: "HS256", typ: "JWT" }, "sha256", Buffer.alloc(32, 2))],
  ["with another algorithm that fits its signature", made({ alg: "HS512", typ: "JWT" }, "sha512")],
  ["with another header", made({ alg: "HS256", typ: "JWT", kid: "1" }, "sha256")],
  ["that says it needs no signature", `${none}.${payload}.`],
  ["with other claims", `${header}.${other}.${signature}`],
  ["with half a signature", `${header}.${payload}.${signature.slice(0, 20)}`],
  ["with other Base64 of the same signature", `${header}.${payload}.${sameBytes(signature)}`],
  ["with padding", `${header}.${payload}.${signature}=`],
  ["without a signature", `${header}.${payload}`],
  ["with a fourth part", `${header}.${payload}.${signature}.x`],
  ["that is empty", ""],
  ["that is a key", "mst_0123456789"],
])("a token %s is rejected", (_name, token) => {
  expect(verifyJwt(token, KEY)).toBeUndefined();
});
