import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pictureOfSession } from '../../../src/cli/export/forms/picture.ts';
import { addStep } from '../../../src/viewer/page/session/model/history.ts';
import { drawnSpan, lanesOf } from '../../../src/viewer/page/session/model/axis/lanes.ts';
import { toldOf, toldSessions } from './record.ts';

/** The elements of a document in order; throws where they do not nest, or a text in it is no text. */
function elementsOf(
  xml: string,
): readonly { readonly name: string; readonly attributes: string }[] {
  const open: string[] = [];
  const found: { name: string; attributes: string }[] = [];
  let end = 0;
  for (const { 0: tag, index, groups } of xml.matchAll(
    /<(?<close>\/?)(?<name>[a-z]+)(?<attributes>(?: [\w:-]+="[^"<]*")*)(?<self>\/?)>/gi,
  )) {
    const { close, name = '', attributes = '', self } = groups!;
    expect(xml.slice(end, index)).not.toMatch(/[<>]|&(?!#\d+;)/);
    end = index + tag.length;
    if (close !== '') expect(open.pop()).toBe(name);
    else {
      found.push({ name, attributes });
      if (self === '') open.push(name);
    }
  }
  expect([open, xml.slice(end).trim()]).toEqual([[], '']);
  return found;
}

test('a picture is sound XML without numbers that are none, with a mark for each compression and a bar for each frame', () => {
  fc.assert(
    fc.property(toldSessions, (told) => {
      const svg = pictureOfSession(told);
      expect(svg).not.toMatch(/NaN|undefined|Infinity/);
      const elements = elementsOf(svg);
      const withClass = (name: string) =>
        elements.filter(({ attributes }) => attributes.match(`class="${name}[ "]`)).length;
      expect(withClass('mark')).toBe(told.history.compressions.length);
      const spans = [...told.history.frames.values()].map(drawnSpan);
      const rows = [...lanesOf(spans).values()];
      expect(withClass('bar')).toBe(rows.filter((row) => row > 0 && row <= 10).length);
      const waiting = spans.filter(({ status }) => status === 'planned').length;
      expect(svg.includes('>planned (')).toBe(waiting > 0);
      if (waiting > 0) expect(svg).toContain(`>planned (${waiting}): Frame f`);
      expect(new Set(elements.map(({ name }) => name))).not.toContain('script');
    }),
  );
});

test('frames of a row do not overlap, nor do their titles', () => {
  fc.assert(
    fc.property(toldSessions, (told) => {
      const svg = pictureOfSession(told);
      const drawn = [
        ...svg.matchAll(
          /<rect class="bar(?: bad)?" x="([\d.]+)" y="(\d+)" width="([\d.]+)"[^>]*\/>(?:<text class="bar-text" x="([\d.]+)"[^>]*>([^<]*))?/g,
        ),
      ].map(([, x, y, wide, textAt = x, text = '']) => {
        const [left, right] = [Number(x), Number(x) + Number(wide)];
        const end = Number(textAt) + 6 * text.replace(/&#\d+;/g, '.').length;
        return { y, left, right: Math.max(right, text === '' ? 0 : end) };
      });
      for (const [index, one] of drawn.entries())
        for (const other of drawn.slice(index + 1))
          // A bar of no width has two units.
          if (one.y === other.y)
            expect(Math.min(one.right, other.right) - Math.max(one.left, other.left)).toBeLessThan(
              2.2,
            );
    }),
  );
});

test('a title is text in it, and it leads nowhere', () => {
  const told = toldOf([{ act: 'say', role: 'user', after: 0, tokens: 5 }]);
  const title = '</title><script>x</script> & "\u202e\u001b[31m\u0000\uffff" ]]>';
  const svg = pictureOfSession({ ...told, head: { ...told.head, title } });
  elementsOf(svg);
  expect(svg).toContain('&#60;/title&#62;&#60;script&#62;x&#60;/script&#62; &#38; &#34;');
  expect(svg).not.toMatch(/[\u0000-\u0008\u001b\u202e\ufffe\uffff]|href|url\(|@import/);
  expect(svg.match(/https?:/g)).toHaveLength(1);
});

test('few turns are drawn by what was said, more by turns', () => {
  const told = toldOf(
    Array.from({ length: 9 }, () => ({ act: 'say', role: 'user', after: 9, tokens: 500 })),
  );
  expect(pictureOfSession(told)).toContain('>4,000 tokens said</text>');
  for (const [index, step] of told.history.steps.entries())
    told.history.steps[index] = { ...step, turn: index };
  expect(pictureOfSession(told)).toContain('>turn 8</text>');
});

test('a frame that ended before it began stands at its end, and what waits is named below', () => {
  const told = toldOf([
    { act: 'say', role: 'user', after: 0, tokens: 5 },
    { act: 'plan' },
    { act: 'drop' },
    { act: 'plan' },
    { act: 'plan' },
  ]);
  const svg = pictureOfSession(told);
  expect(svg).toMatch(/<title>Frame f1, invalidated<\/title><rect class="bar bad"/);
  expect(svg).toContain('>planned (2): Frame f2 · Frame f3</text>');
});

test('a cut has a mark, the certain one where both are in one place, and a limit in other tokens than the window says so', () => {
  const told = toldOf([{ act: 'say', role: 'user', after: 0, tokens: 5 }]);
  const last = told.history.steps.at(-1)!;
  expect(pictureOfSession(told)).not.toContain('class="cut"');
  for (const isCertain of [false, true])
    addStep(told.history, {
      ...last,
      seq: last.seq + 1,
      news: [{ type: 'cut', rule: 'shorter', isCertain, lost: [] }],
    });
  const svg = pictureOfSession({ ...told, head: { ...told.head, window: last.limit - 1 } });
  expect(svg.match(/class="cut".*?<text class="n" y="11">./g)!.map((one) => one.at(-1))).toEqual([
    '!',
    '!',
  ]);
  expect(svg).toContain('prompt cut');
  expect(svg).toContain('window 999 tokens, 1,000 of ours for the prompt');
});
