// What only we say of an entry, and what a model takes for so: that it worked there, that a person said
// something in it, that it puts right what stands before. A text that a program prints, or that a model
// copies from its prompt, may say the same.

const forms = /\be\d{1,9}(?= “)|(?<=\b(?:worked in|but see) )e\d{1,9}\b/g;

/** The words of a text, without the entries that it names as only we do: `; worked in e…`, `e… “yes”`. */
export const withoutForms = (text: string): string => text.replace(forms, 'e…');
