import type { Dice } from "./dice.ts";
import type { Fleet } from "./fleet.ts";
import type { OwnDatabase } from "./own-database.ts";
import type { FaultyVendor } from "./vendor.ts";
import type { Workforce } from "./workforce.ts";

/** Everything that takes part. */
export interface Scene {
  readonly dice: Dice;
  readonly database: OwnDatabase;
  readonly vendor: FaultyVendor;
  readonly fleet: Fleet;
  readonly workforce: Workforce;
  /** Fires when the work that is left is not waited for any longer. */
  readonly givenUp: AbortSignal;
}
