import { many } from '../../../../src/cli/paper/size.ts';
import type { ProbeTotal } from '../../index.ts';
import { answered } from '../measure.ts';
import { aboutProbes, nameOf, probedFacts, type ProbeReport } from '../print/probes-page.ts';
import { beside } from './beside.ts';
import { documentOf, words } from './document.ts';
import { markup, nothing, type Markup } from './markup.ts';

/** The report of probes as a page of its own: what contexts answer, in all, by kind and by file. */
export function probesDocument({ probed, totals, methods }: ProbeReport): string {
  const { kinds, files, all } = totals[0]!;
  const byKind = Object.keys(kinds).map((kind) =>
    shown(`${kind} (${many(kinds[kind]!.of, 'probe')})`, (total) => total.kinds[kind], totals),
  );
  const byFile = Object.keys(files).map((file) =>
    shown(
      `${nameOf(file)} (${many(files[file]!.of, 'probe')})`,
      (total) => total.files[file],
      totals,
    ),
  );
  const content = markup`<header><h1>What a window answers</h1>
<ul class="files">${probed.map((one) => markup`<li><b>${nameOf(one.probes.file)}</b> ${probedFacts(one)}</li>`)}</ul>
<p>${aboutProbes}</p>
</header>
<h2>All</h2>
<div class="charts">
${shown(many(all.of, 'probe'), (total) => total.all, totals)}</div>
<h2>By what is asked for</h2>
<div class="charts">
${byKind}</div>
${
  byFile.length < 2
    ? nothing
    : markup`<h2>By probe file</h2>
<div class="charts">
${byFile}</div>
`
}<h2>The methods</h2>
${words(methods.map(({ name, about }) => [name, about] as const))}
`;
  return documentOf('What a window answers', content);
}

const shown = (
  name: string,
  of: Parameters<typeof answered>[1],
  totals: readonly ProbeTotal[],
): Markup => beside(answered(name, of), totals);
