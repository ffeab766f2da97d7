import type { Dice } from "#lib/dice.ts";
import type { Fleet } from "./fleet.ts";
import type { OwnDatabase } from "./own-database.ts";
import type { FaultyProvider } from "./provider.ts";
import type { Workforce } from "./workforce.ts";

/** Everything that takes part. */
export interface Scene {
  readonly dice: Dice;
  readonly database: OwnDatabase;
  readonly provider: FaultyProvider;
  readonly fleet: Fleet;
  readonly workforce: Workforce;
  /** Fires when the work that is left is not waited for any longer. */
  readonly givenUp: AbortSignal;
}
