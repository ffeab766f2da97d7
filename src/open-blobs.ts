import { access, constants, mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { BlobStore } from "#lib/blobs/blob-store.ts";
import { createLocalBlobs } from "#lib/blobs/local-blobs.ts";
import { createS3Blobs } from "#lib/blobs/s3-blobs.ts";
import { ConfigError } from "./config.ts";
import type { Config } from "./config.ts";
import { inDataFolder } from "./data-folder.ts";

const FOLDER = "files";

/**
 * Checks, where files are kept in a folder below the data folder, that this process may write there.
 * @throws DataFolderError when it may not.
 */
export async function checkFileFolder({ S3_BUCKET: bucket, MUSTER_DATA: dataFolder }: Config): Promise<void> {
  if (bucket !== undefined) return;
  const folder = join(dataFolder, FOLDER);
  await inDataFolder(async () => {
    await mkdir(dataFolder, { recursive: true, mode: 0o711 });
    await mkdir(folder, { recursive: true });
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  });
}

/**
 * Opens the store of files: the bucket of the settings S3_*, or else a folder below the data folder.
 * Nothing is read or written yet.
 * @throws ConfigError for a bucket without its key.
 */
export function openBlobs(config: Config): BlobStore {
  const { S3_BUCKET: bucket, S3_REGION: region } = config;
  if (bucket === undefined) return createLocalBlobs(join(config.MUSTER_DATA, FOLDER), "MUSTER_DATA");
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = config;
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new ConfigError("S3_BUCKET is set: S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be, too.");
  }
  const endpoint = config.S3_ENDPOINT ?? `https://s3.${region}.amazonaws.com`;
  return createS3Blobs({ endpoint, bucket, region, accessKeyId, secretAccessKey });
}
