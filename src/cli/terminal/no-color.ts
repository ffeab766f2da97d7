/** Whether the user asked for output without colours (https://no-color.org). */
export function prefersNoColor(env: NodeJS.ProcessEnv = process.env): boolean {
  return Boolean(env["NO_COLOR"]) || env["TERM"] === "dumb";
}
