import { expect, test } from "vitest";
import { hashPassword, verifyPassword } from "./password.ts";

const PHC = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/;

test("only the right password matches a hash", { tags: "slow" }, async () => {
  const hash = await hashPassword("correct horse 🐎");
  expect(hash).toMatch(PHC);
  expect(await verifyPassword("correct horse 🐎", hash)).toBe(true);
  for (const wrong of ["", "correct horse", "Correct horse 🐎", "correct horse 🐎 "]) {
    expect(await verifyPassword(wrong, hash)).toBe(false);
  }
});

test("the same password has another hash each time", async () => {
  const [one, two] = await Promise.all([hashPassword("same"), hashPassword("same")]);
  expect(one).not.toBe(two);
});

test("a hash made with other settings is verified with those", async () => {
  // Made with the reference implementation's parameters of RFC 9106's small form: m=64, t=3, p=4.
  const { argon2Sync } = await import("node:crypto");
  const nonce = Buffer.from("somesaltsomesalt");
  const tag = argon2Sync("argon2id", { message: "pw", nonce, tagLength: 16, memory: 64, passes: 3, parallelism: 4 });
  const text = (bytes: Buffer) => bytes.toString("base64").replaceAll("=", "");
  const hash = `$argon2id$v=19$m=64,t=3,p=4$${text(nonce)}$${text(tag)}`;
  expect(await verifyPassword("pw", hash)).toBe(true);
  expect(await verifyPassword("px", hash)).toBe(false);
});

test("no password matches a value that is not a hash", async () => {
  for (const hash of ["", "pw", "$argon2i$v=19$m=64,t=3,p=4$c29tZXNhbHQ$aGFzaA", "$2b$10$abcdefghijklmnopqrstuv"]) {
    expect(await verifyPassword("pw", hash)).toBe(false);
  }
});

test("no password fits an account without a hash", async () => {
  for (const password of ["", "correct horse", "\0".repeat(32)]) {
    expect(await verifyPassword(password, null)).toBe(false);
    expect(await verifyPassword(password)).toBe(false);
  }
});
