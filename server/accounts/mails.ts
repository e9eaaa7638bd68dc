import type { Member } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database.ts'
import type { Message } from '../notifications/mail.ts'

/** Told however it was changed: an owner who did not do it has to know at once. */
export async function tradingPasswordMail(tx: Tx, member: Member, login: string): Promise<Message> {
  const { email } = await tx
    .selectFrom('members')
    .select('email')
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .executeTakeFirstOrThrow()
  return tradingPasswordChanged({ to: email, memberId: member.memberId }, login)
}

function tradingPasswordChanged(owner: { to: string; memberId: string }, login: string): Message {
  return {
    ...owner,
    letter: ({ address, brand }) => ({
      subject: 'The password of your trading account was changed',
      heading: 'The password of your trading account was changed',
      lines: [
        `The trading account ${login} at ${brand} has a new password, set in the portal.`,
        'Programs that trade on it need the new one from now on.',
      ],
      action: { label: 'See your accounts', url: `${address}/accounts` },
      footnote: 'If this was not you, tell us at once.',
    }),
  }
}
