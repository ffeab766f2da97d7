import type { Tenant } from "#domain/access/role.ts";
import type { Database } from "#db/database.ts";
import { attachmentsOf } from "#db/queries/files/files.ts";
import type { FileOwner } from "#db/queries/files/files.ts";
import type { FileLinks } from "../ports.ts";

/** A file in the payload of a delivery. */
export interface DeliveredFile {
  readonly name: string;
  /** The media type. */
  readonly type: string;
  /** The size in bytes. */
  readonly size: number;
  /** The download URL, valid without a key for 24 hours. */
  readonly url: string;
  readonly direction: "input" | "output";
}

/** What {@link deliveredFiles} needs. */
export interface DeliverySource {
  readonly db: Database;
  readonly links: FileLinks;
  /** The service's public URL, without a trailing slash. */
  readonly serviceUrl: string;
}

/** Returns the files of an attempt of a task or a run for its delivery: first its inputs, then its outputs. */
export async function deliveredFiles(
  { db, links, serviceUrl }: DeliverySource,
  tenant: Tenant,
  of: { readonly owner: FileOwner; readonly attempt: number },
): Promise<readonly DeliveredFile[]> {
  const files = await attachmentsOf(db.inWorkspace(tenant), of);
  return files.map(({ id, ...file }) => ({ ...file, url: serviceUrl + links.pathOf(id) }));
}
