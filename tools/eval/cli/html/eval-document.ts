import { basename } from 'node:path';
import { sections } from '../../../../src/index.ts';
import { cleanLine } from '../../../../src/cli/paper/clean.ts';
import type { Paper } from '../../../../src/cli/paper/paper.ts';
import { many, number } from '../../../../src/cli/paper/size.ts';
import { newSecrets } from '../../../../src/cli/secrets/secrets.ts';
import { rate, type Total } from '../../index.ts';
import { at, faultsOf, leading, methodsIn, windowsOf } from '../measure.ts';
import { lossLines } from '../print/loss.ts';
import { aboutOf, groupsWorthShowing, meanings } from '../print/page.ts';
import { subjectFacts, type Report } from '../print/report.ts';
import { broken } from '../row.ts';
import { bars } from './bars.ts';
import { beside, hundredths } from './beside.ts';
import { course } from './course.ts';
import { documentOf, words } from './document.ts';
import { dots } from './dots.ts';
import { courseSentence, partsSentence, rulesSentence } from './findings.ts';
import { figure, folded, type Table } from './figure.ts';
import { lines } from './lines.ts';
import { markup, nothing, type Markup } from './markup.ts';
import { growthOf } from './sentence.ts';

/** The report of an evaluation as a page of its own: what the first method keeps, beside the others, and what it costs. */
export function evalDocument(report: Report, paper: Paper): string {
  const { evaluations, totals, frames } = report;
  const [first, ...others] = methodsIn(totals);
  const faults = totals
    .filter(({ method }) => method === first)
    .reduce((sum, total) => sum + faultsOf(total), 0);
  const verdict =
    faults === 0
      ? markup`<p class="verdict">✓ ${first!} broke no rule</p>`
      : markup`<p class="verdict bad">✕ ${first!} broke rules ${many(faults, 'time')}</p>`;
  const content = markup`<header><h1>What a window keeps</h1>
<ul class="files">${evaluations.map(
    (evaluation) =>
      markup`<li><b>${cleanLine(basename(evaluation.subject.file))}</b> ${subjectFacts(evaluation, frames)}</li>`,
  )}</ul>
<p>${aboutOf(totals)}</p>
${verdict}
</header>
${
  windowsOf(totals).length < 2
    ? nothing
    : markup`<h2>What ${first!} keeps</h2>
<div class="charts">
${overWindows(totals)}</div>
`
}<h2>${others.length === 0 ? 'Measure by measure' : 'Beside the other methods'}</h2>
<div class="charts">
${leading.map((measure) => beside(measure, totals))}</div>
<h2>How it uses the window</h2>
<div class="charts">
${overTime(report)}${parts(totals)}</div>
<h2>What is broken</h2>
<div class="charts">
${rules(totals)}</div>
<h2>Everything</h2>
<section>${windowsOf(totals).map((window) => folded(allWithin(window, totals)))}
${lost(report, paper)}<details><summary>What the words mean</summary>${words(meanings(report))}</details></section>
`;
  return documentOf('What a window keeps', content);
}

/** The leading measures of the first method, a line for each. */
function overWindows(totals: readonly Total[]): Markup {
  const windows = windowsOf(totals);
  const [first] = methodsIn(totals);
  const rows = leading.map(({ name, share }) => ({
    name,
    values: windows.map((window) => rate(share(at(totals, first!, window)))),
  }));
  const title = 'By tokens of the window, in %';
  const chart = lines({ title, windows, rows, show: hundredths });
  const sentence = growthOf(first!, windows, rows);
  return figure({ title, sentence, chart, isWide: true });
}

