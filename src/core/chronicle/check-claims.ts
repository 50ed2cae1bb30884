// What the model says of checks at the moment: that one fails, or that all of it passes. The first is
// history as soon as the second is said of the same kind.

/** What says that a check fails now; what failed before is history already, and what it fails for from now on is a rule. */
const failing =
  /\b(?:is|are) (?:(?:still|now|currently|also) ){0,3}(?:failing|complaining|flagging|red(?=[.;,:!]|$| (?:on|since|because|again|for)\b))\b|\b(?:still|currently) (?:fails?|complains?|flags?)\b|\b(?:still|currently|now) has (?:\w+ )?errors?\b|\bfails? as expected\b|\b(?:errors?|failures?|warnings?) (?:still )?remain(?=[.;,:!(]|$| (?:in|on)\b)|\bremains? (?:unfixed|failing|red)\b/i;

/** What speaks of no failure: `no check is failing`, `if the tests are failing`. */
const unreal = /\b(?:no|not|none|never|nothing|if|whether|when|once|until|unless|why)\b/i;

/** What says that all of a kind passes only in part, somewhere, or before, or that it is to pass. */
const partial =
  /\b(?:not|n['’]t|if|once|until|unless|when|whether|ensure|make sure|so that|should|must|verify|check that|will|to)\b|\b(?:except|but|apart from|other than|aside from|besides|save)\b|^\W{0,4}(?:on|in|at|for|under|without|before|earlier|yesterday|previously)\b|\?$/i;

/** What is to be so, not what is: `Done when: all tests pass`. */
const wanted =
  /^[^:]{0,60}\b(?:goals?|plans?|required|criteria|criterion|acceptance|targets?|to-?do|next|steps?|expected|done)\b[^:]{0,40}:/i;

const good = '(?:pass(?:es|ed)?|(?:is|are) (?:now |all |still )?(?:clean|green|passing))\\b';
/** Where a claim begins, and ends: `all tests pass on Linux`, or `I expect that all tests pass`, is none. */
const start = '(?:^\\W{0,4}|[,:(] |\\b(?:and|so|now) )(?:the |our )?';
const end = '(?: (?:again|now|too|as well))?\\)?(?=[.;!*_`"”]{0,4}$| ?[,:(]| and\\b)';
const none = '(?:0|no|zero) (?:lint )?(?:issues|errors|warnings|problems)\\b';

/** What says that all of a kind of checks passes. */
const allOf = (claim: string): RegExp => new RegExp(`${start}(?:${claim})${end}`, 'i');

/** The kinds of checks: the words that a claim names one by, and what says that all of it passes. */
const kinds: readonly { readonly names: RegExp; readonly passing: RegExp }[] = [
  {
    names: /\btests?\b|\bspecs?\b|\bsuite\b|\b[Tt]est_?[A-Z]\w{1,80}|\btest_\w{1,80}/,
    passing: allOf(
      `all (?:(?:of|the|our|\\d{1,6}) ){0,3}(?:tests|specs) (?:now |still |also )?${good}|(?:test|full|whole|entire) suite (?:now )?${good}|everything (?:now )?${good}`,
    ),
  },
  {
    names: /\blint(?:er|ers|ing|s)?\b/i,
    passing: allOf(
      `lint(?:er|ing)? (?:now )?(?:${good}|clean|[(:] ?${none})|(?:0|no|zero) lint (?:issues|errors)`,
    ),
  },
  {
    names: /\btype-?check\w{0,4}\b|\btypes\b/i,
    passing: allOf(`(?:type-?check(?:s|ing|er)?|types) (?:now )?(?:${good}|clean|[(:] ?${none})`),
  },
  {
    names: /\bbuilds?\b/i,
    passing: allOf(`(?:the|whole|full) build (?:now )?(?:${good}|succeeds)`),
  },
  {
    names: /\bCI\b|\b(?:checks|pipeline)\b/,
    passing: allOf(`CI (?:now )?(?:${good}|is fully green)|all (?:CI )?checks (?:now )?${good}`),
  },
];

const sentencesOf = (text: string): readonly string[] => text.split(/(?<=[.;!?])\s| [–—] /);

/** The kinds of checks, by their numbers, of which a text says that one fails now. */
export function failingKinds(text: string): readonly number[] {
  if (!failing.test(text)) return [];
  const claims = sentencesOf(text).filter((one) => {
    const before = one.slice(0, failing.exec(one)?.index ?? 0);
    return failing.test(one) && !unreal.test(before) && !one.endsWith('?');
  });
  return kindsIn((at) => claims.some((one) => kinds[at]!.names.test(one)));
}

/** The kinds of checks, by their numbers, of which a text says that all of it passes now. */
export const passingKinds = (text: string): readonly number[] => {
  if (wanted.test(text)) return [];
  const claims = sentencesOf(text).filter((one) => !partial.test(one) && !failing.test(one));
  return kindsIn((at) => claims.some((one) => kinds[at]!.passing.test(one)));
};

const kindsIn = (isMeant: (at: number) => boolean): readonly number[] =>
  [...kinds.keys()].filter(isMeant);
