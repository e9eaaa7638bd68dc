/** One place for what went wrong without stopping anybody. Kept short and in memory; a collector may listen. */

export type Report = { at: number; event: string; details: Record<string, unknown> }

const kept: Report[] = []
const keptMax = 50
const listeners = new Set<(report: Report) => void>()

export function report(event: string, details: Record<string, unknown> = {}): void {
  const entry = { at: Date.now(), event, details }
  kept.push(entry)
  if (kept.length > keptMax) kept.shift()
  for (const listener of listeners) listener(entry)
}

export function onReport(listener: (report: Report) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function recentReports(): readonly Report[] {
  return kept
}
