/** What llama-server answers to a prompt longer than its window; Ollama passes it on as text. */
export function exceedsContext(tokens: number, window: number): object {
  return {
    error: {
      code: 400,
      message: `request (${tokens} tokens) exceeds the available context size (${window} tokens), try increasing it`,
      type: 'exceed_context_size_error',
      n_prompt_tokens: tokens,
      n_ctx: window,
    },
  };
}
