import { sql } from 'kysely'
import type { System } from '../foundation/actor.ts'
import { reading, type Tx } from '../foundation/database/database.ts'

/** A mismatch and its place; positions count from one in each workspace. */
export type AuditFinding = { position: string; audit_id: string | null; what: string }

export type AuditReport = {
  entries: number
  /** `position:hash` of the last link. Stored elsewhere, it also proves that the end was not cut off. */
  head: string
  findings: AuditFinding[]
}

const linksAtOnce = 2_000
const findingsMax = 100

/**
 * Walks the chain from its first link: recalculates every hash from the current entry and from the hash that the link before it
 * must have.
 */
export async function verifyAudit(system: System, notedHead?: string): Promise<AuditReport> {
  const findings: AuditFinding[] = []
  const noted = notedHead?.split(':')
  let entries = 0
  let last: Last = { position: 0n, hash: Buffer.alloc(0) }
  let isNotedFound = noted === undefined
  for (;;) {
    const links = await reading(system, (tx) => readLinks(tx, system, last))
    for (const link of links) {
      const position = BigInt(link.position)
      for (const what of judge(link, last)) findings.push({ position: link.position, audit_id: link.audit_id, what })
      if (noted?.[0] === link.position && noted[1] === link.hash.toString('hex')) isNotedFound = true
      last = { position, hash: link.hash }
      entries += 1
    }
    if (links.length < linksAtOnce || findings.length > findingsMax) break
  }
  for (const audit_id of await findUnlinked(system))
    findings.push({ position: '-', audit_id, what: 'the entry has no link: it was not written by Atrium' })
  if (!isNotedFound)
    findings.push({ position: noted?.[0] ?? '-', audit_id: null, what: 'the noted end is not in the chain' })
  return { entries, head: `${last.position}:${last.hash.toString('hex')}`, findings: findings.slice(0, findingsMax) }
}

type Last = { position: bigint; hash: Buffer }

type Link = {
  position: string
  audit_id: string
  hash: Buffer
  details_hash: Buffer
  found_id: string | null
  found_details: Buffer
  /** Calculated from the stored hash of the link before it. */
  expected: Buffer
  is_erased: boolean
}

function judge(link: Link, last: Last): string[] {
  const wrong: string[] = []
  if (BigInt(link.position) !== last.position + 1n) wrong.push('an entry before this one was removed')
  if (link.found_id === null) return [...wrong, 'the entry of this link was removed']
  if (!link.expected.equals(link.hash)) wrong.push('the entry or its link was changed')
  const isAsWritten = link.found_details.equals(link.details_hash)
  if (!isAsWritten && !link.is_erased) wrong.push('the details of the entry were changed')
  return wrong
}

async function readLinks(tx: Tx, system: System, after: Last): Promise<Link[]> {
  const found = await sql<Link>`
    with part as (
      select * from audit_links
      where workspace_id = ${system.workspaceId}::uuid and position > ${String(after.position)}::bigint
      order by position limit ${linksAtOnce}
    )
    select part.position::text, part.audit_id, entry.audit_id as found_id, part.hash, part.details_hash, audit_details_hash(entry::audit_log) as found_details,
      audit_link_hash(lag(part.hash, 1, ${after.hash}::bytea) over (order by part.position), entry, part.details_hash) as expected,
      entry.before is null and entry.after is null and entry.address is null
        and exists (select from members as member where member.workspace_id = entry.workspace_id
          and member.member_id = coalesce(entry.member_id, audit_subject_member(entry::audit_log))
          and member.status = 'erased') as is_erased
    from part left join lateral (
      select * from audit_log as log where log.workspace_id = part.workspace_id and log.audit_id = part.audit_id limit 1
    ) as entry on true
    order by part.position`.execute(tx)
  return found.rows
}

/** Reads in batches, as for the links: one statement over a log of many years would time out. */
async function findUnlinked(system: System): Promise<string[]> {
  const unlinked: string[] = []
  let last = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const entries = await reading(system, (tx) => readEntries(tx, system, last))
    unlinked.push(...entries.flatMap(({ audit_id, link_id }) => (link_id === null ? [audit_id] : [])))
    if (entries.length < linksAtOnce || unlinked.length > findingsMax) return unlinked
    last = entries.at(-1)?.audit_id ?? last
  }
}

async function readEntries(tx: Tx, system: System, after: string) {
  const found = await sql<{ audit_id: string; link_id: string | null }>`
    with part as (
      select audit_id from audit_log
      where workspace_id = ${system.workspaceId}::uuid and audit_id > ${after}::uuid
      order by audit_id limit ${linksAtOnce}
    )
    select part.audit_id, found.audit_id as link_id
    from part left join lateral (
      select link.audit_id from audit_links as link
      where link.workspace_id = ${system.workspaceId}::uuid and link.audit_id = part.audit_id limit 1
    ) as found on true
    order by part.audit_id`.execute(tx)
  return found.rows
}
