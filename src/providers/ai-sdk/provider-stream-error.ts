/** An error that the vendor reported inside a running stream, in whatever form the AI SDK handed it on. */
export class ProviderStreamError extends Error {
  readonly report: unknown;

  constructor(report: unknown) {
    super("The vendor reported an error inside the stream.");
    this.name = "VendorStreamError";
    this.report = report;
  }
}
