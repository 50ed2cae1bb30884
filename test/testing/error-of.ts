/** The status and the words with which a client of Ollama was refused; null for each where it was not. */
export async function errorOf(call: Promise<unknown>): Promise<unknown> {
  const { error, status_code: status } = await call.then(
    () => ({ error: null, status_code: null }),
    (thrown: { error: unknown; status_code: unknown }) => thrown,
  );
  return { status, error };
}
