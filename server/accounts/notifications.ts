import type { Member } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import type { MailedNotification } from '../notifications/notify.ts'
import type { PasswordKind } from '../trading-platforms/contract.ts'

type Account = { account_id: string; platform_login: string; which: PasswordKind }

/** Sent for every change, because an owner who did not make it must know. */
export async function tradingPasswordMail(tx: Tx, member: Member, account: Account): Promise<MailedNotification> {
  const { email } = await tx
    .selectFrom('members')
    .select('email')
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .executeTakeFirstOrThrow()
  return tradingPasswordChanged({ to: email, memberId: member.memberId }, account)
}

const labels: Record<PasswordKind, { name: string; use: string }> = {
  main: { name: 'password', use: 'Update it in every program that trades on this account.' },
  investor: { name: 'investor password', use: 'It gives read-only access to the account.' },
}

function tradingPasswordChanged(owner: { to: string; memberId: string }, account: Account): MailedNotification {
  const { account_id: id, platform_login: login } = account
  const { name, use } = labels[account.which]
  return {
    ...owner,
    notification: {
      kind: 'trading-password.changed',
      title: `The ${name} of your trading account {{login}} was changed`,
      body: `${use} If this was not you, contact us now.`,
      details: { login },
      target: { kind: 'account', id },
    },
    letter: ({ address, brand }) => ({
      heading: `The ${name} of your trading account was changed`,
      lines: [`The trading account ${login} at ${brand} has a new ${name}, set in the portal.`, use],
      action: { label: 'See your accounts', url: `${address}/accounts` },
      footnote: 'If this was not you, contact us now.',
    }),
  }
}
