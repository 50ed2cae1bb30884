import type { ToolCall } from '../messages/message.ts';
import { matchesCall } from './destructive.ts';

// Calls that run for minutes; much can happen to a session meanwhile, so a document
// is written before one runs.

/** The default patterns. */
const usuallyLong: readonly string[] = [
  String.raw`\b(?:npm|pnpm|yarn|bun)\s+(?:ci|install|i|test|t|run\s+\S*(?:build|test|e2e|check|bench|lint))\b`,
  String.raw`\b(?:pip|uv|poetry|bundle|composer|mix|apt(?:-get)?|brew)\s+(?:\w+\s+)?(?:install|sync|deps\.get|update)\b`,
  String.raw`\b(?:cargo|go|mix|gradle\w*|\./gradlew|mvn|dotnet|swift|bazel|make|ninja|cmake)\s+(?:-\S+\s+)*(?:build|test|bench|check|install|package|verify|dialyzer|all)\b`,
  String.raw`\b(?:pytest|tox|vitest|jest|playwright\s+test|cypress\s+run|rspec|phpunit)\b`,
  String.raw`\bdocker(?:-compose|\s+compose)?\s+(?:build|pull|up)\b`,
  String.raw`\b(?:terraform|pulumi|ansible-playbook)\s+(?:apply|up|plan)\b`,
  String.raw`\b(?:train|finetune|fine_tune|benchmark|migrate|backfill|reindex)\w*\.(?:py|sh|ts|js|rb)\b`,
  String.raw`\bsleep\s+(?:[3-9]\d|\d{3,})\b`,
  String.raw`^(?:task|agent|spawn_agent|dispatch_agent|new_task|subagent)\s`,
];

/** Whether a call matches one of `patterns`; null for {@link usuallyLong}. */
export const isLongRunning = (call: ToolCall, patterns: readonly string[] | null): boolean =>
  matchesCall(call, patterns ?? usuallyLong);
