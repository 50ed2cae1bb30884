// LangChain's `createAgent`, each thread of it in a session.
export { flamestackMiddleware } from './adapters/langchain/middleware.ts';
export type {
  FlamestackMiddlewareOptions,
  FlamestackRuntime,
} from './adapters/langchain/middleware.ts';
