import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "@20minutes/s3rver";

/** A bucket of an S3-compatible server on loopback. */
export interface TestBucket {
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Where the server keeps it; an object's content is a file below, named after its key. */
  readonly folder: string;
  close(): Promise<void>;
}

const BUCKET = "muster-files";

/** Starts an S3-compatible server with one empty bucket. It checks signatures as S3 does. */
export async function startBucket(): Promise<TestBucket> {
  const directory = await mkdtemp(join(tmpdir(), "muster-bucket-"));
  const server = new S3rver({
    address: "127.0.0.1",
    port: 0,
    directory,
    silent: true,
    configureBuckets: [{ name: BUCKET }],
  });
  const { port } = await server.run();
  return {
    endpoint: `http://127.0.0.1:${port}`,
    bucket: BUCKET,
    region: "eu-central-1",
    // The one account that this server knows.
    accessKeyId: "S3RVER",
    secretAccessKey: "S3RVER",
    folder: join(directory, BUCKET),
    close: async () => {
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
