/** What the demo brokerage lets its members ask for, and what its first member asked. */
export const requestTypes = [
  {
    name: 'Change of legal name',
    description: 'After a marriage or a change by deed. We ask for the document.',
    quick: true,
    last: { status: 'done', daysAgo: 140 },
  },
  {
    name: 'Change of email',
    description: 'The address that you sign in with.',
    quick: true,
    last: { status: 'rejected', daysAgo: 75, comment: 'The new address belongs to another client.' },
  },
  {
    name: 'Higher leverage',
    description: 'For one of your live accounts, after a short questionnaire.',
    quick: true,
    last: { status: 'in-progress', daysAgo: 3 },
  },
  {
    name: 'Add a Bank Account',
    description: 'For withdrawals to an account in your name.',
    quick: true,
    predefined: 'add_bank_account',
    last: { status: 'open', daysAgo: 1 },
  },
  {
    name: 'Account statement',
    description: 'A signed statement for a bank, an auditor or the tax office.',
    quick: true,
    last: { status: 'not-assigned', daysAgo: 0.1 },
  },
  {
    name: 'Swap-free account',
    description: 'Accounts without overnight interest.',
    quick: true,
    last: { status: 'canceled', daysAgo: 40 },
  },
  { name: 'Open a trading account', description: null, quick: false, predefined: 'open_trading_account', last: null },
  {
    name: 'Update a trading account',
    description: null,
    quick: false,
    predefined: 'update_trading_account',
    last: null,
  },
  { name: 'Close an account', description: 'After open positions are closed.', quick: false, last: null },
] as const
