import { describe, expect, test } from 'vitest';
import { readOverflow } from '../../../src/llm/server/overflow-error.ts';

interface Said {
  readonly by: string;
  readonly text: string;
  readonly tokens?: number;
  readonly window?: number;
  readonly excess?: number;
}

const inner =
  '{"error":{"code":400,"message":"request (910 tokens) exceeds the available context size (256 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":910,"n_ctx":256}}';

const overflows: readonly Said[] = [
  { by: 'llama.cpp', text: inner, tokens: 910, window: 256 },
  {
    by: 'llama.cpp, numbers in fields alone',
    text: '{"error":{"type":"exceed_context_size_error","n_prompt_tokens":5001,"n_ctx":4096}}',
    tokens: 5001,
    window: 4096,
  },
  {
    by: 'llama.cpp, numbers in words',
    text: 'the request exceeds the available context size: n_prompt_tokens 6324, n_ctx 4096',
    tokens: 6324,
    window: 4096,
  },
  {
    by: 'llama.cpp, older',
    text: '{"error":{"code":500,"message":"the request exceeds the available context size. try increasing the context size or enable context shift","type":"invalid_request_error"}}',
  },
  {
    by: 'llama.cpp, while it answers',
    text: '{"error":{"code":500,"message":"Context size has been exceeded.","type":"server_error"}}',
  },
  {
    by: 'llama-cpp-python',
    text: 'Requested tokens (5301) exceed context window of 4096',
    tokens: 5301,
    window: 4096,
  },
  {
    by: 'Ollama, native template',
    text: JSON.stringify({ error: inner }),
    tokens: 910,
    window: 256,
  },
  {
    by: 'Ollama behind a proxy',
    text: JSON.stringify({ error: { message: JSON.stringify({ error: inner }) } }),
    tokens: 910,
    window: 256,
  },
  {
    by: 'Ollama, own renderer',
    text: '{"error":"the prompt is longer than the context length currently available to the model; shorten the prompt, or raise the context length"}',
  },
  { by: 'Ollama, older runner', text: '{"error":"the input length exceeds the context length"}' },
  { by: 'Ollama, embeddings', text: 'input length exceeds maximum context length' },
  {
    by: 'Ollama cloud',
    text: 'prompt too long; exceeded max context length by 812 tokens',
    excess: 812,
  },
  {
    by: 'LM Studio',
    text: 'Trying to keep the first 5120 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough. Try to load the model with a larger context length, or provide a shorter input',
    window: 4096,
  },
  {
    by: 'LM Studio, to keep',
    text: 'The number of tokens to keep from the initial prompt is greater than the context length. Try to load the model with a larger context length, or provide a shorter input',
  },
  {
    by: 'LM Studio, while it answers',
    text: 'Reached context length of 4096 tokens with model (arch: phi3) that does not currently support mid-generation context overflow.',
    window: 4096,
  },
  {
    by: 'vLLM',
    text: '{"object":"error","message":"This model\'s maximum context length is 4096 tokens. However, you requested 5000 tokens (4500 in the messages, 500 in the completion). Please reduce the length of the messages or completion.","type":"BadRequestError","param":null,"code":400}',
    tokens: 4500,
    window: 4096,
  },
  {
    by: 'vLLM, without an answer',
    text: "This model's maximum context length is 4096 tokens. However, your request has 4500 input tokens. Please reduce the length of the input messages.",
    tokens: 4500,
    window: 4096,
  },
  {
    by: 'vLLM, prompt and answer together',
    text: "'max_tokens' or 'max_completion_tokens' is too large: 500. This model's maximum context length is 4096 tokens and your request has 3800 input tokens (500 > 4096 - 3800).",
    tokens: 3800,
    window: 4096,
  },
  {
    by: 'vLLM, at least',
    text: "This model's maximum context length is 4096 tokens. However, you requested 500 output tokens and your prompt contains at least 3597 input tokens, for a total of at least 4097 tokens.",
    tokens: 3597,
    window: 4096,
  },
  {
    by: 'vLLM, passed',
    text: "You passed 4097 input tokens and requested 500 output tokens. However, the model's context length is only 4096 tokens, resulting in a maximum input length of 3596 tokens.",
    tokens: 4097,
    window: 4096,
  },
  {
    by: 'vLLM, engine',
    text: 'The decoder prompt (length 5000) is longer than the maximum model length of 4096. Make sure that `max_model_len` is no smaller than the number of text tokens.',
    tokens: 5000,
    window: 4096,
  },
  {
    by: 'SGLang',
    text: "The input (5000 tokens) is longer than the model's context length (4096 tokens).",
    tokens: 5000,
    window: 4096,
  },
  {
    by: 'SGLang, both',
    text: "Requested token count exceeds the model's maximum context length of 4096 tokens. You requested a total of 5000 tokens: 4500 tokens from the input messages and 500 tokens for the completion.",
    tokens: 4500,
    window: 4096,
  },
  {
    by: 'Together, text-generation-inference',
    text: 'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000 `inputs` tokens and 512 `max_new_tokens`',
    tokens: 9000,
    window: 8193,
  },
  {
    by: 'OpenAI',
    text: '{"error":{"message":"This model\'s maximum context length is 8192 tokens. However, your messages resulted in 10240 tokens. Please reduce the length of the messages.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}',
    tokens: 10_240,
    window: 8192,
  },
  {
    by: 'OpenAI, configured',
    text: 'Input tokens exceed the configured limit of 272,000 tokens. Your messages resulted in 301,442 tokens. Please reduce the length of the messages.',
    tokens: 301_442,
    window: 272_000,
  },
  {
    by: 'OpenAI, without numbers',
    text: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
  },
  { by: 'Azure', text: '{"error":{"code":"context_length_exceeded","message":"Too long."}}' },
  {
    by: 'OpenRouter',
    text: 'This endpoint\'s maximum context length is 32768 tokens. However, you requested about 45000 tokens (44000 of text input, 1000 in the output). Please reduce the length of either one, or use the "middle-out" transform to compress your prompt automatically.',
    tokens: 44_000,
    window: 32_768,
  },
  {
    by: 'DeepSeek',
    text: "This model's maximum context length is 65536 tokens. However, you requested 70000 tokens (66000 in the messages, 4000 in the completion).",
    tokens: 66_000,
    window: 65_536,
  },
  { by: 'LiteLLM', text: 'litellm.ContextWindowExceededError: the model refused' },
  {
    by: 'Anthropic',
    text: '{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}',
    tokens: 210_000,
    window: 200_000,
  },
  {
    by: 'Anthropic through a proxy in Go',
    text: '{"error":"{\\"message\\":\\"prompt is too long: 210000 tokens \\\\u003e 200000 maximum\\"}"}',
    tokens: 210_000,
    window: 200_000,
  },
  {
    by: 'Anthropic, with the answer',
    text: 'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again',
    tokens: 188_240,
    window: 200_000,
  },
  {
    by: 'Anthropic, in bytes',
    text: '{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}',
  },
  {
    by: 'Fireworks',
    text: 'The prompt is too long: 140000, model maximum context length: 131071',
    tokens: 140_000,
    window: 131_071,
  },
  {
    by: 'Google',
    text: 'The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).',
    tokens: 1_196_265,
    window: 1_048_575,
  },
  {
    by: 'Vertex',
    text: 'Unable to submit request because the input token count is 40000 but model only supports up to 32768. Reduce the input token count and try again.',
    tokens: 40_000,
    window: 32_768,
  },
  {
    by: 'Bedrock',
    text: 'ValidationException: The model returned the following errors: Input is too long for requested model.',
  },
  {
    by: 'Mistral',
    text: '{"object":"error","message":"Prompt contains 65673 tokens and 0 draft tokens, too large for model with 32768 maximum context length","type":"invalid_request_prompt","code":"3051"}',
    tokens: 65_673,
    window: 32_768,
  },
  {
    by: 'Cerebras',
    text: 'Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192',
    tokens: 9000,
    window: 8192,
  },
  {
    by: 'Groq',
    text: '{"error":{"message":"Please reduce the length of the messages or completion.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}',
  },
  {
    by: 'xAI',
    text: "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    tokens: 537_812,
    window: 131_072,
  },
  {
    by: 'GitHub Copilot',
    text: '{"error":{"message":"prompt token count of 140000 exceeds the limit of 128000","code":"model_max_prompt_tokens_exceeded"}}',
    tokens: 140_000,
    window: 128_000,
  },
  {
    by: 'Moonshot',
    text: 'Invalid request: Your request exceeded model token limit: 131072 (requested: 140000)',
    tokens: 140_000,
    window: 131_072,
  },
  { by: 'MiniMax', text: 'invalid params, context window exceeds limit (2013)' },
  { by: 'Z.ai', text: '{"error":{"code":"1261","message":"Prompt exceeds max length"}}' },
  {
    by: 'DashScope',
    text: 'InternalError.Algo.InvalidParameter: Range of input length should be [1, 98304]',
    window: 98_304,
  },
  {
    by: 'Cohere',
    text: 'too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 5000. Try using a shorter prompt.',
    tokens: 5000,
    window: 4081,
  },
  {
    by: 'SambaNova',
    text: 'Requested generation length 1 is not possible! The provided prompt is 5000 tokens long, so generating 1 tokens requires a sequence length of 5001, but the maximum supported sequence length is just 4096!',
    tokens: 5000,
    window: 4096,
  },
  {
    by: 'Cloudflare',
    text: 'The estimated number of input and maximum output tokens (8500) exceeded this model context window limit (7968).',
    tokens: 8500,
    window: 7968,
  },
  {
    by: 'watsonx',
    text: 'the number of input tokens 5000 cannot exceed the total tokens limit 4096 for this model',
    tokens: 5000,
    window: 4096,
  },
  {
    by: 'TensorRT-LLM',
    text: 'Prompt length (5000) exceeds maximum input length (4096).',
    tokens: 5000,
    window: 4096,
  },
  {
    by: 'TabbyAPI',
    text: 'Prompt length 5000 is greater than max_seq_len 4096',
    tokens: 5000,
    window: 4096,
  },
];

