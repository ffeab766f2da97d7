/**
 * Why a tool that a team's mode gives did not do its work, for the model to read and correct. Whatever else such a
 * tool throws is the matter of the run.
 */
export class ToolRejection extends Error {
  override readonly name = "ToolRefusal";
}
