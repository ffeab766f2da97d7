import { secretColumns } from "#db/queries/access/encrypted-secrets.ts";
import { secretContext } from "#operations/access/reencrypt-secrets.ts";
import { UnreadableSecretError } from "#lib/security/secret-box.ts";
import type { SecretBox } from "#lib/security/secret-box.ts";
import { mapRows } from "./copy-text.ts";
import { MoveError } from "./format.ts";
import type { Header } from "./format.ts";

/** From one key to another. */
export interface Keys {
  readonly from: Pick<SecretBox, "open">;
  readonly to: Pick<SecretBox, "encrypt">;
}

/** Encrypts the secrets of rows again. */
export interface Rewriter {
  rewrite(table: Header["tables"][number], rows: Buffer): Buffer;
}

/** Creates what moves the secrets of a workspace from one key to another. */
export function createRewriter({ from, to }: Keys, workspaceId: string): Rewriter {
  const places = secretColumns();
  function again(encrypted: string, context: string, table: string): string {
    try {
      return to.encrypt(from.open(encrypted, context), context);
    } catch (error) {
      if (!(error instanceof UnreadableSecretError)) throw error;
      throw new MoveError(`A secret in ${table} cannot be decrypted: save it again, or delete its row.`, {
        cause: error,
      });
    }
  }
  return {
    rewrite({ name, columns }, rows) {
      const here = places
        .filter(({ table }) => table === name)
        .map((place) => ({ ...place, at: columns.indexOf(place.column), by: columns.indexOf(place.name) }));
      if (here.length === 0) return rows;
      return mapRows(rows, (values) => {
        const changed = new Map<number, string>();
        for (const { kind, at, by } of here) {
          const [encrypted, row] = [values[at], values[by]];
          if (encrypted == null || row == null) continue;
          changed.set(at, again(encrypted, secretContext(kind, workspaceId, row), name));
        }
        return changed;
      });
    },
  };
}
