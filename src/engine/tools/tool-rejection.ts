/**
 * A tool of a team's mode rejects a call; the model reads the reason and can correct it. Any other error of such a tool
 * is an error of the run.
 */
export class ToolRejection extends Error {
  override readonly name = "ToolRejection";
}
