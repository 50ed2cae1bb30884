// OpenAI's Agents SDK, each run of an agent in a session.
export { flamestack } from './adapters/openai-agents/flamestack.ts';
export type {
  FlamestackAgents,
  FlamestackAgentsOptions,
} from './adapters/openai-agents/flamestack.ts';
