import type { Client } from "pg";
import { fillWorkspace } from "#tenancy/side.ts";
import type { Side } from "#tenancy/side.ts";
import { signInOwner } from "#tenancy/sign-in.ts";

/** A side whose owner is signed in. */
export type OpenSide = Side & { readonly token: string };

/** Makes a workspace with a row in each table in the database of a service, and signs its owner in. */
export async function openSide(client: Client, url: string, name: string): Promise<OpenSide> {
  await client.query("begin");
  const side = await fillWorkspace(client, { name, rows: "lasting" });
  await client.query("commit");
  const { token = "", ...signedIn } = await signInOwner(url, side, client);
  if (token === "") throw new Error("The owner cannot sign in.");
  return { ...signedIn, token };
}
