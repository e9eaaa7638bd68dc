/** English sentences are the keys of every translation, so there is nothing to translate. */
export const translation: Record<string, string> = {}
