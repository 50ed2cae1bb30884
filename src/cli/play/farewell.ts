import type { Paper } from '../paper/paper.ts';
import { rule } from '../paper/rule.ts';
import { wrap } from '../paper/width.ts';

/** What a tour says at its end: what was seen, and what to try. `again` is how the program is called. */
export function farewellLines(again: string, paper: Paper): readonly string[] {
  const text = (line: string): readonly string[] =>
    wrap(line, paper.width - 2).map((part) => `  ${part}`);
  const command = (line: string, about: string): readonly string[] => [
    `  ${paper.paint(line, 'bold')}`,
    ...wrap(about, paper.width - 6).map((part) => paper.paint(`      ${part}`, 'gray')),
  ];
  return [
    '',
    rule(paper, 'what you saw'),
    ...text(
      'An agent session, several times longer than its window, played entry by entry. Before each answer of the agent a prompt was assembled, and each one fit.',
    ),
    ...text(
      'Work went into frames and came back as results. Old turns became lines in the words of the log: in checkpoints, which shorten as they age, then in the chronicle, where those of the least worth go first. The log kept every entry, byte for byte. No model was asked, and nothing left this machine.',
    ),
    '',
    rule(paper, 'try next'),
    ...command(
      `${again} import examples/notes-app.jsonl --window 8k`,
      'keeps the session in ./.flamestack',
    ),
    ...command(`${again} show`, 'what the model sees now, section by section'),
    ...command(`${again} view`, 'the same in a browser, at each moment: what it had lost by then'),
    ...command(`${again} show --entry e42`, 'any entry of its log, whole, and where it is now'),
    ...command(
      `${again} run examples/notes-app.jsonl --window 2k --fast`,
      'a quarter of the window: it still fits',
    ),
    ...command(
      `${again} run <your session>.jsonl --window 16k`,
      'your own: ~/.claude/projects/*/*.jsonl or ~/.pi/agent/sessions/*/*.jsonl',
    ),
  ];
}
