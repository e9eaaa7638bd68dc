import { ask, beside, type Choice, note, type ReadyMadeForm, required, step } from './form-parts.ts'
import { appropriatenessTest } from './ready-made-appropriateness.ts'
import { changeOfEmail, changeOfLegalName } from './ready-made-details.ts'
import { sourceOfFunds } from './ready-made-funds.ts'

const proofs: readonly Choice[] = [
  ['utility_bill', 'Utility bill'],
  ['bank_statement', 'Bank statement'],
  ['tax_letter', 'Letter from a tax office or another authority'],
  ['tenancy', 'Tenancy agreement'],
]

const changeOfAddress: ReadyMadeForm = {
  key: 'change-of-address',
  name: 'Change of address',
  description: 'Tell us your new address and send a document that shows it.',
  category: 'Personal details',
  definition: {
    steps: [
      step('address', 'Your new address', [
        ask('radio', 'address_kind', 'Which address changes?', {
          options: [
            ['residence', 'Where I live'],
            ['post', 'Where I get my post'],
            ['both', 'Both'],
          ],
          config: required,
        }),
        ask('text', 'street', 'Street and number', { config: { ...required, chars_max: 120 } }),
        ask('text', 'street_more', 'Flat, floor or care of', { config: { chars_max: 120 } }),
        ask('text', 'postcode', 'Postcode', { config: { chars_max: 20 } }),
        beside(ask('text', 'city', 'City', { config: { ...required, chars_max: 80 } })),
        ask('text', 'state', 'State or province', { config: { chars_max: 80 } }),
        beside(ask('country', 'country', 'Country', { config: required })),
        ask('date', 'lives_there_since', 'Since when?', {
          description: 'If you have not moved yet, tell us after the move.',
          config: { ...required, min_date: 'today-5y', max_date: 'today' },
        }),
      ]),
      step('tax', 'Taxes', [
        ask('yes_no', 'country_changed', 'Have you moved to another country?', { config: required }),
        ask('yes_no', 'tax_resident_there', 'Are you a tax resident of the new country?', { config: required }),
        ask('country', 'tax_country', 'Where are you a tax resident now?', { config: required }),
        ask('yes_no', 'has_tax_number', 'Do you have a tax number there?', { config: required }),
        ask('text', 'tax_number', 'Tax number', { config: { ...required, chars_max: 40 } }),
        ask('select', 'no_tax_number_because', 'Why do you not have one?', {
          options: [
            ['not_issued', 'The country does not issue tax numbers'],
            ['applied_for', 'I have applied for one'],
            ['not_required', 'The country does not require me to have one'],
          ],
          config: required,
        }),
        note('nothing_changes', 'Nothing to add', '<p>Your tax details stay the same. Please continue.</p>'),
      ]),
      step('proof', 'Proof', [
        note(
          'proof_note',
          'Accepted documents',
          '<p>The document must show <strong>your full name</strong>, <strong>the new address</strong> and a date within the last three months. All four corners must be visible.</p>',
        ),
        ask('select', 'proof_kind', 'Type of document', { options: proofs, config: required }),
        beside(
          ask('date', 'proof_date', 'Date of the document', {
            config: { ...required, min_date: 'today-3m', max_date: 'today' },
          }),
        ),
        ask('files', 'proof_files', 'Document', {
          config: { ...required, count_min: 1, count_max: 3, file_types: ['png', 'jpg', 'jpeg', 'pdf'] },
        }),
        ask('consent', 'is_true', 'My statements here are true and complete.', { config: required }),
      ]),
    ],
    show_conditions: {
      tax_resident_there: { '==': [{ var: 'country_changed' }, 'yes'] },
      tax_country: { '==': [{ var: 'tax_resident_there' }, 'no'] },
      has_tax_number: { '==': [{ var: 'country_changed' }, 'yes'] },
      tax_number: { '==': [{ var: 'has_tax_number' }, 'yes'] },
      no_tax_number_because: { '==': [{ var: 'has_tax_number' }, 'no'] },
      nothing_changes: { '==': [{ var: 'country_changed' }, 'no'] },
    },
    input_name_conditions: {},
    result_bands: [],
  },
}

const leverages: readonly Choice[] = ['2', '5', '10', '20', '30', '50', '100', '200'].map((value) => [
  value,
  `1:${value}`,
])

