import type { Finding } from './findings.ts'

/**
 * What somebody went to by the search, newest first. Kept for as long as the page is open and for one member: what a person
 * looked for must not be read by the next one at the same machine.
 */
export type Recent = Pick<Finding, 'id' | 'to' | 'title' | 'facts'>

const recentMax = 5
let kept: { memberId: string; findings: Recent[] } = { memberId: '', findings: [] }

export function recentOf(memberId: string): Recent[] {
  return kept.memberId === memberId ? kept.findings : []
}

export function rememberFinding(memberId: string, { id, to, title, facts }: Recent): void {
  const others = recentOf(memberId).filter((finding) => finding.id !== id)
  kept = { memberId, findings: [{ id, to, title, facts }, ...others].slice(0, recentMax) }
}
