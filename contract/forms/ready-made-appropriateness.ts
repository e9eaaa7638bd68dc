import { ask, type Choice, note, type ReadyMadeForm, required, step } from './form-parts.ts'

const oftenTraded: readonly Choice[] = [
  ['never', 'Never', 0],
  ['few', 'Up to ten trades in the last two years', 1],
  ['some', 'Eleven to forty trades in the last two years', 2],
  ['many', 'More than forty trades in the last two years', 3],
]

/**
 * Tests whether the member has the knowledge and experience to understand leveraged products. The points for education and
 * experience stay below the pass mark, so that nobody passes on them alone.
 */
export const appropriatenessTest: ReadyMadeForm = {
  key: 'appropriateness-test',
  name: 'Appropriateness test',
  description: 'Questions about your knowledge of leveraged products and your experience with them.',
  category: 'Compliance',
  definition: {
    steps: [
      step('experience', 'Experience', [
        note(
          'why_we_ask',
          'Why we ask',
          '<p>We are required to assess whether leveraged products are appropriate for you. <strong>Please answer truthfully</strong>: a better result brings you no advantage.</p>',
        ),
        ask('select', 'education', 'What is your education in finance?', {
          options: [
            ['none', 'None in particular', 0],
            ['self_taught', 'Self-taught', 1],
            ['course', 'A course or a seminar with an examination', 2],
            ['degree', 'A degree or a professional qualification in it', 3],
          ],
          config: required,
        }),
        ask('yes_no', 'worked_in_finance', 'Have you worked with such products for a year or more?', {
          options: [
            ['yes', 'Yes', 3],
            ['no', 'No', 0],
          ],
          config: required,
        }),
        ask('text', 'finance_role', 'In which position, and where?', { config: { ...required, chars_max: 200 } }),
        ask('radio', 'traded_shares', 'How often have you traded shares, bonds or funds?', {
          options: oftenTraded,
          config: required,
        }),
        ask('radio', 'traded_leveraged', 'How often have you traded CFDs, FX or futures with your own money?', {
          options: oftenTraded.map(([value, label, points = 0]) => [value, label, points * 2]),
          config: required,
        }),
        ask('checkbox_group', 'leveraged_products', 'Which of these products?', {
          options: [
            ['fx', 'Currency pairs'],
            ['indices', 'CFDs on indices'],
            ['shares', 'CFDs on shares'],
            ['commodities', 'CFDs on commodities'],
            ['crypto', 'CFDs on crypto-assets'],
            ['futures', 'Futures or options on an exchange'],
          ],
          config: { ...required, count_min: 1 },
        }),
      ]),
      step('knowledge', 'Knowledge', [
        ask('radio', 'leverage_question', 'With a leverage of 1:30 and 1,000 of margin, how large is the position?', {
          options: [
            ['a', '1,000', 0],
            ['b', '3,000', 0],
            ['c', '30,000', 4],
            ['unknown', 'I do not know', 0],
          ],
          config: required,
        }),
        ask('radio', 'loss_question', 'That position moves 2% against you. About how much is lost?', {
          options: [
            ['a', '20, which is 2% of the margin', 0],
            ['b', '600, which is 60% of the margin', 4],
            ['c', 'Nothing, as long as I wait', 0],
            ['unknown', 'I do not know', 0],
          ],
          config: required,
        }),
        ask('radio', 'margin_question', 'What happens when the equity falls below the margin that is required?', {
          options: [
            ['a', 'Positions may be closed without my doing anything', 4],
            ['b', 'The broker lends me what is missing', 0],
            ['c', 'Nothing, until I close the positions myself', 0],
            ['unknown', 'I do not know', 0],
          ],
          config: required,
        }),
        ask('radio', 'stop_question', 'Does a stop-loss order always close at the price that it names?', {
          options: [
            ['a', 'Yes, always', 0],
            ['b', 'No: where the market jumps, it may be closed at a worse price', 4],
            ['c', 'Only on weekends', 0],
            ['unknown', 'I do not know', 0],
          ],
          config: required,
        }),
        ask('radio', 'overnight_question', 'What does it usually cost to hold a CFD position overnight?', {
          options: [
            ['a', 'Nothing', 0],
            ['b', 'A financing charge, which may also be a credit', 4],
            ['c', 'The whole margin', 0],
            ['unknown', 'I do not know', 0],
          ],
          config: required,
        }),
        ask('radio', 'ownership_question', 'Who owns the share when you buy a CFD on it?', {
          options: [
            ['a', 'I do', 0],
            ['b', 'Not me: the CFD follows the price, and I own no share', 4],
            ['c', 'The platform, on my behalf', 0],
            ['unknown', 'I do not know', 0],
          ],
          config: required,
        }),
      ]),
      step('means', 'Capacity for loss', [
        ask('scale', 'can_bear_loss', 'How well could you cope with losing everything that you deposit?', {
          description: 'It does not affect the result. We ask so that we can protect you.',
          options: ['1', '2', '3', '4', '5'].map((value) => [value, value]),
          config: { ...required, label_low: 'Not at all', label_high: 'Without any difficulty' },
        }),
        note(
          'cannot_bear',
          'Please think twice',
          '<p>Most retail traders lose money with leveraged products. <strong>Do not deposit money that you need to live on.</strong> A demo account is free.</p>',
        ),
        ask('yes_no', 'is_vulnerable', 'Does anything make decisions about money difficult for you at the moment?', {
          description:
            'For example an illness, a bereavement, debts or gambling. You do not need to tell us what it is.',
        }),
        ask('consent', 'is_own_answer', 'I answered these questions myself, without help.', { config: required }),
      ]),
    ],
    show_conditions: {
      finance_role: { '==': [{ var: 'worked_in_finance' }, 'yes'] },
      leveraged_products: { in: [{ var: 'traded_leveraged' }, ['few', 'some', 'many']] },
      cannot_bear: { '<=': [{ var: 'can_bear_loss' }, 2] },
    },
    input_name_conditions: {},
    result_bands: [
      {
        from: 0,
        to: 15,
        name: 'Not appropriate',
        text: 'Your answers show that leveraged products are not appropriate for you. Please start with a demo account and our courses; you can take the test again afterwards.',
      },
      {
        from: 16,
        to: 23,
        name: 'Appropriate with a warning',
        text: 'You know the essentials, and some risks deserve another look. Please read the risk warning again before you trade.',
      },
      {
        from: 24,
        to: 39,
        name: 'Appropriate',
        text: 'Your answers show that you understand the risks of leveraged products.',
      },
    ],
  },
}
