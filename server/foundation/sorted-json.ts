/** Serializes equal values identically, since the key order is insignificant and the database changes it. */
export function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) =>
    inner && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([left], [right]) => (left < right ? -1 : 1)))
      : inner,
  )
}
