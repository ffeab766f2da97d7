/** An error that the vendor reported inside a stream, in the AI SDK's form. */
export class ProviderStreamError extends Error {
  readonly report: unknown;

  constructor(report: unknown) {
    super("The vendor reported an error inside the stream.");
    this.name = "VendorStreamError";
    this.report = report;
  }
}
