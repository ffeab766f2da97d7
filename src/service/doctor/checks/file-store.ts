import { checkBlobs } from "../../open-blobs.ts";
import { ok, warning } from "../define-check.ts";
import type { Check } from "../define-check.ts";

/** Whether files can be stored, read and deleted, in the bucket or the folder. */
export const fileStore: Check = {
  name: "file store",
  of: "machine",
  async run(config) {
    const notice = await checkBlobs(config);
    if (notice !== undefined) return warning(notice, "Look at S3_ENDPOINT and at the network between them.");
    return ok(
      config.S3_BUCKET === undefined ? "Files are in the data folder." : `Files are in the bucket ${config.S3_BUCKET}.`,
    );
  },
};
