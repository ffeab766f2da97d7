import { expect, test } from "vitest";
import { formatSize } from "#lib/text/format-size.ts";

test.each([
  [0, "0 bytes"],
  [1, "1 byte"],
  [1023, "1023 bytes"],
  [1024, "1 KiB"],
  [1536, "1.5 KiB"],
  [1024 ** 2, "1 MiB"],
  [25 * 1024 ** 2, "25 MiB"],
  [10_000_000, "9.5 MiB"],
  [3 * 1024 ** 3, "3 GiB"],
  [5 * 1024 ** 5, "5120 TiB"],
])("%d bytes read %s", (bytes, text) => {
  expect(formatSize(bytes)).toBe(text);
});