const others: readonly Said[] = [
  {
    by: 'OpenAI, by the minute',
    text: 'Request too large for gpt-4o in organization org-1 on tokens per min (TPM): Limit 30000, Requested 45000. The input or output tokens must be reduced in order to run successfully.',
  },
  {
    by: 'Groq, by the minute',
    text: '{"error":{"message":"Request too large for model `llama` on tokens per minute (TPM): Limit 6000, Requested 9000, please reduce your message size and try again.","type":"tokens","code":"rate_limit_exceeded"}}',
  },
  {
    by: 'Bedrock, by time',
    text: 'ThrottlingException: Too many tokens, please wait before trying again.',
  },
  {
    by: 'Anthropic, by the minute',
    text: "This request would exceed your organization's rate limit of 40,000 input tokens per minute. Please reduce the prompt length.",
  },
  {
    by: 'Google, by quota',
    text: 'You exceeded your current quota: generate_content_free_tier_input_token_count, limit: 250000',
  },
  {
    by: 'Anthropic, answer too long',
    text: 'max_tokens: 300000 > 64000, which is the maximum allowed number of output tokens',
  },
  {
    by: 'OpenAI, answer too long',
    text: 'max_tokens is too large: 100000. This model supports at most 16384 completion tokens, whereas you provided 100000.',
  },
  {
    by: 'OpenAI, other parameter',
    text: "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
  },
  { by: 'vLLM, parameter', text: 'max_tokens must be at least 1, got 0.' },
  { by: 'Cohere, answer', text: 'too many tokens: max tokens must be less than or equal to 4096' },
  {
    by: 'OpenAI, names',
    text: "Invalid 'tools[0].function.name': string too long. Expected a string with maximum length 64, but got a string with length 80 instead.",
  },
  { by: 'Ollama, missing model', text: '{"error":"model \'llama9\' not found"}' },
  { by: 'Ollama, busy', text: 'server busy, please try again.  maximum pending requests exceeded' },
  { by: 'a wrong key', text: 'Incorrect API key provided: sk-***. Token expired.' },
  { by: 'nothing', text: '' },
];

