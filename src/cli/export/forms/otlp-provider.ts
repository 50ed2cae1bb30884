// The conventions have names of their own for who serves a model, and each span of one has to have one. Hosts
// call some of these otherwise, or say no more than the model.

/** How the conventions call those whom hosts call otherwise. */
const providerNames: Readonly<Record<string, string>> = {
  'amazon-bedrock': 'aws.bedrock',
  azure: 'azure.ai.openai',
  google: 'gcp.gemini',
  'google-vertex': 'gcp.vertex_ai',
  mistral: 'mistral_ai',
  'openai-codex': 'openai',
  xai: 'x_ai',
};

/** Who made a model, by how its name begins. */
const makers: readonly (readonly [beginning: string, provider: string])[] = [
  ['claude-', 'anthropic'],
  ['gpt-', 'openai'],
  ['gemini-', 'gcp.gemini'],
  ['deepseek-', 'deepseek'],
  ['grok-', 'x_ai'],
];

/** Who serves a model, as the conventions call it: as it was told, else by the model's name; `unknown` where neither tells. */
export function toProvider(provider: string, model: string): string {
  if (provider !== '')
    return Object.hasOwn(providerNames, provider) ? providerNames[provider]! : provider;
  return makers.find(([beginning]) => model.startsWith(beginning))?.[1] ?? 'unknown';
}
