import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import xterm from '@xterm/headless';

// Records `npm start` in a terminal of 80 columns anew: docs/pictures/start.svg, which plays it in a page. Debian's
// `script` gives the terminal, xterm.js reads what stood on its screen.

const [cols, rows] = [80, 24];
const command = 'node dist/main.js run examples/notes-app.jsonl --window 8k --tour';
const shown = 'npm start';
/** What is shown of it, and how long the last screen stays, in seconds. */
const [most, rest] = [40, 4];
const cell = { width: 8.43, height: 18 };
const margin = 12;
const [back, fore] = ['#16181d', '#d8dbe2'];
const palette =
  '#3b4048 #f0716a #8cc265 #e5b567 #6ca8f0 #c58af0 #56b6c2 #c8ccd4 #8a919e #ff8f88 #a8d98a #f2cc86 #8fbff7 #d8a9f7 #7fd0da #ffffff'.split(
    ' ',
  );

process.chdir(join(import.meta.dirname, '..'));
const screens = await screensOf(await recorded());
mkdirSync('docs/pictures', { recursive: true });
writeFileSync('docs/pictures/start.svg', svgOf(screens));

/** What the command puts out, with the seconds since its start. */
async function recorded() {
  const sized = `stty cols ${cols} rows ${rows}; exec ${command}`;
  const { NO_COLOR: _, ...env } = process.env;
  const child = spawn('script', ['-qefc', sized, '/dev/null'], {
    env: { ...env, TERM: 'xterm', COLORTERM: '', TMUX: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const begun = performance.now();
  const found = [[0, `$ ${shown}\r\n`]];
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (text) => found.push([(performance.now() - begun) / 1_000 + 1, text]));
  await once(child, 'close');
  return found.filter(([at]) => at < most);
}

/** The screens, each with the second at which it came; at most four a second. */
async function screensOf(found) {
  const terminal = new xterm.Terminal({ cols, rows, allowProposedApi: true });
  const screens = [];
  for (const [index, [at, text]] of found.entries()) {
    await new Promise((resolve) => terminal.write(text, resolve));
    const next = found[index + 1]?.[0] ?? Number.POSITIVE_INFINITY;
    if (next - (screens.at(-1)?.at ?? -1) < 0.25) continue;
    const lines = Array.from({ length: rows }, (_, row) => lineOf(terminal.buffer.active, row));
    if (screens.at(-1)?.lines.join('\n') !== lines.join('\n')) screens.push({ at, lines });
  }
  return screens;
}

/** A row of the screen as SVG: its cells of one style as one `tspan`, each at its place. */
function lineOf(buffer, row) {
  const line = buffer.getLine(buffer.viewportY + row);
  const runs = [];
  for (let column = 0; column < cols; column += 1) {
    const at = line?.getCell(column);
    if (at === undefined || at.getWidth() === 0) continue;
    const style = styleOf(at);
    const text = at.getChars() || ' ';
    const last = runs.at(-1);
    if (last?.style === style) last.text += text;
    else runs.push({ style, text, column });
  }
  return runs
    .filter(({ text }) => text.trim() !== '')
    .map(({ style, text, column }) => {
      const x = round(margin + column * cell.width);
      const length = round(text.trimEnd().length * cell.width);
      return `<tspan x="${x}" textLength="${length}"${style}>${escaped(text.trimEnd())}</tspan>`;
    })
    .join('');
}

function styleOf(at) {
  const color = at.isFgDefault() ? '' : ` fill="${palette[at.getFgColor()] ?? fore}"`;
  return `${color}${at.isBold() ? ' font-weight="bold"' : ''}${at.isDim() ? ' opacity="0.65"' : ''}`;
}

/** A picture that plays the screens for ever: each line is drawn once, wherever and whenever it stands. */
function svgOf(screens) {
  const end = screens.at(-1).at + rest;
  const ids = new Map();
  for (const { lines } of screens)
    for (const line of lines) if (line !== '' && !ids.has(line)) ids.set(line, `l${ids.size}`);
  const [width, height] = [
    Math.ceil(cols * cell.width + 2 * margin),
    rows * cell.height + 2 * margin,
  ];
  const times = screens.map(({ at }, index) => {
    const [from, to] = [at, screens[index + 1]?.at ?? end].map((time) => round((time / end) * 100));
    return `@keyframes k${index}{0%{visibility:${index === 0 ? 'visible' : 'hidden'}}${from}%{visibility:visible}${to}%,100%{visibility:hidden}}#s${index}{animation-name:k${index}}`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="A terminal that plays ${shown}">`,
    `<style>text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:${fore};white-space:pre}.s{visibility:hidden;animation:${round(end)}s step-end infinite}`,
    `@media(prefers-reduced-motion:reduce){.s{animation:none}#s${screens.length - 1}{visibility:visible}}`,
    `${times.join('\n')}</style>`,
    `<rect width="100%" height="100%" rx="8" fill="${back}"/>`,
    `<defs>${[...ids].map(([line, id]) => `<text id="${id}">${line}</text>`).join('\n')}</defs>`,
    ...screens.map(({ lines }, index) => `<g id="s${index}" class="s">${used(lines, ids)}</g>`),
    '</svg>\n',
  ].join('\n');
}

function used(lines, ids) {
  return lines
    .map((line, row) => {
      const y = round(margin + (row + 0.75) * cell.height);
      return line === '' ? '' : `<use href="#${ids.get(line)}" y="${y}"/>`;
    })
    .join('');
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

function round(value) {
  return Math.round(value * 1_000) / 1_000;
}
