/** The last migration of the version that may still run beside this one. Each release moves it on (docs/developers/releasing.md). */
export const lastMigrationBefore = '20261122-1900-forms.sql'

/** The version of the job queue's tables which that version knows. Where ours is another, docs/operators/upgrading.md says what to look at. */
export const queueTablesBefore = 43

/** What is not understood between pages of the one and processes of the other, with the reason why that is borne. */
export const misunderstandingsBorne = [
  // They do not show a withdrawal whose payout waits for a person since a restore: nobody restores in the middle of an upgrade.
  'answers.withdrawal.payouts[].why: restored is not known',
  // The same of a payout after a message that proves nothing, and of fields that a platform keeps otherwise than they were written:
  // the desk's page says that it could not be read until it is loaded anew, and nothing is decided by it meanwhile.
  'answers.withdrawal.payouts[].why: unverified is not known',
  // The same of a payout that waits for its member's identity.
  'answers.withdrawal.payouts[].why: identity_missing is not known',
  // Whose account is restricted during an upgrade reads it in the mail, and under the bell once the page is loaded anew.
  'kind: account.access-changed is not known',
  'differences[].kind: fields is not known',
  // Pages send this section whole: that it may come in parts is for pages of the version before.
  'POST /desk/api/workspace/change is sent(security)',
  // The section is refused by a process that does not know it, which the page says; nothing of it is lost.
  'POST /desk/api/workspace/change is sent(deposits)',
  // Who looks for one of the youngest kinds alone is refused by a process that does not keep it.
  'GET /desk/api/account-differences is sent.kind: fields is not known',
  'GET /desk/api/payment-notifications is sent.kind: unverified is not known',
  // A member who is invited in the middle of an upgrade: lists of the version before that show one cannot be read until they are loaded
  // anew, and no process of that version lets anybody in who is not active.
  'answers.members[].status: invited is not known',
  'answers.member.status: invited is not known',
  'answers.clients[].status: invited is not known',
  'answers.notices[].kind: details.changed is not known',
  // Filters that a process of the version before does not know, and refuses.
  'GET /desk/api/members is sent.status: invited is not known',
  'GET /desk/api/members/table is sent.status: invited is not known',
  'GET /members/sales/clients is sent.status: invited is not known',
  'GET /members/sales/clients/export is sent.status: invited is not known',
  // A bank where nobody writes a state, and documents of no category: a process of that version asks for them, as it always did.
  'POST /members/bank-accounts/create is sent: state may be missing',
  'POST /members/bank-accounts/create is sent.state: null where string is expected',
  'POST /members/bank-accounts/update is sent: state may be missing',
  'POST /members/bank-accounts/update is sent.state: null where string is expected',
  'POST /clients/add-documents is sent: category may be missing',
]
