import { readFileSync, writeFileSync } from 'node:fs';
import {
  compressionMachine,
  frameMachine,
  recoveryMachine,
  sessionMachine,
  toMermaid,
  trackerMachine,
} from 'flamestack/machines';

// Draws the machines anew into docs/machines.md, between their markers.

const page = new URL('../docs/machines.md', import.meta.url);

let text = readFileSync(page, 'utf8');
for (const machine of [
  frameMachine,
  sessionMachine,
  compressionMachine,
  recoveryMachine,
  trackerMachine,
]) {
  const block = new RegExp(`(<!-- machine: ${machine.id} -->\n)[^]*?(<!-- /machine -->)`);
  if (!block.test(text)) throw new Error(`docs/machines.md has no markers for ${machine.id}`);
  const drawing = `\`\`\`mermaid\n${toMermaid(machine)}\`\`\``;
  text = text.replace(block, `$1\n${drawing}\n\n$2`);
}
writeFileSync(page, text);
