import type { deadLetter } from '@atrium/contract/notifications/dead-letters.ts'
import { mailsList } from '@atrium/contract/notifications/desk-list.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Staff } from '../foundation/actor.ts'
import { spreadsheetMoment } from '../foundation/csv.ts'
import type { Tx } from '../foundation/database/database.ts'
import { containsText } from '../foundation/database/like-pattern.ts'
import { condition, defineList } from '../foundation/list.ts'

type Row = z.output<typeof deadLetter>

/** Undelivered mails that staff have not handled, newest first. */
export const deadLetterMails = defineList({
  list: mailsList,
  right: 'members.read',
  table: 'mails as mail',
  id: 'mail.mail_id',
  select,
  // Matches the predicate of the partial index.
  where: () => condition`mail.state in ('failed', 'unknown') and mail.left_at is null`,
  filters: {
    q: (q) => containsText(sql`(mail.recipient || ' ' || mail.subject)`, q),
    state: (state) => condition`mail.state = ${state}`,
  },
  sort: () => ({ column: 'mail.settled_at', direction: 'desc', at: (row) => row.settled_at }),
  shape,
  columns: [
    ['Written (UTC)', (row) => spreadsheetMoment(row.created_at)],
    ['Given up (UTC)', (row) => spreadsheetMoment(row.settled_at)],
    ['To', (row) => row.recipient],
    ['Subject', (row) => row.subject],
    ['State', (row) => row.state],
    ['Reason', (row) => row.problem],
    ['Attempts', (row) => row.tries],
    ['Customer number', (row) => row.member?.customer_number ?? null],
    ['Name', (row) => row.member?.name ?? null],
  ],
})

function select(tx: Tx, staff: Staff) {
  return tx
    .selectFrom('mails as mail')
    .leftJoin('members as owner', (join) =>
      join.onRef('owner.workspace_id', '=', 'mail.workspace_id').onRef('owner.member_id', '=', 'mail.member_id'),
    )
    .select(['mail.mail_id', 'mail.recipient', 'mail.subject', 'mail.state', 'mail.last_problem', 'mail.attempts'])
    .select(['mail.created_at', 'mail.settled_at', 'owner.member_id', 'owner.customer_number'])
    .select(sql<string>`owner.first_name || ' ' || owner.last_name`.as('owner_name'))
    .select(sql<boolean>`mail.sealed_content is not null`.as('can_be_tried'))
    .where('mail.workspace_id', '=', staff.workspaceId)
}

type Selected = Awaited<ReturnType<ReturnType<typeof select>['execute']>>[number]

function shape({ member_id, customer_number, owner_name, ...row }: Selected): Row {
  return {
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
  }
}
