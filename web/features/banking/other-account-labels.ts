const words: Record<string, string> = { crypto: 'Crypto', other: 'Other' }

export const wordOfType = (type: string): string => words[type] ?? type
