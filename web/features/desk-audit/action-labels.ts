import { labelOfEvent as labelOfDepositEvent } from '../desk-deposits/deposit-labels.ts'
import { labelOfEvent as labelOfWithdrawalEvent } from '../desk-withdrawals/withdrawal-labels.ts'

const nounLabels = new Map(
  Object.entries({
    'password-reset': 'reset link',
    staff: 'colleague',
    audit: 'audit log',
    'second-factors': 'second factors',
    members: 'list of members',
    accounts: 'list of accounts',
    openings: 'list of account applications',
    'account-differences': 'list of account discrepancies',
    deposits: 'list of deposits',
    withdrawals: 'list of withdrawals',
    documents: 'list of documents',
    requests: 'list of requests',
    tickets: 'list of tickets',
    mails: 'list of emails',
    trades: 'list of trades',
    'payment-cases': 'list of payment exceptions',
    'payment-notifications': 'list of webhook events',
    intent: 'platform operation',
    order: 'online payment',
    payout: 'payout by provider',
    'payment-case': 'payment exception',
    'payment-notification': 'webhook event of a provider',
    'kyc-category': 'set of document categories',
    'file-category': 'document category',
    'file-categories': 'document categories',
    'account-difference': 'account discrepancy',
    opening: 'account application',
    'fund-account': 'other account',
    'mail-wishes': 'email notifications',
    proof: 'confirmation of identity',
    mail: 'email',
    vendor: 'identity vendor',
  }),
)

/** Labels of the actions that noun and task would not name well. */
const phrases = new Map(
  Object.entries({
    'session.opened': 'Signed in',
    'session.proven': 'Identity confirmed',
    'proof.asked': 'Confirmation of identity requested',
    'recovery-code.used': 'Signed in with a recovery code',
    'second-factor.asked': 'Second factor requested at sign-in',
    'second-factor.started': 'Setup of a second factor started',
    'password-reset.sent-by-desk': 'Reset link sent by the desk',
    'account.access-asked': 'Change of account access sent to the platform',
    'account.access-unknown': 'Change of account access: outcome unknown',
    'account.access-not-changed': 'Account access not changed',
    'account.corrected': 'Account updated from the platform',
    'account.details-written': 'Account details written to the platform',
    'account.details-differ': 'Account details differ on the platform',
    'account-difference.settled': 'Account discrepancy resolved',
    'account-difference.reopened': 'Account discrepancy reopened',
    'opening.looked-for-again': 'Account application verified again',
    'opening.ended-by-staff': 'Account application ended at the desk',
    'opening.not-opened': 'Account application failed',
    'opening.done': 'Account opened',
    'platform.tried': 'Connection to the platform tested',
    'secrets.sealed-anew': 'Secrets encrypted with a new key',
    'ledger.violated': 'Ledger check failed',
    'intent.miscounted': 'Platform operation: balance does not match',
    'mail.tried-again': 'Email sent again',
    'mail.left': 'Failed email closed',
    'file.found-infected': 'Infected file found',
    'form.draft-begun': 'Draft of a form started',
    'form.draft-discarded': 'Draft of a form discarded',
    'identity-check.known-to-vendor': 'Identity check: applicant already known to the vendor',
    'identity-vendor.changed': 'Identity vendor changed',
    'member.papers-seen-elsewhere': 'Member verified outside the portal',
    'member.papers-asked-for': 'Documents of the member required again',
    'member.papers-gone': 'Documents of an erased member deleted',
    'member.exported': 'Personal data of the member exported',
    'member.kyc-category-changed': 'Set of document categories of the member changed',
    'member.documents-status-changed': 'Verification of the member changed',
    'document.unverified': 'Verification of a document withdrawn',
    'request.moved': 'Request: status changed',
    'request.handed-over': 'Request reassigned',
    'ticket.taken': 'Ticket assigned',
    'ticket.let-go': 'Ticket unassigned',
    'ticket.handed-over': 'Ticket reassigned',
    'ticket.noted': 'Internal note added to a ticket',
    'ticket.answered': 'Reply added to a ticket',
    'staff.joined': 'Colleague accepted the invitation',
    'member.joined': 'Member accepted the invitation',
    'trading-password.asked': 'Change of a trading password sent to the platform',
    'workspace.lists-changed': 'Lists of vendors and departments changed',
  }),
)

/** `member.permissions-changed` as "Member permissions changed"; derived by rule, so that new actions need no entry. */
export function actionLabels(action: string): string {
  const [noun = '', task = ''] = action.split('.')
  return phrases.get(action) ?? eventLabel(action) ?? `${labelOfNoun(noun)} ${task.replaceAll('-', ' ')}`.trim()
}

const histories = new Map([
  ['deposit', labelOfDepositEvent],
  ['withdrawal', labelOfWithdrawalEvent],
])

/** The label of a deposit's or withdrawal's history, with its noun where the label does not begin with it. */
function eventLabel(action: string): string | null {
  const [noun = ''] = action.split('.')
  const known = histories.get(noun)?.(action).title ?? action
  if (known === action) return null
  const name = labelOfNoun(noun)
  return known.startsWith(name) ? known : `${name}: ${known.charAt(0).toLowerCase()}${known.slice(1)}`
}

export function labelOfNoun(noun: string): string {
  const name = nounLabels.get(noun) ?? noun.replaceAll('-', ' ')
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`
}
