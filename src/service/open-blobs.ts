import { access, constants } from "node:fs/promises";
import { join } from "node:path";
import { BlobStoreError, BlobStoreUnreachableError } from "#lib/blobs/blob-store.ts";
import type { BlobStore } from "#lib/blobs/blob-store.ts";
import { createFolder } from "#lib/create-folder.ts";
import { newId } from "#lib/ids.ts";
import { createLocalBlobs } from "#lib/blobs/local-blobs.ts";
import { createS3Blobs } from "#lib/blobs/s3-blobs.ts";
import { ConfigError } from "#config/config.ts";
import type { Config } from "#config/config.ts";
import { inDataFolder } from "./data-folder.ts";

const FOLDER = "files";

/**
 * Checks that this process may write, read and delete files: in the folder below the data folder, or in the bucket.
 * Returns a message for the operator when the bucket is currently unreachable.
 * @throws DataFolderError or ConfigError when it may not
 */
export async function checkBlobs(config: Config): Promise<string | undefined> {
  if (config.S3_BUCKET !== undefined) return checkBucket(config, config.S3_BUCKET);
  const { MUSTER_DATA: dataFolder } = config;
  const folder = join(dataFolder, FOLDER);
  await inDataFolder(async () => {
    createFolder(dataFolder, 0o711);
    createFolder(folder, 0o777);
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  });
  return undefined;
}

async function checkBucket(config: Config, bucket: string): Promise<string | undefined> {
  const blobs = openBlobs(config);
  const key = `start-check/${newId()}`;
  try {
    await blobs.put(key, Buffer.from("muster"), "text/plain");
    await blobs.get(key);
    await blobs.delete(key);
    return undefined;
  } catch (error) {
    // An outage of the store must not stop the service; a wrong key or name is permanent.
    if (error instanceof BlobStoreUnreachableError)
      return `${error.message} Files cannot be stored or read until it can.`;
    if (!(error instanceof BlobStoreError)) throw error;
    throw new ConfigError(`S3_BUCKET: ${error.message} The key must be allowed to put, get and delete in ${bucket}.`, {
      cause: error,
    });
  }
}

/**
 * Opens the file store: the bucket of the settings S3_*, or else a folder below the data folder. Reads and writes
 * nothing yet.
 * @throws ConfigError for a bucket without its key
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
