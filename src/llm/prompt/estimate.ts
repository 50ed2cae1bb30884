import type { Count } from '../../core/messages/token-count.ts';

/** What one UTF-16 unit is taken for, in sixths of a token. */
const sixths = { letter: 2, sign: 3, twoBytes: 6, more: 9 } as const;

/**
 * Tokens of a text, from its characters alone and rather too many: three
 * letters or spaces of ASCII a token, two digits or signs, one letter of other
 * alphabets, and one and a half tokens for each UTF-16 unit beyond (Chinese,
 * Japanese, Korean; an emoji is two units). For English prose that is a third
 * above o200k_base.
 */
export const estimate: Count = (text) => {
  let sum = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit > 0x7ff) sum += sixths.more;
    else if (unit > 0x7f) sum += sixths.twoBytes;
    else sum += isPlain(unit) ? sixths.letter : sixths.sign;
  }
  return Math.ceil(sum / 6);
};

/** A letter of ASCII or white space. */
const isPlain = (unit: number): boolean => {
  const lower = unit | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || unit <= 0x20;
};
