import { errorWords } from './error-words.ts';

// Servers say in words of their own that a prompt does not fit, with status 400,
// 413, 422 or 500. So the words decide.

/** How a server said that the prompt does not fit. */
interface Overflow {
  /**
   * The prompt by the server's own count, alone where it tells prompt and answer
   * apart: it may then be below `window`, and only both together are above.
   */
  readonly tokens: number | null;
  /** The most it takes, in tokens. */
  readonly window: number | null;
  /** By how many tokens the prompt is too long, where it says no more than that. */
  readonly excess: number | null;
}

/**
 * What the text of an error says of a prompt that does not fit; null where it speaks
 * of something else. Limits by time (tokens per minute) and limits of the answer
 * alone are something else; so is what stands in a request that an error repeats.
 */
export function readOverflow(text: string): Overflow | null {
  const plain = errorWords(text);
  if (byTime.test(plain) || !wordings.some((said) => said.test(plain))) return null;
  const matches = [...fields, ...wordings].map((said) => said.exec(plain)?.groups ?? {});
  return {
    tokens: first(matches, 'tokens'),
    window: first(matches, 'window'),
    excess: first(matches, 'excess'),
  };
}

const byTime =
  /(?:tokens?|requests?) per (?:sec|min|hour|day)|\b[TR]P[MD]\b|rate.?limit|too many requests|throttl|quota/i;

/** Numbers beside the words, once these have said that it is an overflow. */
const fields: readonly RegExp[] = [
  /\bn_prompt_tokens"?[ :=]{1,3}(?<tokens>\d+)/,
  /\bn_ctx"?[ :=]{1,3}(?<window>\d+)/,
  /\bexceed(?:s|ed|ing)?\b[^.\n]{0,80}? by (?<excess>[\d,]{1,12}) tokens/i,
];

/** Most telling first: the first that gives a number counts. */
const wordings: readonly RegExp[] = [
  // llama.cpp, and Ollama where it runs llama-server
  /request \((?<tokens>\d+) tokens\) exceeds the available context size \((?<window>\d+) tokens\)/i,
  /exceed_context_size_error|exceeds? the available context size|context size (?:has been )?exceeded/i,
  // llama-cpp-python
  /requested tokens \((?<tokens>\d+)\) exceed context window of (?<window>\d+)/i,
  // Ollama with renderers of its own, its older runner, and its cloud
  /prompt is longer than the context length/i,
  /input length exceeds (?:the|maximum) context length/i,
  /prompt too long; exceeded max context length by \d+ tokens/i,
  // Clients in words of their own
  /context (?:length|window) (?:was |is |has been )?exceeded|exceed(?:s|ed|ing)? (?:the |its )?(?:maximum |max )?context (?:length|window)/i,
  // LM Studio
  /context length of only (?<window>\d+) tokens|tokens to keep from the initial prompt is greater than/i,
  /reached context length of (?<window>\d+) tokens/i,
  // vLLM, as it gives prompt and answer now
  /maximum context length is (?<window>[\d,]+) tokens[^]{0,120}?(?:request has|prompt contains(?: at least)?) (?<tokens>[\d,]+) input tokens/i,
  /passed (?<tokens>[\d,]+) input tokens[^]{0,120}?context length is only (?<window>[\d,]+)/i,
  /prompt \(length (?<tokens>\d+)\) is longer than the maximum model length of (?<window>\d+)/i,
  // SGLang, Together
  /input \((?<tokens>[\d,]+) tokens\) is longer than the model's context length \((?<window>[\d,]+)/i,
  /requested token count exceeds the model's maximum context length of (?<window>[\d,]+)[^]{0,80}?: (?<tokens>[\d,]+) tokens from the input/i,
  // text-generation-inference: Hugging Face, Together
  /max_new_tokens`? must be <= (?<window>\d+)\. given: (?<tokens>\d+) `?inputs/i,
  // OpenAI, Azure, DeepSeek, OpenRouter and who copied them
  /maximum context length is (?<window>[\d,]+) tokens[^]{0,120}?\((?<tokens>[\d,]+) (?:in the messages|in (?:the|your) prompt|of text input|of the input)/i,
  /maximum context length is (?<window>[\d,]+) tokens[^]{0,80}?(?:requested(?: about)?|resulted in) (?<tokens>[\d,]+) tokens/i,
  /maximum context length (?:is|of) (?<window>[\d,]+)/i,
  /exceed the configured limit of (?<window>[\d,]+) tokens[^]{0,80}?resulted in (?<tokens>[\d,]+)/i,
  /context_(?:length|window)_exceeded|ContextWindowExceeded|input exceeds the context window/i,
  // Anthropic, also through Bedrock and Vertex
  /prompt is too long: (?<tokens>[\d,]+) tokens > (?<window>[\d,]+) maximum/i,
  /input length and `?max_tokens`? exceed context limit: (?<tokens>\d+) \+ \d+ > (?<window>\d+)/i,
  /\brequest_too_large\b/,
  // Fireworks, and whoever says no more than that
  /prompt is too long(?:: (?<tokens>[\d,]+), model maximum context length: (?<window>[\d,]+))?/i,
  // Google
  /input token count \((?<tokens>\d+)\) exceeds the maximum number of tokens allowed \((?<window>\d+)\)/i,
  /input token count is (?<tokens>\d+) but (?:the )?model only supports up to (?<window>\d+)/i,
  /input token count[^.]{0,40} exceeds the maximum/i,
  // Bedrock
  /input is too long for requested model/i,
  // Mistral
  /prompt contains (?<tokens>[\d,]+) tokens[^]{0,60}?too large for model with (?<window>[\d,]+) maximum context length/i,
  // Cerebras, Groq
  /reduce the length of the messages or completion(?:\. current length is (?<tokens>\d+) while limit is (?<window>\d+))?/i,
  // xAI
  /maximum prompt length is (?<window>[\d,]+) but the request contains (?<tokens>[\d,]+) tokens/i,
  // GitHub Copilot
  /prompt token count of (?<tokens>[\d,]+) exceeds the limit of (?<window>[\d,]+)/i,
  /model_max_prompt_tokens_exceeded/i,
  // Moonshot
  /exceeded model token limit: (?<window>\d+)(?: \(requested: (?<tokens>\d+)\))?/i,
  // MiniMax, Z.ai, DashScope
  /context window exceeds limit|prompt exceeds max(?:imum)? length|model_context_window_exceeded/i,
  /range of input length should be \[\d+, ?(?<window>\d+)\]/i,
  // Cohere
  /tokens in the prompt cannot exceed (?<window>\d+)(?: - received (?<tokens>\d+))?/i,
  // SambaNova
  /prompt is (?<tokens>\d+) tokens long[^]{0,120}?maximum supported sequence length is (?:just )?(?<window>\d+)/i,
  // Cloudflare
  /tokens \((?<tokens>\d+)\) exceeded this model context window limit \((?<window>\d+)\)/i,
  // watsonx
  /input tokens (?<tokens>\d+) cannot exceed the total tokens limit (?<window>\d+)/i,
  // TensorRT-LLM, TabbyAPI
  /prompt length \(?(?<tokens>\d+)\)? (?:exceeds maximum input length|is greater than max_seq_len) \(?(?<window>\d+)/i,
];

function first(
  matches: readonly Readonly<Record<string, string | undefined>>[],
  name: keyof Overflow,
): number | null {
  for (const { [name]: said } of matches)
    if (said !== undefined) return Number(said.replaceAll(',', ''));
  return null;
}
