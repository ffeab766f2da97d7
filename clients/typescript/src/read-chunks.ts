/** Yields the chunks of a stream, which Safari before 26.4 cannot iterate over, and cancels it at the end. */
export async function* readChunks<Chunk>(stream: ReadableStream<Chunk>): AsyncGenerator<Chunk> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // A stream that failed cannot be cancelled any more.
    await reader.cancel().catch(() => undefined);
  }
}
