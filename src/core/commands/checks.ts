import type { ToolCall } from '../messages/message.ts';
import { allCommandsIn, commandsIn } from './shell-commands.ts';

/** Commands that check, build or run the work. */
const checking =
  /(?:^|[\s:_./-])(?:tests?|check|lint|build|compile|types?|tsc|tsgo|vitest|jest|mocha|pytest|tox|mypy|ruff|flake8|eslint|oxlint|biome|prettier|clippy|rspec|rubocop|phpunit|dialyzer|credo|format|fmt|vet|bench|e2e|ci|verify|audit|migrate|start|serve|dev|make|gradlew?|mvn|cmake)(?=$|[\s:_.-])/;

/** Commands that look around, or change nothing but files, as part of an expression. */
export const everyday =
  'ls|cat|nl|bat|less|head|tail|sed|awk|grep|rg|find|fd|git|mkdir|cp|mv|rm|touch|chmod|bash|sh|kill|ps|for|while|if|sleep';

/** What checks nothing, whatever it names. */
const aside = new RegExp(`^(?:${everyday}|gh)\\b|^test [-!]|["'\`\\\\]$`);

/** Whether a command checks or builds something. */
export const isCheck = (command: string): boolean => checking.test(command);

const isOwnCheck = (command: string): boolean => isCheck(command) && !aside.test(command);

/** The commands of a call that check or build something, without those that only name what does. */
export const checksIn = (call: ToolCall): readonly string[] => commandsIn(call).filter(isOwnCheck);

/** The same, with those too long to be told whole. */
export const allChecksIn = (call: ToolCall): readonly string[] =>
  allCommandsIn(call).filter(isOwnCheck);
