import { z } from "zod";
import { vendorIdOrUrl } from "./config/fields.ts";
import { folderId } from "./config/vendor-url.ts";
import { defineDestination } from "./define-destination.ts";
import { oneLine } from "./message/describe.ts";

const DOCUMENT = "application/vnd.google-apps.document";

/**
 * Creates a document by uploading its text, which Drive converts. A single request, so no attempt leaves an empty
 * document (https://developers.google.com/workspace/drive/api/guides/manage-uploads#multipart).
 */
export default defineDestination({
  type: "google_docs",
  title: "Google Docs",
  description: "Creates a document with the full result.",
  guide: {
    setup: "The folder's ID is the last part of its URL; the whole URL will do.",
    example: { drive_folder_id: "1AbCdEfGhIjKlMnOpQrStUvWxYz" },
  },
  account: "google",
  vendor: { setting: "GOOGLE_API_BASE", base: "https://www.googleapis.com" },
  config: z.strictObject({
    drive_folder_id: vendorIdOrUrl("Drive Folder ID", {
      idOf: folderId,
      pattern: /^[\w-]+$/,
      message: "must be the folder's URL, or the last part of it",
    })
      .optional()
      .meta({ title: "Drive Folder ID", description: "Default: the top folder of the Drive." }),
  }),
  async deliver(context, { drive_folder_id: folder }, payload) {
    const name = oneLine(`[${context.serviceName}] ${payload.task_title} — ${payload.timestamp}`);
    const metadata = { name, mimeType: DOCUMENT, ...(folder !== undefined && { parents: [folder] }) };
    const boundary = `muster-${context.deliveryId}`;
    await context.callApi("/upload/drive/v3/files?uploadType=multipart&supportsAllDrives=true", {
      headers: {
        authorization: `Bearer ${await context.googleAccessToken()}`,
        "content-type": `multipart/related; boundary=${boundary}`,
      },
      body: [
        ...part(boundary, "application/json; charset=UTF-8", JSON.stringify(metadata)),
        ...part(boundary, "text/plain; charset=UTF-8", payload.result_full || (payload.error ?? "")),
        `--${boundary}--`,
        "",
      ].join("\r\n"),
    });
  },
});

function part(boundary: string, type: string, content: string): readonly string[] {
  return [`--${boundary}`, `content-type: ${type}`, "", content];
}
