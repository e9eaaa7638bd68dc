import { texts } from '@atrium/contract/texts.ts'

export type Heading = { title: string; help: string; paths: readonly `/${string}`[] }

/** Of the pages whose code takes longest to load. The HTML at their paths contains them (web/page-html.ts). */
export const headings = {
  accounts: {
    title: texts.accountsTitle,
    help: 'Your live and demo accounts on every platform.',
    paths: ['/accounts'],
  },
  deposit: {
    title: 'Deposit',
    help: 'Choose an account, an amount and how to pay.',
    paths: ['/funds/deposit'],
  },
  withdraw: {
    title: 'Withdraw',
    help: 'We reserve the amount now and pay it out after review.',
    paths: ['/funds/withdraw'],
  },
  transactions: {
    title: 'All Transactions',
    help: 'Every deposit and withdrawal, newest first.',
    paths: ['/funds/transactions', '/transactions'],
  },
} satisfies Record<string, Heading>
