/** An amount as people read it, with at least cents and at most millionths: `$2.50`, `$0.000123`. */
export function dollars(usd: number): string {
  return `$${usd.toFixed(6).replace(/0{1,4}$/, "")}`;
}