/** How full the contexts of the first method are, one after the other. */
function overTime({ evaluations, totals, frames }: Report): Markup {
  const windows = windowsOf(totals);
  const methods = methodsIn(totals);
  const courses = windows.map((window) => ({
    window,
    sessions: evaluations.map(
      ({ results }) =>
        results.find(({ method, budget }) => method === methods[0] && budget === window)!.course,
    ),
  }));
  const own = totals.filter(({ method }) => method === methods[0]);
  return figure({
    title: 'Tokens of each context, over the session',
    sentence: courseSentence(own, {
      sessions: evaluations.length,
      hasFrames: frames && evaluations.some(({ subject }) => subject.frames > 0),
    }),
    chart: markup`${courses.map(course)}`,
    isWide: true,
    more: {
      title: 'Tokens by method: mean, greatest',
      heads: windows.map((window) => number(window)),
      rows: methods.map((name) => ({
        name,
        cells: windows.map((window) => {
          const { tally, rates } = at(totals, name, window);
          return `${rates.mean === null ? '–' : number(rates.mean)}, ${number(tally.greatest)}`;
        }),
      })),
    },
  });
}

/** What the window of the first method is filled with, and how much of it is used again. */
function parts(totals: readonly Total[]): Markup {
  const [first] = methodsIn(totals);
  const own = windowsOf(totals).map((window) => at(totals, first!, window));
  const found = own.map(({ budget, tally }) => {
    const all = sections.reduce((sum, section) => sum + tally.yield[section].of, 0);
    const rows = sections.flatMap((section) => {
      const { kept, of } = tally.yield[section];
      return of === 0 ? [] : [{ name: section, share: of / all, used: kept / of }];
    });
    return { window: budget, rows };
  });
  const top = Math.max(0.01, ...found.flatMap(({ rows }) => rows.map(({ share }) => share)));
  return figure({
    title: 'Sections of a context, and what of them is used again, in %',
    sentence: partsSentence(found),
    chart: markup`<div class="parts">${found.map((one) => bars({ ...one, top, show: hundredths }))}</div>`,
    isWide: true,
  });
}

/** Contexts that break a rule, of all methods. */
function rules(totals: readonly Total[]): Markup {
  const windows = windowsOf(totals);
  const methods = methodsIn(totals);
  const title = 'Broken contexts';
  const rows = methods.map((name) => ({
    name,
    values: windows.map((window) => faultsOf(at(totals, name, window))),
  }));
  const most = Math.max(2, ...rows.flatMap(({ values }) => values));
  const top = most + (most % 2);
  return figure({
    title,
    sentence: rulesSentence(totals),
    chart: dots({ title, windows, rows, top, show: number }),
    more: {
      title: 'By rule, all windows together',
      heads: methods,
      rows: broken.rows.map(({ label, value }) => ({
        name: label,
        cells: methods.map((method) =>
          number(
            totals
              .filter((total) => total.method === method)
              .reduce((sum, total) => sum + (value(total) ?? 0), 0),
          ),
        ),
      })),
    },
    isWide: true,
  });
}

/** All measures within one window, as they are printed. */
function allWithin(window: number, totals: readonly Total[]): Table {
  const of = totals.filter(({ budget }) => budget === window);
  return {
    title: `All measures within ${number(window)} tokens`,
    heads: of.map(({ method }) => method),
    rows: groupsWorthShowing(totals).flatMap(({ title, rows }) => [
      { name: title, cells: [] },
      ...rows.map(({ label, value, show }) => ({
        name: label.trim(),
        cells: of.map((total) => {
          const found = value(total);
          return found === null ? '–' : show(found);
        }),
      })),
    ]),
  };
}

/** What the first method lost within each window, without what looks like a key. */
function lost({ evaluations, totals }: Report, paper: Paper): Markup {
  const results = evaluations.flatMap((evaluation) => evaluation.results);
  const secrets = newSecrets();
  for (const { lost: all } of results) for (const { text } of all) secrets.learn(text);
  const [first] = methodsIn(totals);
  const wide = { ...paper, width: 1_000, paint: (text: string): string => text };
  return markup`<details class="lost"><summary>What ${first!} lost</summary>${windowsOf(totals).map(
    (window) => markup`<p><b>Within ${number(window)} tokens</b></p>
${lossLines(results, at(totals, first!, window), wide).map(
  (line) => markup`<p>${secrets.hide(line)}</p>
`,
)}`,
  )}</details>
`;
}
