// What a stranger wrote may hold marks that turn the direction of writing around, so that `gnp.exe` is read as
// `exe.png`. In what is shown a mark is seen as one, as in a terminal; what is asked keeps them.

/** Marks that turn the direction of writing around. */
const turns = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A text in which each mark that turns the direction of writing around is seen, and turns nothing. */
export const withSeenTurns = (text: string): string => text.replace(turns, '·');
