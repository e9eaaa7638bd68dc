const labels: Record<string, string> = { crypto: 'Crypto', other: 'Other' }

export const wordOfType = (type: string): string => labels[type] ?? type
