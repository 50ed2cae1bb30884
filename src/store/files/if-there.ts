/** Whether an error says that there is no such file; any other fault may pass, and says nothing of what is there. */
export const isMissing = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '');

/** What is read of a file or a folder, or `otherwise` where there is none. */
export const ifThere = <T, U>(reading: Promise<T>, otherwise: U): Promise<T | U> =>
  reading.catch((error: unknown) => {
    if (isMissing(error)) return otherwise;
    throw error;
  });
