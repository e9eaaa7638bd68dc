const brands: Record<string, string> = { mt4: 'MetaTrader 4', mt5: 'MetaTrader 5' }

/** The short form beside a login: "MT5 70001". */
export const platformName = (type: string): string => type.toUpperCase()

export const platformTitle = (type: string): string => brands[type.toLowerCase()] ?? platformName(type)
