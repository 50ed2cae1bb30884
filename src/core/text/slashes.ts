/** A path of Windows with the slashes of any other, by which it is opened as well: `C:/shop/a.cs`. */
export const slashed = (path: string): string =>
  /^[A-Za-z]:\\/.test(path) ? path.replaceAll('\\', '/') : path;
