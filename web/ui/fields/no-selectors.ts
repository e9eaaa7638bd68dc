/** In place of i18next, whose keys may be functions. Ours are sentences. */
export const keyFromSelector = (key: unknown): string => String(key)
