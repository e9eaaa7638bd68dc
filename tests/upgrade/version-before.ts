/**
 * The last migration of the previous version, which may still run beside this one. Each release updates it
 * (docs/developers/releasing.md).
 */
export const lastMigrationBefore = '20261122-1900-forms.sql'

/** The previous version's schema version of the job queue. If ours differs, see docs/operators/upgrading.md. */
export const queueTablesBefore = 43

/** Accepted changes to what the previous version's program finds in the schema: how each begins, with the reason. */
export const acceptedSchemaChanges = [
  // The same rows for everybody; the scope is read once per statement instead of per row.
  'row security differs: balance_transactions, own ',
]

/** Guards of ours that the previous version's writes meet, with the reason. */
export const acceptedTriggers = [
  // They refuse none of its exceptions, which are always about an order, and never about a payout or a transfer by hand.
  'rows are refused by: payment_cases, CHECK ((num_nonnulls(order_id, payout_id, withdrawal_id) = 1))',
  'rows are refused by: payment_cases, CHECK (((provider_id IS NULL) = (withdrawal_id IS NOT NULL)))',
  'rows are refused by: payment_cases, FOREIGN KEY (workspace_id, withdrawal_id)',
  'rows are refused by: payment_cases, CREATE UNIQUE INDEX ON public.payment_cases USING btree (workspace_id, withdrawal_id,',
  // It refuses the rejection of a credit that a process of ours made of a returned transfer; a process of ours rejects it.
  'rows are refused by: balance_transactions, CREATE CONSTRAINT TRIGGER guard_returned_transfer ',
  'rows are refused by: payment_cases, FOREIGN KEY (workspace_id, payout_id)',
  'rows are refused by: payment_cases, CREATE UNIQUE INDEX ON public.payment_cases USING btree (workspace_id, payout_id,',
  // It allows more than before: an exception that closes by itself.
  `rows are refused by: payment_cases, CHECK (((state = 'closed'::text) = ((decided_at IS NOT NULL) AND `,
  // They refuse nothing: its changes renew the revision that our processes compare.
  'rows are refused by: terms_templates, CREATE TRIGGER renew_revision ',
  'rows are refused by: workspaces, CREATE TRIGGER renew_revision ',
  // It refuses a refund that leaves its deposit to be credited by an approval; a process of ours records it.
  'rows are refused by: payment_cases, CREATE CONSTRAINT TRIGGER guard_recorded_refund ',
  // It leaves these columns empty.
  `rows are refused by: platform_intents, CHECK ((decided_outcome = ANY (ARRAY['executed'::text, `,
  'rows are refused by: platform_intents, CHECK (((NOT (decided_outcome IS DISTINCT FROM ',
  // They refuse nothing of its mails: it names no group of a mail, and has none in the new state.
  'rows are refused by: mails, CHECK (\nCASE\n',
  'rows are refused by: mails, CHECK (((length(choice) ',
  // No version takes the status of an erased member back.
  'rows are refused by: members, CREATE TRIGGER guard_erased_member ',
]

/** The accepted incompatibilities between pages of one version and processes of the other, with the reason. */
export const acceptedIncompatibilities = [
  // They do not show a withdrawal whose payout is in manual review after a restore: no restore happens during an upgrade.
  'answers.withdrawal.payouts[].why: restored is not known',
  // The same for a payout after an unverified callback, and for fields that a platform stores differently from what was
  // written: the desk's page fails to load until it is reloaded, and nothing is decided meanwhile.
  'answers.withdrawal.payouts[].why: unverified is not known',
  // The same for a payout that waits for its member's identity.
  'answers.withdrawal.payouts[].why: identity_missing is not known',
  // The same for a payout whose beneficiary was changed, whose member is locked, or whose account is restricted.
  'answers.withdrawal.payouts[].why: beneficiary_changed is not known',
  'answers.withdrawal.payouts[].why: member_locked is not known',
  'answers.withdrawal.payouts[].why: account_restricted is not known',
  // The same for a declined payout that a colleague recorded as paid by hand.
  'answers.withdrawal.payouts[].why: recorded_paid is not known',
  // The same for a payout that waits for a page of its member.
  'answers.withdrawal.payouts[].why: member_page is not known',
  // A member whose account is restricted during an upgrade reads it in the mail, and under the bell after a reload.
  'kind: account.access-changed is not known',
  'differences[].kind: fields is not known',
  // Our pages send this section whole; only the previous version's pages send parts of it.
  'POST /desk/api/workspace/change is sent(security)',
  // A process that does not know the section refuses it, which the page reports; no input is lost.
  'POST /desk/api/workspace/change is sent(deposits)',
  // A process that does not know the newest kinds refuses a filter by them.
  'GET /desk/api/account-differences is sent.kind: fields is not known',
  'GET /desk/api/payment-notifications is sent.kind: unverified is not known',
  // A member invited during an upgrade: the previous version's lists with such a member fail to load until they are reloaded,
  // and its processes let in only active members.
  'answers.members[].status: invited is not known',
  'answers.member.status: invited is not known',
  'answers.clients[].status: invited is not known',
  'answers.notices[].kind: details.changed is not known',
  // Its processes refuse the decision, which the page reports.
  'POST /desk/api/account-differences/:id/decide is sent.decision: reopen is not known',
  // Filters that the previous version does not know and refuses.
  'GET /desk/api/members is sent.status: invited is not known',
  'GET /desk/api/members/table is sent.status: invited is not known',
  'GET /members/sales/clients is sent.status: invited is not known',
  'GET /members/sales/clients/export is sent.status: invited is not known',
  // A bank country without states, and documents without a category: the previous version's processes still require them.
  'POST /members/bank-accounts/create is sent: state may be missing',
  'POST /members/bank-accounts/create is sent.state: null where string is expected',
  'POST /members/bank-accounts/update is sent: state may be missing',
  'POST /members/bank-accounts/update is sent.state: null where string is expected',
  'POST /clients/add-documents is sent: category may be missing',
  // Our desk's lists of exceptions and webhook events need answers of our processes: they fail to load until the upgrade is done.
  'GET /desk/api/payment-cases answers: previous may be missing',
  'GET /desk/api/payment-cases answers: total may be missing',
  'GET /desk/api/payment-notifications answers: previous may be missing',
  'GET /desk/api/payment-notifications answers: total may be missing',
  // In an address a number is text in both versions.
  'GET /desk/api/terms/:id/acceptances is sent.version: ',
]