const numbersIn = ({ tokens, window, excess }: Omit<Said, 'text' | 'by'>): object => ({
  tokens: tokens ?? null,
  window: window ?? null,
  excess: excess ?? null,
});

describe('an error of a prompt that does not fit', () => {
  test.each(overflows)('is known from $by', ({ text, ...said }) => {
    expect(readOverflow(text)).toEqual(numbersIn(said));
  });

  test.each(overflows)('is known from $by inside another answer', ({ text, ...said }) => {
    const passed = JSON.stringify({
      error: { message: JSON.stringify({ error: text }), code: 502 },
    });
    expect(readOverflow(passed)).toEqual(numbersIn(said));
  });
});

test.each(others)('an error of something else is none: $by', ({ text }) => {
  expect(readOverflow(text)).toBe(null);
});

test('an error that repeats the whole prompt is read in time', () => {
  for (const text of ['\\', '\\\\n', 'maximum context length ', 'passed 1 input tokens ', '9'])
    expect(readOverflow(`{"error":"unknown field","prompt":"${text.repeat(200_000)}"}`)).toBe(null);
});

const said = 'Why does it say "maximum context length is 2048 tokens"? prompt is too long';
const messages = [{ role: 'user', content: said }];
const passed = JSON.stringify({ error: JSON.stringify({ message: 'no luck', messages }) });

test.each([
  ['a member of a validation error', { detail: [{ msg: 'Field not permitted', input: messages }] }],
  ['the request beside the error', { error: { message: 'Out of luck' }, request: { messages } }],
  ['the prompt beside the error', { error: 'Out of luck', prompt: said }],
  ['the request in the words', `out of luck with ${JSON.stringify({ model: 'm', messages })}`],
  ['the request in the words of a field', { error: { message: `luck: {'messages': '${said}'` } }],
  ['the value in the words', `1 validation error [type=missing, input_value='${said}']`],
  ['the answer of another server', { error: { metadata: { raw: passed } } }],
])('what a server repeats is no error of its own: %s', (_, body) => {
  expect(readOverflow(typeof body === 'string' ? body : JSON.stringify(body))).toBe(null);
});

test('an overflow is known though the prompt is repeated, and with its own numbers', () => {
  const message = "This model's maximum context length is 4096 tokens.";
  for (const body of [
    { messages, error: { message } },
    { error: { message, input: messages } },
    { error: { message: `${message} Got {"messages": ${JSON.stringify(messages)}}` } },
    [{ error: { message, status: 'INVALID_ARGUMENT' } }],
  ])
    expect(readOverflow(JSON.stringify(body))).toMatchObject({ tokens: null, window: 4096 });
});

test('an error of any depth is read', () => {
  const deep = `${'{"error":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
  expect(readOverflow(deep)).toBe(null);
});
