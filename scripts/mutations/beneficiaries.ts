import type { Mutation } from './mutation.ts'

const beneficiaries = ['server/banking/beneficiaries.test.ts']

/** Bank accounts and wallets that money is paid to: who changes them, and when they may be used. */
export const beneficiaryMutations: Mutation[] = [
  {
    name: 'a destination of whoever found the session open',
    file: 'server/banking/beneficiary-change.ts',
    find: '  await requireProof(tx, member)\n',
    replace: '',
    tests: beneficiaries,
    guards: 'A8',
  },
  {
    name: 'a new destination that does not rest',
    file: 'server/banking/beneficiary.ts',
    find: 'settings.destination_rest_hours * 3_600_000',
    replace: 'settings.destination_rest_hours * 0',
    tests: beneficiaries,
    guards: 'A8',
  },
  {
    name: 'a changed destination that does not rest',
    file: 'server/banking/beneficiary-change.ts',
    find: 'const until = rests ? await restUntil(tx, member) : before.usableFrom',
    replace: 'const until = rests ? before.usableFrom : before.usableFrom',
    tests: beneficiaries,
    guards: 'A8',
  },
  {
    name: 'a destination that nobody is told of',
    file: 'server/banking/beneficiary-change.ts',
    find: "  await notifyOwner(tx, member, book, { what: 'added', to, row })\n",
    replace: '',
    tests: beneficiaries,
    guards: 'A8',
  },
  {
    name: 'an IBAN and a BIC of two countries that nobody confirms',
    file: 'contract/banking/calls.ts',
    find: '  input.countries_confirmed === true\n    ? []',
    replace: '  input.countries_confirmed !== false\n    ? []',
    tests: beneficiaries,
    guards: 'A8',
  },
  {
    name: 'a name that is longer than the workspace allows',
    file: 'server/banking/bank-accounts.ts',
    find: 'text.length > charsMax',
    replace: 'text.length > charsMax * 9',
    tests: beneficiaries,
    guards: 'A8',
  },
  {
    name: "somebody else's QR code",
    file: 'server/files/own-files.ts',
    find: "    .where('member_id', '=', member.memberId)\n",
    replace: '',
    tests: beneficiaries,
    guards: 'T2',
  },
  {
    name: 'a destination deleted under a withdrawal',
    file: 'server/banking/beneficiary-change.ts',
    find: 'if (ticket) refuse(',
    replace: "if (ticket === '-') refuse(",
    tests: beneficiaries,
    guards: 'M10',
  },
  {
    name: 'an address whose checksum nobody looks at',
    file: 'contract/banking/address-formats.ts',
    find: '    const bytes = base58check.decode(address)\n',
    replace: '    const bytes = base58.decode(address).slice(0, -4)\n',
    tests: ['contract/banking/address-checksums.test.ts', ...beneficiaries],
    guards: 'M7',
  },
  {
    name: 'a payout to a wallet that was saved with a wrong character',
    file: 'server/banking/beneficiary.ts',
    find: "  const isFit = type !== 'crypto' || (isAddress",
    replace: "  const isFit = type !== 'bank_account' || (isAddress",
    tests: [
      'server/payment-providers/coinpayments/coinpayments.contract.test.ts',
      'server/withdrawals/withdrawal.test.ts',
    ],
    guards: 'M7',
  },
]
