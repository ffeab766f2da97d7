import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { expect, test } from "vitest";
import { BlobStoreError } from "#lib/blobs/blob-store.ts";
import { createLocalBlobs } from "#lib/blobs/local-blobs.ts";
import { createImageShow } from "./show-images.ts";

const KEY = "files/w/picture";
const IMAGE = { id: "i", name: "picture.png", type: "image/png", blobKey: KEY };
const never = new AbortController().signal;

test("an image is shown although the file store was unavailable for a moment", async () => {
  const folder = await mkdtemp(join(tmpdir(), "muster-images-"));
  try {
    const blobs = createLocalBlobs(folder);
    await blobs.put(KEY, Buffer.from("pixels"), IMAGE.type);
    await rename(`${folder}/files`, `${folder}/away`);
    await writeFile(`${folder}/files`, "");
    const shown = createImageShow({ blobs, log: pino({ enabled: false }) }, never)([IMAGE]);
    await expect(blobs.get(KEY)).rejects.toThrow(BlobStoreError);
    await rm(`${folder}/files`);
    await rename(`${folder}/away`, `${folder}/files`);
    expect(await shown).toMatchObject([{ images: [{ name: IMAGE.name, data: Buffer.from("pixels") }] }]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
