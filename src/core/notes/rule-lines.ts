import { statementsOf } from '../lines/statements.ts';
import { toldOf, type Told } from '../lines/worth.ts';
import { hostRulesIn } from '../messages/host-rules.ts';
import { textOf, type UserMessage } from '../messages/message.ts';
import { directiveAt } from '../people/directives.ts';

/** What a skill demands and forbids; most of what else it says is how to go about its work. */
const strict =
  /\b(?:never|always|must(?:n['’]t)?|do not|don['’]t|only (?:when|if|after|once|with)|required|mandatory|forbidden)\b/i;

/** What rules are told by; a skill is by its name, too. */
const sources = {
  project: 'AGENTS.md',
  broken: 'rule',
  skill: 'skill',
  memory: 'memory of the person',
} as const;

/** What rules are worth beside what the model states. */
const shares = { project: 1.1, broken: 1.2, skill: 0.75, memory: 1.1 } as const;

/** What a host puts before the model of how work is to be done, as lines; none for another message. */
export function ruleLines({ content }: UserMessage): readonly Told[] {
  const rules = hostRulesIn(textOf(content));
  if (rules === null) return [];
  const source = [sources[rules.kind], rules.skill].filter((word) => word !== '').join(' ');
  const lays = (text: string): boolean =>
    rules.kind === 'skill' ? strict.test(text) : directiveAt(text) !== null;
  const meant = statementsOf(rules.text).filter(({ text }) => lays(text));
  return toldOf(meant, 'read', shares[rules.kind]).map((line, index) =>
    index === 0 ? { ...line, text: `${source}: ${line.text}` } : line,
  );
}
