import type { Tenant } from "#domain/access/role.ts";
import type { Database } from "#db/database.ts";
import { attachmentsOf } from "#db/queries/files/files.ts";
import type { FileOwner } from "#db/queries/files/files.ts";
import type { FileLinks } from "./file-links.ts";

/** A file as the payload of a delivery names it. */
export interface DeliveredFile {
  readonly name: string;
  /** Its media type. */
  readonly type: string;
  /** In bytes. */
  readonly size: number;
  /** Where it is fetched without a key, for 24 hours from now on. */
  readonly url: string;
  readonly direction: "input" | "output";
}

/** What {@link deliveredFiles} needs. */
export interface DeliverySource {
  readonly db: Database;
  readonly links: FileLinks;
  /** The service's address for others, without a trailing slash. */
  readonly serviceUrl: string;
}

/** The files of an attempt of a task or a run, for a delivery that tells of it: what it was given, then what it gave out. */
export async function deliveredFiles(
  { db, links, serviceUrl }: DeliverySource,
  tenant: Tenant,
  of: { readonly owner: FileOwner; readonly attempt: number },
): Promise<readonly DeliveredFile[]> {
  const files = await attachmentsOf(db, tenant, of);
  return files.map(({ id, ...file }) => ({ ...file, url: serviceUrl + links.pathOf(id) }));
}
