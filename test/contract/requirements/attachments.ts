import type { Requirements } from "./requirement.ts";

const LATER = "attachments are not built yet";

/** Uploaded files and their signed addresses. */
export const attachments = {
  "attachments.upload": {
    states: "POST /files takes a multipart upload and returns the file's id.",
    source: "decision",
    open: LATER,
  },
  "attachments.upload.limit": {
    states: "A file above 10 MB is refused.",
    source: "decision",
    open: LATER,
  },
  "attachments.storage.folder": {
    states: "Files are kept under the data folder.",
    source: "decision",
    open: LATER,
  },
  "attachments.storage.s3": {
    states: "A setting keeps them in an S3-compatible bucket instead.",
    source: "decision",
    open: LATER,
  },
  "attachments.url.signed": {
    states: "A file's address is signed and works without a key for 24 hours.",
    source: "contract",
    open: LATER,
  },
  "attachments.url.expired": {
    states: "After that, or with another signature, it is refused.",
    source: "decision",
    open: LATER,
  },
} as const satisfies Requirements<"attachments">;
