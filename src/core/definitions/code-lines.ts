// Kinds of lines that code has in most languages.

/** A line that says something of the code. */
export const comment: RegExp = /^\s*(?:\/\/|\/?\*|#(?!\[)|--|%|<!--|;)/;

/** What begins like a method and is none. */
export const statement: RegExp =
  /^\s*(?:if|for|foreach|while|switch|catch|return|await|throw|super|expect|assert\w*|print\w*|console|describe|it|test|else|elif|new|do|with|match|case|and|or|not|in|typeof|delete|yield|raise)\b/;
