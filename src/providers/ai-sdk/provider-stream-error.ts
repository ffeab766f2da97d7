/** An error that the provider reported inside a stream, in the AI SDK's form. */
export class ProviderStreamError extends Error {
  readonly report: unknown;

  constructor(report: unknown) {
    super("The provider reported an error inside the stream.");
    this.name = "ProviderStreamError";
    this.report = report;
  }
}
