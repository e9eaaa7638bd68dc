import type { ComboboxData, ComboboxGenericItem, ComboboxItem } from '@mantine/core'

/** Keeps the first option of each value, across groups. */
export function uniqueOptions(data: ComboboxData): ComboboxData {
  const seen = new Set<string>()
  const isNew = (option: string | ComboboxGenericItem | ComboboxItem) => {
    const value = typeof option === 'string' ? option : option.value
    return !seen.has(value) && Boolean(seen.add(value))
  }
  return data
    .map((entry) => (isGroup(entry) ? { ...entry, items: entry.items.filter(isNew) } : entry))
    .filter((entry) => isGroup(entry) || isNew(entry))
}

type Entry = ComboboxData[number]

function isGroup(entry: Entry): entry is Extract<Entry, { items: unknown }> {
  return typeof entry === 'object' && 'group' in entry
}
