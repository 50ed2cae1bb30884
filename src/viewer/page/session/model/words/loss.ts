import { nameOfCut } from './cut.ts';
import { many, number } from './amounts.ts';
import { outside, totalOf, type Cut, type History, type Loss } from '../history.ts';
import type { Change } from '../wire.ts';

/** What a loss is called. */
export function nameOf({ cuts, frames }: History, one: Loss): string {
  if ('compression' in one) return `Compression ${one.compression + 1}`;
  if ('cut' in one) return nameOfCut(cuts[one.cut]!.news);
  if ('shortened' in one) return one.shortened;
  if ('back' in one) return `Taken back, or again: ${one.back}`;
  if ('begun' in one) return `Frame began: ${frames.get(one.begun)!.title}`;
  const { title, status } = frames.get(one.frame)!;
  return `Frame ${status}: ${title}`;
}

/** What the mark of a loss is called: with its turn, and the size of the prompt before and after. */
export const markName = (history: History, one: Loss): string =>
  `${nameOf(history, one)}, turn ${history.steps[one.at]!.turn}: ${sizeText(history, one)}`;

/** The same of the mark of some compressions in a row, by their indexes. */
export function compressionsName(history: History, first: number, last: number): string {
  const { compressions, steps } = history;
  const [from, to] = [compressions[first]!, compressions[last]!];
  if (first === last) return markName(history, { at: from.at, compression: first });
  const turns = [steps[from.at]!.turn, steps[to.at]!.turn];
  const when = turns[0] === turns[1] ? `turn ${turns[0]}` : `turns ${turns.join('–')}`;
  const sizes = `${number(from.news.before)} → ${number(to.news.after)} tokens`;
  return `Compressions ${first + 1}–${last + 1}, ${when}: ${sizes}`;
}

/** Which of them it is, and what it was about. */
export function aboutOf({ cuts, compressions }: History, one: Loss): string {
  if ('cut' in one) return placeOfCut(cuts, one.cut);
  if ('frame' in one) return one.frame;
  if ('begun' in one) return `${one.begun}: ${outside}`;
  if ('shortened' in one) return 'what stands for each leads to it';
  if ('back' in one) return 'what was decided is as it was before';
  const { from, to, by } = compressions[one.compression]!.news;
  return `of ${compressions.length} · ${from}-${to} · ${writerOf(by)}`;
}

/** Which of all cuts it is, or of all prompts that were refused, where nothing was cut; of what is neither, nothing. */
function placeOfCut(cuts: readonly Cut[], at: number): string {
  const kind = kindOfCut(cuts[at]!);
  const same = [...cuts.keys()].filter((other) => kindOfCut(cuts[other]!) === kind);
  const place =
    same.length === 1 ? [] : [`${same.indexOf(at) + 1} of ${same.length} ${kinds[kind]}`];
  if (kind === 'refused') return [...place, 'nothing was cut'].join(' · ');
  return kind === 'cut' ? place.join('') : '';
}

const kinds = { cut: 'cuts', refused: 'refused prompts', recovery: '' } as const;

/** Whether somebody dropped part of a prompt, refused it, or a recovery began without either. */
function kindOfCut({ news }: Cut): keyof typeof kinds {
  if (news === null || news.rule === 'recovery.asked') return 'recovery';
  return news.rule === 'prompt.refused' ? 'refused' : 'cut';
}

/** Who wrote a summary, in words. */
const writerOf = (by: string): string =>
  by === 'embedded' ? 'by the embedded summarizer' : `by ${by}`;

/** What a server counted of the prompt that was cut; undefined where it gave no count. */
export const countOfCut = (
  { counts }: History,
  { at }: Cut,
): History['counts'][number] | undefined => counts.find((one) => one.at === at);

/** Whether a step changed nothing of what the model sees: so does a cut, which is made behind our prompt. */
export const isNothing = ({ left, shortened, lost, lines }: Change): boolean =>
  left.length + shortened.length + lost.length + lines.length === 0;

/** How many entries a range has, and whether they stood in the prompt word for word, by those that stood there shortened. */
export function formText(range: string, short: readonly string[]): string {
  const [first = 0, last = first] = range.split('-').map((id) => Number(id.slice(1)));
  const entries = last - first + 1;
  const shorter = short.filter((id) => Number(id.slice(1)) >= first && Number(id.slice(1)) <= last);
  const form =
    shorter.length === 0
      ? 'word for word'
      : `${shorter.length < entries ? `${number(shorter.length)} of them ` : ''}shortened`;
  return `${many(entries, 'entry', 'entries')}, ${form}`;
}

/** How many entries left the prompt, of which some stood there shortened, and what came instead. */
export function leavingText({ left, came, short, gained }: Change): string {
  const gone = new Set(left);
  const shorter = short[0].filter((id) => gone.has(id)).length;
  return [
    `${many(left.length, 'entry', 'entries')} left the prompt`,
    ...(shorter > 0 ? [`${number(shorter)} of which stood there shortened`] : []),
    ...(came.length > 0 ? [`${number(came.length)} came`] : []),
    ...(gained > 0 ? [many(gained, 'new name')] : []),
  ].join(', ');
}

/** Tokens of the prompt before and after; of a cut those that were sent and counted, where the server gave a count. */
export function sizeText(history: History, one: Loss, to = '→'): string {
  const counted = 'cut' in one ? countOfCut(history, history.cuts[one.cut]!) : undefined;
  if (counted !== undefined)
    return `sent ${number(counted.sent)} tokens, the server counted ${number(counted.counted)}`;
  const { before, after } = sizesOf(history, one);
  return `${number(before)} ${to} ${number(after)} tokens`;
}

/** Of what the prompt before a compression was made: that of the step before, what came, and what went as entries were shortened, in tokens. */
export function sumBefore(
  { compressions, steps }: History,
  compression: number,
): { readonly stood: number; readonly came: number; readonly went: number } {
  const { at, news } = compressions[compression]!;
  const { scale = 1 } = steps[at - 1] ?? {};
  const stood = at === 0 ? 0 : totalOf(steps[at - 1]!);
  const said = steps[at]!.news.reduce(
    (sum, one) => (one.type === 'entry' ? sum + one.tokens : sum),
    0,
  );
  const came = Math.round(said * scale);
  return { stood, came, went: stood + came - news.before };
}

/** Tokens of the prompt before and after. */
export function sizesOf(
  { compressions, steps }: History,
  one: Loss,
): { readonly before: number; readonly after: number } {
  if ('compression' in one) return compressions[one.compression]!.news;
  const [before, after] = [steps[one.at - 1], steps[one.at]!];
  return { before: totalOf(before ?? after), after: totalOf(after) };
}
