// What the model says of checks at the moment: that one fails, or that all of it passes. The first is
// history as soon as the second is said of the same kind.

/** What says that a check fails now; what failed before is history already. */
const failing =
  /\b(?:is|are) (?:(?:still|now|currently|also) )*(?:failing|red|complaining|flagging)\b|\b(?:still|currently|now) (?:fails?|complains?|flags?|has (?:\w+ )?errors?)\b|\bfails? as expected\b|\b(?:errors?|failures?|warnings?) (?:still )?remain\b|\bremains? (?:unfixed|failing|red)\b/i;

/** What speaks of no failure: `no check is failing`, `if the tests are failing`. */
const unreal = /\b(?:no|not|none|never|nothing|if|whether|when|once|until|unless|why)\b/i;

/** What says that all of a kind passes only in part, or that it is to pass. */
const partial =
  /\b(?:not|n['’]t|if|once|until|unless|when|whether|ensure|make sure|so that|should|must|verify|check that|will|to)\b|\b(?:except|but|apart from|other than|aside from|besides)\b/i;

const good = '(?:pass(?:es|ed)?|(?:is|are) (?:now |all |still )?(?:clean|green|passing))\\b';
const none = '(?:0|no|zero) (?:lint )?(?:issues|errors|warnings|problems)\\b';

/** The kinds of checks: the words that a claim names one by, and what says that all of it passes. */
const kinds: readonly { readonly names: RegExp; readonly passing: RegExp }[] = [
  {
    names: /\btests?\b|\bspecs?\b|\bsuite\b|\b[Tt]est_?[A-Z]\w{1,80}|\btest_\w{1,80}/,
    passing: new RegExp(
      `\\ball (?:(?:of|the|our|\\d{1,6}) ){0,3}(?:tests|specs) (?:now |still |also )?${good}|\\b(?:test|full|whole|entire) suite (?:now )?${good}|\\beverything (?:now )?${good}`,
      'i',
    ),
  },
  {
    names: /\blint(?:er|ers|ing|s)?\b/i,
    passing: new RegExp(
      `\\blint(?:er|ing)? (?:now )?(?:${good}|clean\\b|[(:] ?${none})|\\b(?:0|no|zero) lint (?:issues|errors)\\b`,
      'i',
    ),
  },
  {
    names: /\btype-?check\w{0,4}\b|\btypes\b/i,
    passing: new RegExp(
      `\\b(?:type-?check(?:s|ing|er)?|types) (?:now )?(?:${good}|clean\\b|[(:] ?${none})`,
      'i',
    ),
  },
  {
    names: /\bbuilds?\b/i,
    passing: new RegExp(`\\b(?:the|whole|full) build (?:now )?(?:${good}|succeeds\\b)`, 'i'),
  },
  {
    names: /\bCI\b|\b(?:checks|pipeline)\b/,
    passing: new RegExp(
      `\\bCI (?:now )?(?:${good}|is fully green\\b)|\\ball (?:CI )?checks (?:now )?${good}`,
      'i',
    ),
  },
];

const sentencesOf = (text: string): readonly string[] => text.split(/[.;!?](?:\s|$)| [–—] /);

/** The kinds of checks, by their numbers, of which a text says that one fails now. */
export function failingKinds(text: string): readonly number[] {
  if (!failing.test(text)) return [];
  const claims = sentencesOf(text).filter((one) => {
    const before = one.slice(0, failing.exec(one)?.index ?? 0);
    return failing.test(one) && !unreal.test(before);
  });
  return kindsIn((at) => claims.some((one) => kinds[at]!.names.test(one)));
}

/** The kinds of checks, by their numbers, of which a text says that all of it passes now. */
export const passingKinds = (text: string): readonly number[] => {
  const claims = sentencesOf(text).filter((one) => !partial.test(one) && !failing.test(one));
  return kindsIn((at) => claims.some((one) => kinds[at]!.passing.test(one)));
};

const kindsIn = (isMeant: (at: number) => boolean): readonly number[] =>
  [...kinds.keys()].filter(isMeant);
