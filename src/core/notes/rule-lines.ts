import { statementsOf } from '../lines/statements.ts';
import { statementLines, type UnplacedLine } from '../lines/worth.ts';
import { hostRulesIn } from '../messages/host-rules.ts';
import { textOf, type UserMessage } from '../messages/message.ts';
import { directiveAt } from '../people/directives.ts';

/** What is demanded or forbidden; most of what else a skill says is how to go about its work. */
const strict =
  /\b(?:never|always|must(?:n['’]t)?|do not|don['’]t|only (?:when|if|after|once|with)|required|mandatory|forbidden)\b/i;

/** The least that what a project demands or forbids is worth, however it is put. */
const leastStrict = 1.6;

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
export function ruleLines({ content }: UserMessage): readonly UnplacedLine[] {
  const rules = hostRulesIn(textOf(content));
  if (rules === null) return [];
  const source = [sources[rules.kind], rules.skill].filter((word) => word !== '').join(' ');
  const lays = (text: string): boolean =>
    rules.kind === 'skill' ? strict.test(text) : directiveAt(text) !== null;
  const meant = statementsOf(rules.text)
    .filter(({ text }) => lays(text))
    .map((one) =>
      rules.kind !== 'skill' && strict.test(one.text)
        ? { ...one, value: Math.max(one.value, leastStrict) }
        : one,
    );
  return statementLines(meant, 'read', shares[rules.kind]).map((line, index) =>
    index === 0 ? { ...line, text: `${source}: ${line.text}` } : line,
  );
}