const leverageChange: ReadyMadeForm = {
  key: 'leverage-change',
  name: 'Leverage change',
  description: 'Ask for another leverage of one of your trading accounts.',
  category: 'Trading accounts',
  definition: {
    steps: [
      step('account', 'The account', [
        ask('trading_account', 'account', 'Trading account', { config: required }),
        beside(ask('select', 'leverage_wanted', 'Desired leverage', { options: leverages, config: required })),
        ask('yes_no', 'has_positions', 'Are there open positions on it?', { config: required }),
        note(
          'lower_with_positions',
          'Open positions',
          '<p>A lower leverage requires <strong>more margin</strong> for open positions. If the balance does not cover it, the platform closes positions. Close them or deposit first.</p>',
        ),
      ]),
      step('risk', 'What this means', [
        ask('yes_no', 'is_professional', 'Are you classified as a professional client with us?', { config: required }),
        note(
          'retail_limit',
          'Leverage of retail clients',
          '<p>For retail clients leverage is limited by law in many countries. We will tell you what can be offered to you.</p>',
        ),
        ask('select', 'experience', 'How long have you traded with leverage?', {
          options: [
            ['none', 'Not yet'],
            ['under_one_year', 'Less than a year'],
            ['one_to_three_years', 'One to three years'],
            ['over_three_years', 'More than three years'],
          ],
          config: required,
        }),
        ask('textarea', 'reason', 'Why do you need it?', {
          description: 'What you trade, and what the leverage is for.',
          config: { ...required, chars_max: 1_000 },
        }),
        ask('consent', 'understands_losses', 'I understand that higher leverage makes losses larger and faster.', {
          config: required,
        }),
        ask('consent', 'understands_margin', 'I understand that the margin of open positions changes.', {
          config: required,
        }),
      ]),
    ],
    show_conditions: {
      lower_with_positions: { '==': [{ var: 'has_positions' }, 'yes'] },
      is_professional: { '>': [{ var: 'leverage_wanted' }, 30] },
      retail_limit: { '==': [{ var: 'is_professional' }, 'no'] },
      understands_margin: { '==': [{ var: 'has_positions' }, 'yes'] },
    },
    input_name_conditions: {},
    result_bands: [],
  },
}

const accountClosure: ReadyMadeForm = {
  key: 'account-closure',
  name: 'Account closure',
  description: 'Close one trading account, or end your relationship with us.',
  category: 'Trading accounts',
  definition: {
    steps: [
      step('what', 'What to close', [
        ask('radio', 'scope', 'What do you want to close?', {
          options: [
            ['one', 'One trading account'],
            ['all', 'All of my accounts, and my membership'],
          ],
          config: required,
        }),
        ask('trading_account', 'account', 'Which account?', { config: required }),
        ask('yes_no', 'has_positions', 'Are there open positions or orders?', { config: required }),
        note(
          'positions_first',
          'Close your positions first',
          '<p>We cannot close an account with open positions. Please close them; we check again before we process this request.</p>',
        ),
        ask('select', 'reason', 'Why are you closing it?', {
          options: [
            ['not_used', 'I do not use it any more'],
            ['costs', 'Costs or conditions'],
            ['service', 'I was not satisfied with the service'],
            ['losses', 'I lost more than I want to'],
            ['other_broker', 'I am moving to another broker'],
            ['other', 'Something else'],
          ],
          config: required,
        }),
        ask('textarea', 'reason_text', 'What should we know?', { config: { ...required, chars_max: 2_000 } }),
        note(
          'help_with_losses',
          'If trading worries you',
          '<p>You are not alone. Please speak with somebody you trust, or with a service in your country for people with debts or gambling problems. We can also set a limit or a pause immediately.</p>',
        ),
      ]),
      step('money', 'Remaining balance', [
        ask('yes_no', 'has_balance', 'Is there money left in it?', { config: required }),
        ask('radio', 'balance_to', 'Where should it go?', {
          options: [
            ['bank', 'To one of my bank accounts'],
            ['other_account', 'To another trading account of mine'],
          ],
          config: required,
        }),
        ask('bank_account', 'pay_to', 'Bank account', {
          description: 'Deposits by card or wallet are first returned the same way.',
          config: required,
        }),
        ask('trading_account', 'move_to', 'Trading account', { config: required }),
        ask('yes_no', 'wants_statement', 'Do you need a closing statement?', { config: { default: 'yes' } }),
      ]),
      step('confirm', 'Confirm', [
        note(
          'records_kept',
          'What we keep',
          '<p>We are required by law to keep records of your trades and your identity for some years. They are not used for anything else.</p>',
        ),
        ask('consent', 'is_final', 'I understand that a closed account cannot be reopened.', { config: required }),
        ask('signature', 'signature', 'Signature', { config: required }),
      ]),
    ],
    show_conditions: {
      account: { '==': [{ var: 'scope' }, 'one'] },
      positions_first: { '==': [{ var: 'has_positions' }, 'yes'] },
      reason_text: { in: [{ var: 'reason' }, ['service', 'other']] },
      help_with_losses: { '==': [{ var: 'reason' }, 'losses'] },
      balance_to: { and: [{ '==': [{ var: 'has_balance' }, 'yes'] }, { '==': [{ var: 'scope' }, 'one'] }] },
      pay_to: {
        and: [
          { '==': [{ var: 'has_balance' }, 'yes'] },
          { or: [{ '==': [{ var: 'scope' }, 'all'] }, { '==': [{ var: 'balance_to' }, 'bank'] }] },
        ],
      },
      move_to: { '==': [{ var: 'balance_to' }, 'other_account'] },
    },
    input_name_conditions: { pay_to: { destination: true }, move_to: { destination: true } },
    result_bands: [],
  },
}

export const readyMadeForms: readonly ReadyMadeForm[] = [
  changeOfAddress,
  changeOfLegalName,
  changeOfEmail,
  leverageChange,
  accountClosure,
  appropriatenessTest,
  sourceOfFunds,
]
