import type { Staff } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { sendMail } from './mail.ts'
import { writtenMoment } from './written-time.ts'

type Change = {
  /** Follows the name of the person: `changed ...`. */
  did: string
  /** What somebody who does not mean well could do with it. */
  meaning: string
}

/**
 * Mails every other active administrator, in the transaction of a change that one person makes alone and on which money
 * depends. Whom that person locked or demoted before was notified of that.
 */
export async function notifyAdministrators(tx: Tx, staff: Staff, { did, meaning }: Change): Promise<void> {
  const others = await tx
    .selectFrom('staff_users')
    .select('email')
    .where('workspace_id', '=', staff.workspaceId)
    .where('role', '=', 'administrator')
    .where('status', '=', 'active')
    .where('staff_id', '<>', staff.staffId)
    .orderBy('staff_id')
    .execute()
  const from = staff.address ? `, from the address ${staff.address}` : ''
  const moment = `${writtenMoment(staff.context.clock.now())}${from}`
  for (const { email } of others)
    await sendMail(tx, staff, {
      to: email,
      memberId: null,
      letter: ({ address }) => ({
        heading: 'A colleague made a change that money depends on',
        lines: [`${staff.name} (${staff.email}) ${did}.`, `On ${moment}.`, meaning],
        action: { label: 'See the audit log', url: `${address}/desk/audit` },
        footnote:
          'If you do not know of this change, ask your colleague. An administrator can lock anybody under Staff.',
      }),
    })
}
