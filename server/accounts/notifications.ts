import type { Member } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import type { MailedNotification, Notification } from '../notifications/notify.ts'
import type { PasswordKind } from '../trading-platforms/contract.ts'

type Named = { account_id: string; platform_login: string }
type Account = Named & { which: PasswordKind }

/** To the new owner of an account whose owner staff corrected. */
export function accountAssigned({ account_id: id, platform_login: login }: Named, memberId: string): Notification {
  return {
    memberId,
    kind: 'account.access-changed',
    dedupeKey: `account.access-changed:${newId()}`,
    title: 'Trading account {{login}} was assigned to you',
    body: 'Set a new password and a new investor password on its page: the previous owner may still know the old ones.',
    details: { login },
    target: { kind: 'account', id },
    action: { label: 'Set new passwords', path: `/accounts/${id}` },
  }
}

type Outcome = 'changed' | 'unknown'

/**
 * Sent for every change, because an owner who did not make it must know, and for one that may have happened: nobody learns
 * its outcome later, since the password that would tell is not stored.
 */
export async function tradingPasswordMail(
  tx: Tx,
  member: Member,
  account: Account,
  outcome: Outcome,
): Promise<MailedNotification> {
  const { email } = await tx
    .selectFrom('members')
    .select('email')
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .executeTakeFirstOrThrow()
  const letterOf = outcome === 'changed' ? tradingPasswordChanged : tradingPasswordUnknown
  return letterOf({ to: email, memberId: member.memberId }, account)
}

const labels: Record<PasswordKind, { name: string; use: string }> = {
  main: { name: 'password', use: 'Update it in every program that trades on this account.' },
  investor: { name: 'investor password', use: 'It gives read-only access to the account.' },
}
type Owner = { to: string; memberId: string }

function tradingPasswordChanged(owner: Owner, account: Account): MailedNotification {
  const { name, use } = labels[account.which]
  return passwordMail(owner, account, {
    heading: `The ${name} of your trading account was changed`,
    title: `The ${name} of your trading account {{login}} was changed`,
    fact: (login, brand) => `The trading account ${login} at ${brand} has a new ${name}, set in the portal.`,
    use,
  })
}

function tradingPasswordUnknown(owner: Owner, account: Account): MailedNotification {
  const { name } = labels[account.which]
  return passwordMail(owner, account, {
    heading: `The ${name} of your trading account may have been changed`,
    title: `The ${name} of your trading account {{login}} may have been changed`,
    fact: (login, brand) =>
      `A new ${name} for the trading account ${login} at ${brand} was sent from the portal, but the platform did not confirm it.`,
    use: `Try to sign in with the new ${name}. If that fails, set it again on the page of the account.`,
  })
}

type Texts = { heading: string; title: string; fact: (login: string, brand: string) => string; use: string }

function passwordMail(owner: Owner, account: Account, { heading, title, fact, use }: Texts): MailedNotification {
  const { account_id: id, platform_login: login } = account
  return {
    ...owner,
    notification: {
      kind: 'trading-password.changed',
      title,
      body: `${use} If this was not you, contact us now.`,
      details: { login },
      target: { kind: 'account', id },
    },
    letter: ({ address, brand }) => ({
      heading,
      lines: [fact(login, brand), use],
      action: { label: 'See your accounts', url: `${address}/accounts` },
      footnote: 'If this was not you, contact us now.',
    }),
  }
}
