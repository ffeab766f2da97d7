/** The encryption key is missing, malformed, does not belong to this database, or cannot be changed now. */
export class EncryptionKeyError extends Error {
  override readonly name = "EncryptionKeyError";
}
