import type { exportUndelivered, listUndelivered, undeliveredMail } from '@atrium/contract/desk-mails.ts'
import { limits } from '@atrium/contract/limits.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { containing } from '../foundation/containing.ts'
import { csvLine, csvMark } from '../foundation/csv.ts'
import { inTransaction, reading, type Tx } from '../foundation/database.ts'
import { cutPage, readTimeMark } from '../foundation/page-mark.ts'

type Filter = z.output<(typeof exportUndelivered)['input']>
type Listing = z.output<(typeof listUndelivered)['input']>
type Row = z.output<typeof undeliveredMail>
type Asked = Filter & { limit: number; after?: string | undefined; before?: string | undefined }

/** A page of mails that did not get through and that nobody has seen to, the latest first. */
export async function listUndeliveredMails(staff: Staff, asked: Listing) {
  authorizeStaff(staff, 'members.read')
  return reading(staff, async (tx) => {
    const { rows, next, previous } = await readPage(tx, staff, asked)
    return { mails: rows, next, previous, total: await count(tx, staff, asked) }
  })
}

/** The same as a table. Who took it away is written down first. */
export async function exportUndeliveredMails(staff: Staff, filter: Filter): Promise<AsyncIterable<string>> {
  authorizeStaff(staff, 'members.read')
  await inTransaction(staff, (tx) =>
    audit(tx, staff, {
      action: 'mails.exported',
      subject: { kind: 'workspace', id: staff.workspaceId },
      // What was searched for may be anybody's address; that it was searched is enough.
      after: { ...filter, q: filter.q === undefined ? undefined : '…' },
    }),
  )
  return writeTable(staff, filter)
}

const exportedAtOnce = 500

async function* writeTable(staff: Staff, filter: Filter): AsyncIterable<string> {
  const heads = ['Written', 'Given up', 'To', 'Subject', 'What happened', 'Why', 'Tries', 'Customer number', 'Name']
  yield csvMark + csvLine(heads)
  let after: string | undefined
  do {
    // A transaction of its own for each part: a slow reader holds no connection while it reads.
    const page = await reading(staff, (tx) => readPage(tx, staff, { ...filter, limit: exportedAtOnce, after }))
    yield page.rows.map(tableLine).join('')
    after = page.next ?? undefined
  } while (after)
}

function tableLine({ member, ...row }: Row): string {
  const moment = (at: number) => new Date(at).toISOString()
  return csvLine([
    ...[moment(row.created_at), moment(row.settled_at), row.recipient, row.subject, row.state, row.problem, row.tries],
    ...[member?.customer_number ?? null, member?.name ?? null],
  ])
}

/** Nobody has seen to them. */
export function selectUndelivered(tx: Tx, staff: Staff, { q, state }: Filter) {
  let query = tx
    .selectFrom('mails as mail')
    .where('mail.workspace_id', '=', staff.workspaceId)
    // In words of the index that holds nothing else.
    .where(sql<boolean>`mail.state in ('failed', 'unknown') and mail.left_at is null`)
  if (state) query = query.where('mail.state', '=', state)
  if (q) query = query.where(sql<boolean>`(mail.recipient || ' ' || mail.subject) ilike ${containing(q)}`)
  return query
}

async function readPage(tx: Tx, staff: Staff, asked: Asked) {
  const isRising = asked.before !== undefined
  const mark = asked.before ?? asked.after
  const rows = await selectUndelivered(tx, staff, asked)
    .leftJoin('members as owner', (join) =>
      join.onRef('owner.workspace_id', '=', 'mail.workspace_id').onRef('owner.member_id', '=', 'mail.member_id'),
    )
    .select(['mail.mail_id', 'mail.recipient', 'mail.subject', 'mail.state', 'mail.last_problem', 'mail.attempts'])
    .select(['mail.created_at', 'mail.settled_at', 'owner.member_id', 'owner.customer_number'])
    .select(sql<string>`owner.first_name || ' ' || owner.last_name`.as('owner_name'))
    .select(sql<boolean>`mail.sealed_content is not null`.as('can_be_tried'))
    .$if(mark !== undefined, (query) => query.where(beyond(mark ?? '', isRising)))
    .orderBy('mail.settled_at', isRising ? 'asc' : 'desc')
    .orderBy('mail.mail_id', isRising ? 'asc' : 'desc')
    .limit(asked.limit + 1)
    .execute()
  const shaped = rows.map(
    ({ member_id, customer_number, owner_name, ...row }): Row => ({
      _id: row.mail_id,
      recipient: row.recipient,
      subject: row.subject,
      state: row.state as Row['state'],
      problem: row.last_problem,
      tries: row.attempts,
      created_at: row.created_at.getTime(),
      settled_at: row.settled_at?.getTime() ?? 0,
      member: member_id === null ? null : { _id: member_id, name: owner_name, customer_number: customer_number ?? '' },
      can_be_tried: row.can_be_tried,
    }),
  )
  return cutPage(shaped, asked, (row) => ({ value: String(row.settled_at), id: row._id }))
}

function beyond(mark: string, isRising: boolean) {
  const than = sql.raw(isRising ? '>' : '<')
  const { at, id } = readTimeMark(mark)
  return sql<boolean>`(mail.settled_at ${than}= ${at}
    and (mail.settled_at ${than} ${at} or mail.mail_id ${than} ${id}::uuid))`
}

async function count(tx: Tx, staff: Staff, filter: Filter): Promise<number> {
  const { total } = await tx
    .selectFrom(selectUndelivered(tx, staff, filter).select('mail.mail_id').limit(limits.countedMax).as('counted'))
    .select(sql<number>`count(*)::int`.as('total'))
    .executeTakeFirstOrThrow()
  return total
}
