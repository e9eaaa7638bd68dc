/** Moves an entry past the next visible one; unchanged at either end. */
export function moveBy(entries: Entry[], index: number, step: 1 | -1): Entry[] {
  let other = index + step
  while (entries[other]?.archived) other += step
  const moved = entries[index]
  const passed = entries[other]
  if (!moved || !passed) return entries
  return entries.map((entry, each) => (each === index ? passed : each === other ? moved : entry))
}

/** Removes an unsaved entry; archives any other. */
export function archiveAt(entries: Entry[], index: number): Entry[] {
  return entries.flatMap((entry, each) => {
    if (each !== index) return [entry]
    return entry.key === null ? [] : [{ ...entry, archived: true }]
  })
}

export function restored(entries: Entry[], wanted: Entry): Entry[] {
  return entries.map((entry) => (entry === wanted ? { ...entry, archived: false } : entry))
}

/** Vendors and departments, whose names are their ids: active and archived names are stored separately. */
export function entriesOfNames(names: string[], archived: string[], saved: string[]): Entry[] {
  const toEntry = (isArchived: boolean) => (name: string) => ({
    key: saved.includes(name) ? name : null,
    name,
    archived: isArchived,
  })
  return [...names.map(toEntry(false)), ...archived.map(toEntry(true))]
}

export function namesOf(entries: Entry[]): { names: string[]; archived: string[] } {
  const namesWhere = (isArchived: boolean) =>
    entries.filter((entry) => entry.archived === isArchived).map(({ name }) => name)
  return { names: namesWhere(false), archived: namesWhere(true) }
}

/** An entry without a key is not saved yet and can be removed. */
export type Entry = { key: string | null; name: string; archived: boolean }
