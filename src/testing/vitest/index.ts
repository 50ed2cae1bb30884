// Matchers for vitest: `expect.extend(matchers)`.
export { matchers } from './matchers.ts';
