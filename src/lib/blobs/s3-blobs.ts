import { createHash } from "node:crypto";
import { AwsClient } from "aws4fetch";
import { BlobMissingError, BlobStoreError, BlobStoreUnreachableError, checkKey } from "./blob-store.ts";
import type { BlobStore } from "./blob-store.ts";
import { trimEndOf } from "../text/trim-end.ts";

/** Retries when the store is overloaded or unavailable. */
const RETRIES = 3;
const TIMEOUT_MS = 30_000;
/** The characters shown of an error response. */
const EXCERPT = 300;

/** A bucket of an S3-compatible store, and its credentials. */
export interface S3Options {
  /** The store's endpoint; the bucket is the first part of the path. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Stores contents in a bucket of Amazon S3 or a compatible store (MinIO, R2, Ceph, Garage). */
export function createS3Blobs(options: S3Options): BlobStore {
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = options;
  const client = new AwsClient({ service: "s3", region, accessKeyId, secretAccessKey, retries: RETRIES });
  const root = `${trimEndOf(endpoint, "/")}/${encodeURIComponent(bucket)}`;

  async function ask(method: string, key: string, init: RequestInit = {}): Promise<Response> {
    const url = `${root}/${checkKey(key)}`;
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const answer = await client.fetch(url, { ...init, method, signal }).catch((error: unknown) => {
      throw new BlobStoreUnreachableError(`The bucket ${bucket} cannot be reached at ${endpoint}.`, { cause: error });
    });
    if (answer.ok) return answer;
    const said = (await answer.text()).slice(0, EXCERPT);
    if (answer.status === 404 && !said.includes("NoSuchBucket")) {
      throw new BlobMissingError("A stored file is missing in the bucket.");
    }
    throw new BlobStoreError(`The bucket ${bucket} refused to ${method} (${answer.status}): ${said}`);
  }

  return {
    async put(key, content, mediaType) {
      const body = new Uint8Array(content);
      const digest = createHash("sha256").update(body).digest("hex");
      // The signed digest lets the store detect corruption in transit.
      await ask("PUT", key, { body, headers: { "Content-Type": mediaType, "X-Amz-Content-Sha256": digest } });
    },
    get: async (key) => new Uint8Array(await (await ask("GET", key)).arrayBuffer()),
    async stream(key) {
      const { body } = await ask("GET", key);
      return body ?? new Blob([]).stream();
    },
    async delete(key) {
      await ask("DELETE", key).catch((error: unknown) => {
        if (!(error instanceof BlobMissingError)) throw error;
      });
    },
  };
}
