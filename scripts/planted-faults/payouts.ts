import type { PlantedFault } from './planted-fault.ts'

const anyProvider = ['server/payment-providers/zotapay/zotapay.contract.test.ts']
const payouts = ['server/payment-providers/payouts.test.ts']

/** Money out by providers: called once, believed when proven and equal, and never both paid and given back. */
export const payoutFaults: PlantedFault[] = [
  {
    name: 'a payout is sent again after an unknown outcome',
    file: 'server/payment-providers/payout-visit.ts',
    find: '  else await check(tx, system, held, detail)\n',
    replace: '  else await sendLater(tx, system, held, detail)\n',
    tests: anyProvider,
    guards: 'M8',
  },
  {
    name: 'a failed payout is not credited back',
    file: 'server/payment-providers/payout-settle.ts',
    find: '  await recordPayoutFailed(tx, system, withdrawal, problem)\n',
    replace: '',
    tests: anyProvider,
    guards: 'M8',
  },
  {
    name: 'what is said of another payout counts',
    file: 'server/payment-providers/payout-settle.ts',
    find: "  if (payout.reference !== null && reference !== payout.reference) return 'another_reference'\n",
    replace: '',
    tests: anyProvider,
    guards: 'M5',
  },
  {
    name: 'another amount than was to be paid out counts',
    file: 'server/payment-providers/payout-settle.ts',
    find: "  if (reported.amount === null || !isSame(reported.amount, payout.amount)) return 'amount_differs'\n",
    replace: '',
    tests: anyProvider,
    guards: 'M4',
  },
  {
    name: 'staff mark what the provider may still pay',
    file: 'server/payment-providers/payout-decision.ts',
    find: "  if (payout.state !== 'for_staff') refuse('illegal_move', withdrawalDeskTexts.providerHasIt)\n",
    replace: "  if (payout.state !== 'for_staff') return\n",
    tests: payouts,
    guards: 'M8',
  },
  {
    name: 'a payout that is being called for is taken for one whose process ended',
    file: 'server/payment-providers/payout-visit.ts',
    find: "    if (payout.next_look_at > now) return { do: 'nothing' }\n",
    replace: '',
    tests: payouts,
    guards: 'M8',
  },
  {
    name: 'money goes anywhere before it went back the way it came',
    file: 'server/funding/withdrawal.ts',
    find: '  await refuseAnotherWay(tx, member, request, checked)\n',
    replace: '',
    tests: payouts,
    guards: 'M15',
  },
  {
    name: 'a transfer of another sum than was asked for is believed',
    file: 'server/payment-providers/skrill/translate.ts',
    find: "  if (amount === null || !isSame(amount, payout.amount) || text('currency') !== payout.currency)\n",
    replace: '  if (amount === null)\n',
    tests: ['server/payment-providers/skrill/translate.test.ts'],
    guards: 'M4',
  },
  {
    name: 'a word that a lost transfer may have caused ends the payout',
    file: 'server/payment-providers/skrill/translate.ts',
    find: "  return refusals.test(word) ? 'declined' : 'unknown'\n",
    replace: "  return 'declined'\n",
    tests: ['server/payment-providers/skrill/translate.test.ts'],
    guards: 'M8',
  },
  {
    name: 'money is sent to a wallet that no email names',
    file: 'server/payment-providers/payout-details.ts',
    find: ' || way.account?.test(place.account) === false',
    replace: '',
    tests: ['server/payment-providers/skrill/skrill.contract.test.ts'],
    guards: 'M8',
  },
]
