/** The tickets of the demo's member: one in every tab, and one about each kind of subject. */

type Said = { hoursAfter: number; by: 'member' | 'staff'; content?: string; file?: true }
export type DemoTicket = {
  daysAgo: number
  subject: string
  description: string
  about?: { account: string } | { transaction: 'first' } | { download: true }
  priority?: 'medium' | 'high'
  state: 'open' | 'taken' | 'resolved'
  conversation: Said[]
  note?: string
  /** The member has not read the last answer. */
  isUnread?: true
  /** The ticket's owner; the first member if absent. */
  owner?: string
}

export const demoTickets: DemoTicket[] = [
  {
    daysAgo: 1,
    subject: 'A deposit is missing in my history',
    description: 'I sent 500 by transfer on Monday. The receipt is attached, but I do not see it in my account.',
    about: { transaction: 'first' },
    priority: 'high',
    state: 'open',
    conversation: [{ hoursAfter: 1, by: 'member', file: true, content: 'This is the receipt of my bank.' }],
  },
  {
    daysAgo: 2,
    subject: 'Can I change the leverage of an account?',
    description: 'I would like to trade with 1:50 instead of 1:100. Do I need a new account for that?',
    about: { account: '700123' },
    state: 'open',
    conversation: [],
  },
  {
    daysAgo: 4,
    subject: 'The platform closes when I open a chart',
    description: 'Since the last update the program closes as soon as I open a second chart.',
    about: { download: true },
    priority: 'medium',
    state: 'taken',
    conversation: [
      { hoursAfter: 2, by: 'staff', content: 'Thank you for telling us. Which version of Windows do you use?' },
      { hoursAfter: 5, by: 'member', content: 'Windows 11, everything up to date.' },
      {
        hoursAfter: 26,
        by: 'staff',
        content: 'We can reproduce it. Please delete the folder "profiles" of the program and start it again.',
      },
    ],
    note: 'Reported to the platform vendor as well; two other members have written about the same.',
    isUnread: true,
  },
  {
    daysAgo: 9,
    subject: 'Please confirm my address for my tax office',
    description: 'I need a letter that confirms the address that you have on file.',
    state: 'taken',
    conversation: [
      { hoursAfter: 3, by: 'staff', content: 'We are preparing the letter. It takes about two working days.' },
      { hoursAfter: 4, by: 'member', content: 'Thank you.' },
    ],
  },
  {
    daysAgo: 30,
    subject: 'Withdrawal to a new bank account',
    description: 'How long does it take until a new bank account can be used for a withdrawal?',
    state: 'resolved',
    conversation: [
      {
        hoursAfter: 1,
        by: 'staff',
        content: 'A new bank account has a cooling-off period of one day. After that you can use it.',
      },
      { hoursAfter: 2, by: 'member', content: 'That is clear, thank you.' },
    ],
  },
  {
    daysAgo: 64,
    subject: 'Statement for the last year',
    description: 'Where do I find the statements of my accounts for last year?',
    about: { account: '700123' },
    state: 'resolved',
    conversation: [
      {
        hoursAfter: 6,
        by: 'staff',
        content: 'Open the account and choose Statements: each month is a PDF of its own.',
      },
    ],
  },
  {
    daysAgo: 3,
    subject: 'Second trading account',
    description: 'May I have a second account in another currency?',
    state: 'open',
    conversation: [],
    owner: 'second',
  },
]

const questions: [subject: string, asked: string, answer: string][] = [
  [
    'How long does a bank transfer take?',
    'I have sent a transfer this morning. When will it be on my account?',
    'Within two working days. You can follow it under Transactions.',
  ],
  [
    'My deposit shows another amount',
    'My bank took a fee, so less arrived than I sent. Is that right?',
    'Yes, we credit what arrives. Your bank can send it free of charge to us.',
  ],
  [
    'Change of my phone number',
    'I have a new phone number. Where do I enter it?',
    'Open your profile and choose Edit beside the phone number.',
  ],
  [
    'Which documents count as proof of address?',
    'I have no utility bill in my own name. What else can I send?',
    'A bank statement or a tax letter that is not older than three months.',
  ],
  [
    'Spread on gold',
    'The spread on XAUUSD was wider than usual yesterday evening. Why?',
    'Around the close of the market there are fewer quotes, so spreads widen for some minutes.',
  ],
  [
    'Can I have two accounts in different currencies?',
    'I trade in dollars and would like another account in euros.',
    'Yes. Choose Open Live Account and the group in euros.',
  ],
  [
    'Password of the platform',
    'I cannot sign in to MetaTrader on my new phone.',
    'Set a new password on the page of the account. It takes effect within a minute.',
  ],
]

/** More tickets of the first member and others, so that each tab has a second page. */
export function moreTickets(owners: readonly string[]): DemoTicket[] {
  return Array.from({ length: 58 }, (_, index): DemoTicket => {
    const [subject, description, content] = questions[index % questions.length] ?? ['', '', '']
    const state = index < 46 ? 'resolved' : index < 52 ? 'taken' : 'open'
    const owner = index % 4 === 0 && state === 'resolved' ? 'member' : (owners[index % owners.length] ?? 'member')
    return {
      ...{ subject, description, state, owner },
      daysAgo: state === 'resolved' ? 7 + index * 4.3 : 0.4 + (index - 46) * 0.7,
      conversation: state === 'open' ? [] : [{ hoursAfter: 1 + (index % 9), by: 'staff', content }],
    }
  })
}

export const demoCannedReplies = [
  {
    name: 'Ask for a receipt',
    content: 'Please attach the receipt of your transfer here. With it we find the payment at once.',
  },
  { name: 'Under investigation', content: 'Thank you for your message. We are looking into it and will answer today.' },
  {
    name: 'Closing',
    content: 'We are closing this ticket for now. To reopen it, write here again.',
  },
]
