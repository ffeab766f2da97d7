import { randomBytes } from "node:crypto";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { UnreadableSecretError, KEY_BYTES, createSecretBox } from "./secret-box.ts";

/** What Node says of a wrong tag, and of a nonce or a tag that is too short. */
const REFUSED = UnreadableSecretError;

const box = createSecretBox(Buffer.alloc(KEY_BYTES, 1));
const other = createSecretBox(Buffer.alloc(KEY_BYTES, 2));

test("an encrypted text is decrypted under the same context only", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.string(), (secret, context) => {
      const encrypted = box.encrypt(secret, context);
      expect(box.open(encrypted, context)).toBe(secret);
      expect(() => box.open(encrypted, `${context}x`)).toThrow(REFUSED);
      expect(() => other.open(encrypted, context)).toThrow(REFUSED);
    }),
  );
});

test("a change of any bit is detected", () => {
  const encrypted = Buffer.from(box.encrypt("a secret", "row"), "base64");
  for (let bit = 0; bit < encrypted.length * 8; bit++) {
    const changed = Buffer.from(encrypted);
    changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    expect(() => box.open(changed.toString("base64"), "row")).toThrow(REFUSED);
  }
});

test("a truncated text, or one that was never encrypted, is not decrypted", () => {
  const encrypted = Buffer.from(box.encrypt("a secret", "row"), "base64");
  for (let length = 0; length < encrypted.length; length++) {
    expect(() => box.open(encrypted.subarray(0, length).toString("base64"), "row")).toThrow(REFUSED);
  }
  expect(() => box.open("hello", "row")).toThrow(REFUSED);
});

test("the same secret is encrypted differently each time, and never readable", () => {
  const encrypted = Array.from({ length: 100 }, () => box.encrypt("a secret", "row"));
  expect(new Set(encrypted).size).toBe(100);
  expect(Buffer.from(encrypted[0] ?? "", "base64").toString("latin1")).not.toContain("a secret");
});

test("a fingerprint distinguishes keys and is always the same for one", () => {
  expect(box.fingerprint).toMatch(/^[0-9a-f]{16}$/);
  expect(createSecretBox(Buffer.alloc(KEY_BYTES, 1)).fingerprint).toBe(box.fingerprint);
  expect(other.fingerprint).not.toBe(box.fingerprint);
});

test("a key of another length is rejected", () => {
  for (const length of [0, 16, 31, 33]) {
    expect(() => createSecretBox(randomBytes(length))).toThrow(`this one has ${length}`);
  }
});

test("keys of different purposes and of different boxes differ, and the same is derived again", () => {
  const keys = [box.derive("one"), box.derive("two"), other.derive("one"), Buffer.alloc(KEY_BYTES, 1)];
  expect(new Set(keys.map((key) => key.toString("hex"))).size).toBe(keys.length);
  expect(box.derive("one")).toEqual(keys[0]);
  expect(keys[0]).toHaveLength(KEY_BYTES);
});
