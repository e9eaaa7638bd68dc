import { texts } from '@atrium/contract/texts.ts'

export type Heading = { title: string; help: string }

/** Of the pages whose code takes longest to load. */
export const headings = {
  /** The page adds the member's name. */
  home: {
    title: 'Hello',
    help: 'Your balances, open positions and latest transactions, and what needs your attention.',
  },
  accounts: { title: texts.accountsTitle, help: 'Your live and demo accounts on every platform.' },
  deposit: {
    title: 'Deposit',
    help: 'Choose an account, an amount and how to pay. Credited once the payment is confirmed.',
  },
  withdraw: { title: 'Withdraw', help: 'We reserve the amount now and pay it out after review.' },
  transactions: { title: 'All Transactions', help: 'Every deposit and withdrawal, newest first.' },
} satisfies Record<string, Heading>
