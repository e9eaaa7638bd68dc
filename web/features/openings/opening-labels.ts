const titles: Record<string, string> = { mt4: 'MetaTrader 4', mt5: 'MetaTrader 5' }

/** A platform by the name that its maker gives it. */
export const platformTitle = (type: string): string => titles[type.toLowerCase()] ?? type.toUpperCase()

type Groups = readonly { groups: readonly { name: string; alias: string }[] }[]

/** Members know a group by its alias; the platform's own name stands in where nobody offers it any more. */
export const aliasOf = (platforms: Groups, group: string): string =>
  platforms.flatMap(({ groups }) => groups).find(({ name }) => name === group)?.alias ?? group
