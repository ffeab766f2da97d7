/** Returns a failed run in OpenAI's form: for an event of a stream, or the body of a response. */
export function failedReply({ message, code }: { readonly message: string; readonly code: string }) {
  return { error: { message, type: "server_error", param: null, code: code.toLowerCase() } };
}
