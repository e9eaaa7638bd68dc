import { accountJobs } from '../../server/accounts/jobs.ts'
import { buildApp } from '../../server/app.ts'
import { approveDeposit } from '../../server/deposits/decision.ts'
import { documentJobs } from '../../server/documents/jobs.ts'
import { fileJobs } from '../../server/files/jobs.ts'
import { formJobs } from '../../server/forms/jobs.ts'
import { inTransaction } from '../../server/foundation/database/database.ts'
import { fundingJobs } from '../../server/funding/jobs.ts'
import { notificationJobs } from '../../server/notifications/jobs.ts'
import { sendMail } from '../../server/notifications/mail.ts'
import { paymentJobs } from '../../server/payments/jobs.ts'
import { startDeposit } from '../../server/payments/start-deposit.ts'
import type { Queue } from '../../server/queue/jobs.ts'
import { sessionJobs } from '../../server/sessions/jobs.ts'
import { requestReset } from '../../server/sessions/passwords/reset-request.ts'
import { startSafechargeSimulator } from '../../simulators/safecharge/simulator.ts'
import { addCompanyBankAccount } from '../../tests/fixtures/payments/money.ts'
import { startBody } from '../../tests/fixtures/payments/payment-fixture.ts'
import { addProvider } from '../../tests/fixtures/payments/payment-providers.ts'
import { addMedia } from '../../tests/fixtures/requests.ts'
import { makePendingDeposit } from '../../tests/fixtures/trading/trading-fixture.ts'
import { addMember, addStaff, staffActor } from '../../tests/fixtures/workspaces.ts'
import { type JobKind, times } from './job-fixture.ts'
import { processingJobKinds } from './processing-job-kinds.ts'

const letter = {
  subject: 'Your deposit has arrived',
  heading: 'Your deposit has arrived',
  lines: ['250.00 USD are on your account 700123.', 'You find it among your transactions.'],
  footnote: 'You receive this because you chose notifications about transactions.',
}

const secrets = { merchantId: '1000000001', siteId: '200001', secretKey: 'safecharge-secret-0001' }

/** A repeated sweep that finds nothing to do: the cost of a quiet brokerage. */
function roundOf(name: string, queue: Queue, handlers: JobKind['handlers']): JobKind {
  return {
    name,
    prepare: ({ system }, count) =>
      inTransaction(system, (tx) =>
        times(count, () => system.context.jobs.enqueue(tx, queue, { workspaceId: system.workspaceId, id: 'none' })),
      ),
    handlers,
    left: `pgboss.job where name = '${queue}' and state < 'completed'`,
  }
}

const rounds: JobKind[] = [
  roundOf('round: account metrics thinned', 'accounts.thin-figures', accountJobs),
  roundOf('round: KYC status of members updated', 'documents.settle-standings', documentJobs),
  roundOf('round: KYC documents that expire', 'documents.watch-expiry', documentJobs),
  roundOf('round: uploads swept', 'files.sweep-uploads', fileJobs),
  roundOf('round: drafts swept', 'forms.sweep-drafts', formJobs),
  roundOf('round: ledger checked', 'funding.check-ledger', fundingJobs),
  roundOf('round: mails swept', 'notifications.sweep-mails', notificationJobs),
  roundOf('round: notifications cleared', 'payments.clear-notifications', paymentJobs),
  roundOf('round: sessions swept', 'sessions.sweep', sessionJobs),
]

export const jobKinds: JobKind[] = [
  roundOf('nothing: the queue alone', 'forms.sweep-drafts', () => ({ 'forms.sweep-drafts': async () => undefined })),
  {
    name: 'a mail',
    async prepare({ system }, count) {
      const { memberId, email } = await addMember(system, { documents_status: 'approved' })
      await times(count, () => inTransaction(system, (tx) => sendMail(tx, system, { to: email, memberId, letter })))
    },
    handlers: notificationJobs,
    left: `mails where state <> 'sent'`,
  },
  {
    name: 'platform credit',
    async prepare({ system, addOwner }, count) {
      const staff = staffActor(system, await addStaff(system))
      const beneficiaryId = await addCompanyBankAccount(system)
      await times(count, async () => {
        const depositId = await makePendingDeposit({ ...(await addOwner()), system, beneficiaryId })
        await approveDeposit(staff, depositId)
      })
    },
    handlers: fundingJobs,
    left: `balance_transactions where state <> 'approved'`,
  },
  {
    name: 'provider webhook',
    async prepare({ system, addOwner }, count) {
      const simulator = await startSafechargeSimulator(secrets)
      await addProvider(system, 'safecharge', simulator.settings)
      const app = await buildApp(system.context)
      await times(count, async () => {
        const payer = await addOwner()
        const { redirect } = await startDeposit(payer.member, await startBody(payer, { payment_method: 'safecharge' }))
        const fields = redirect.kind === 'form' ? [...redirect.fields] : []
        await simulator.post(fields)
        const order = fields.find(({ name }) => name === 'merchant_unique_id')?.value ?? ''
        await app.inject({
          ...{ method: 'POST', url: '/callbacks/payments/safecharge' },
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          payload: simulator.webhookEventOf(order, { status: 'APPROVED' }),
        })
      })
      await app.close()
      await simulator.stop()
    },
    handlers: paymentJobs,
    left: `payment_notifications where verdict = 'unread'`,
  },
  {
    name: 'scan of a 200 kB document',
    async prepare({ system }, count) {
      const { memberId } = await addMember(system)
      const content = Buffer.alloc(200_000, '%PDF-1.4\n')
      await times(count, async () => {
        const id = await addMedia(system, { memberId, content, scan: 'waiting' })
        const data = { workspaceId: system.workspaceId, id }
        await inTransaction(system, (tx) => system.context.jobs.enqueue(tx, 'files.scan', data))
      })
    },
    handlers: fileJobs,
    left: `media where scan = 'waiting'`,
  },
  {
    name: 'password reset link',
    async prepare({ system }, count) {
      let network = 0
      await times(count, async () => {
        network += 1
        const { email } = await addMember(system)
        const address = `10.${network >> 8}.${network & 255}.1`
        await requestReset(system, 'member', email, { address, userAgent: null })
      })
    },
    handlers: sessionJobs,
    left: 'password_reset_requests',
  },
  ...rounds,
  ...processingJobKinds,
]
