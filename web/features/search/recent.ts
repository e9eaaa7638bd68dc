import type { Finding } from './findings.ts'

/**
 * What the member opened from the search, newest first. Held in memory for one member: the next person at the same
 * machine must not see it.
 */
export type Recent = Pick<Finding, 'id' | 'to' | 'title' | 'facts'>

const recentMax = 5
let current: { memberId: string; findings: Recent[] } = { memberId: '', findings: [] }

export function recentOf(memberId: string): Recent[] {
  return current.memberId === memberId ? current.findings : []
}

export function rememberFinding(memberId: string, { id, to, title, facts }: Recent): void {
  const others = recentOf(memberId).filter((finding) => finding.id !== id)
  current = { memberId, findings: [{ id, to, title, facts }, ...others].slice(0, recentMax) }
}
