/** An attempt to read a document, as the durable engine gets it; the database function `enqueue_ingest` builds it. */
export interface IngestJob {
  readonly workspaceId: string;
  readonly documentId: string;
  readonly attempt: number;
}
