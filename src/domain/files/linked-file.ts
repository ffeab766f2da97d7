/** A file on another server, which a request names by its URL. */
export interface LinkedFile {
  readonly url: string;
  /** Its name; undefined: the last part of the URL. */
  readonly name: string | undefined;
  /** Whether only an image will do. */
  readonly isImage: boolean;
  /** The field of the request that contains the URL. */
  readonly field: string;
}
