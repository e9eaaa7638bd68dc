import type { Mutation } from './mutation.ts'

const webhookEvents = ['server/payments/webhook-events.test.ts']
const zota = ['server/payment-providers/zotapay/zotapay.contract.test.ts']
const nganluong = ['server/payment-providers/nganluong/nganluong.contract.test.ts']
const hanging = ['server/payments/connections/hanging-provider.test.ts']
const lateQueries = ['server/payments/late-queries.test.ts']
const safecharge = ['server/payment-providers/safecharge/safecharge.contract.test.ts']
const virtualpay = ['server/payment-providers/virtualpay/virtualpay.contract.test.ts']
const spelledNumbers = ['server/payment-providers/spelled-numbers.test.ts']
const unknownWords = ['server/payments/unknown-word.test.ts']

/** Payments: webhooks, orders, exceptions and what is credited. */
export const paymentMutations: Mutation[] = [
  {
    name: 'a numeric amount is validated after it became a float',
    file: 'server/http/route.ts',
    find: '...spelledFields(body, amountFieldsOf(call.input)), ',
    replace: '',
    tests: spelledNumbers,
    guards: 'M7',
  },
  {
    name: 'an unknown status of a provider is ignored',
    file: 'server/payments/settle.ts',
    find: 'return reviewWord(tx, system, held, reported)',
    replace: "return { outcome: 'noted' }",
    tests: unknownWords,
    guards: 'M7',
  },
  {
    name: 'an order that is pending at its provider expires by our clock',
    file: 'server/payments/reconciliation.ts',
    find: 'held.order.pending_since === null) await endAndNotify',
    replace: 'order.attempt) await endAndNotify',
    tests: [...virtualpay, 'server/payment-providers/virtualpay/virtualpay.contract.slow.test.ts'],
    guards: 'M7',
  },
  {
    name: 'a payment is credited once for each of its exceptions',
    file: 'server/payments/exceptions/exception-credit.ts',
    find: "(order.state === 'paid' && reasonsWithoutPayment.includes(why))",
    replace: "why === ''",
    tests: unknownWords,
    guards: 'M3',
  },
  {
    name: 'a queue worker waits for a hanging payment provider',
    file: 'server/payments/jobs.ts',
    find: '() => askProvider(system, id))',
    replace: '() => askProvider(system, id))\n      if (providerId) await askProvider(system, id)',
    tests: hanging,
    guards: 'V3',
  },
  {
    name: 'a late payment is credited',
    file: 'server/payments/settle.ts',
    find: '?? latenessOf(held)',
    replace: '?? (latenessOf(held) && null)',
    tests: webhookEvents,
    guards: 'M4',
  },
  {
    name: 'a second payment of a paid order is reported as another exception',
    file: 'server/payments/settle.ts',
    find: "if (order.state === 'paid') {",
    replace: "if (order.state === 'paid' && reported.reference === null) {",
    tests: zota,
    guards: 'M3',
  },
  {
    name: 'the next webhook credits an order in manual review',
    file: 'server/payments/settle.ts',
    find: "if (order.state === 'for_staff' && !isWordMissing(order))",
    replace: "if (order.state === 'checking')",
    tests: safecharge,
    guards: 'M4',
  },
  {
    name: 'an expired order is no longer reconciled',
    file: 'server/payments/query-schedule.ts',
    find: "state === 'expired' && ended_at !== null &&",
    replace: "state === 'checking' && ended_at !== null &&",
    tests: lateQueries,
    guards: 'M4',
  },
  {
    name: 'an order that its provider does not know never expires',
    file: 'server/payments/reconciliation.ts',
    find: 'if (isOver && held.order.pending_since === null) await',
    replace: "if (isOver && reported?.state === 'unpaid') await",
    tests: safecharge,
    guards: 'M15',
  },
  {
    name: 'an amount is rounded during conversion',
    file: 'contract/money/money.ts',
    find: '  return { amount: toScale(text, currency) }',
    replace: '  return { amount: toScale(String(Number(text)), currency) }',
    tests: ['server/funding/decimals.test.ts'],
    guards: 'M13',
  },
  {
    name: 'a credit from before a restore is sent again',
    file: 'server/funding/crediting/crediting.ts',
    find: 'if (!(await isCertainlyNew(system, intent, link)) && !(await mayStillSend(system, intent, link))) return',
    replace: 'if (intent.attempt > 1 && !(await mayStillSend(system, intent, link))) return',
    tests: ['server/funding/crediting/restored-backup.test.ts'],
    guards: 'M15',
  },
  {
    name: 'a forgotten credit is looked for only since its late payment',
    file: 'server/funding/crediting/lost-operations.ts',
    find: 'row?.asked_at ?? row?.created_at',
    replace: 'row?.created_at',
    tests: ['server/backup/credited-after-the-end.test.ts'],
    guards: 'M15',
  },
  {
    name: 'an accepted payout is not reconciled',
    file: 'server/payments/payouts/process-payout.ts',
    find: "['created', 'sending', 'checking', 'accepted']",
    replace: "['created', 'sending', 'checking']",
    tests: ['server/payments/lost-webhook-events.test.ts'],
    guards: 'M15',
  },
  {
    name: 'an open order is reconciled too rarely to replace a lost webhook',
    file: 'server/payments/query-schedule.ts',
    find: 'const longestPauseMs = 300_000',
    replace: 'const longestPauseMs = 1_200_000',
    tests: ['server/payments/late-queries.test.ts'],
    guards: 'M15',
  },
  {
    name: 'an unverified callback counts as paid without a query',
    file: 'server/payments/webhook-event.ts',
    find: 'reported: await queryOrder(system, provider, order, reference ?? null)',
    replace:
      "reported: { attempt, reference: null, state: 'paid' as const, amount: order.charge, currency: order.currency, reason: null, word: '' }",
    tests: nganluong,
    guards: 'M5',
  },
  {
    name: 'the frame policy allows every https page',
    file: 'server/http/secure-headers.ts',
    find: "[[\"frame-src 'self'\", ...frames].join(' ')]",
    replace: "[[\"frame-src 'self' https:\", ...frames].join(' ')]",
    tests: ['server/http/secure-headers.test.ts'],
    guards: 'H3',
  },
  {
    name: 'staff can credit a payment a second time',
    file: 'server/payments/exceptions/exception.ts',
    find: 'return claimed !== undefined',
    replace: 'return true',
    tests: ['server/payments/exceptions/exception-decision.test.ts'],
    guards: 'M4',
  },
  {
    name: 'staff decide about their own late payment',
    file: 'server/money-decisions/policy.ts',
    find: 'if (memberId !== null && (await isSelfApproval(tx, staff, memberId)))',
    replace:
      "if (memberId !== null && policy.name !== 'payment-exception.credit' && (await isSelfApproval(tx, staff, memberId)))",
    tests: ['server/payments/exceptions/exception-decision.test.ts'],
    guards: 'M15',
  },
  {
    name: 'one person gives both approvals of a large payment exception',
    file: 'server/payments/exceptions/exception-decision.ts',
    find: "state === 'proposed' && decision === wanted && proposed_by !== null ? [proposed_by] : []",
    replace: "state === 'proposed' && decision === wanted && proposed_by !== null ? [''] : []",
    tests: ['server/payments/exceptions/exception-decision.test.ts'],
    guards: 'M15',
  },
  {
    name: 'the transitions allow an expired order to be paid',
    file: 'contract/payments/orders.ts',
    find: "  expired: ['for_staff'],",
    replace: "  expired: ['for_staff', 'paid'],",
    tests: ['server/funding/crediting/every-move.test.ts'],
    guards: 'T4',
  },
  {
    name: 'the return page copies the query of the request into its redirect',
    file: 'server/pages.ts',
    find: '{encodeURIComponent(order)}`, 303)',
    replace: '{request.url.slice(20)}`, 303)',
    tests: ['server/payments/payouts/returned-by-form.test.ts'],
    guards: 'U9',
  },
  {
    name: 'a repeated unverified callback of an open order is ignored',
    file: 'server/payments/callbacks.ts',
    find: '    isHint: read?.unverifiedCallback !== undefined,\n',
    replace: '    isHint: false,\n',
    tests: nganluong,
    guards: 'M5',
  },
  {
    name: 'every repeated unverified callback queries the provider',
    file: 'server/payments/webhook-event.ts',
    find: "    .where('read_at', '<=', new Date(system.context.clock.now().getTime() - hintAgainMs))\n",
    replace: "    .where('read_at', '<=', new Date(system.context.clock.now().getTime() + hintAgainMs))\n",
    tests: nganluong,
    guards: 'V3',
  },
]
