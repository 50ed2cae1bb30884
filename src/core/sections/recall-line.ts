/**
 * The line that says how to get back what is out of view, where the model has the tool for it; ''
 * where it has not, since a way that is not there only misleads.
 */
export function recallLine(hasTool: boolean): string {
  if (!hasTool) return '';
  return 'Nothing is lost: recall with ids from here (e12, e40-e52, c3), or with words, gives it back word for word.';
}
