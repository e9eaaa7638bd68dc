import type { FieldConfig } from './definition.ts'
import { ask, beside, note, type ReadyMadeForm, required, step } from './form-parts.ts'
import type { Rule } from './rules.ts'

const amount: FieldConfig = { ...required, min: '0', max: '999999999.99', decimals: 2 }
const comesFrom = (source: string): Rule => ({ in: [source, { var: 'sources' }] })

/** The source of a member's deposits, with KYC documents, as anti-money-laundering rules require. */
export const sourceOfFunds: ReadyMadeForm = {
  key: 'source-of-funds',
  name: 'Source of funds',
  description: 'Tell us where the money that you deposit comes from.',
  category: 'Compliance',
  definition: {
    steps: [
      step('plan', 'Your plans', [
        ask('currency', 'currency', 'Currency of the amounts below', { config: required }),
        beside(ask('decimal', 'planned', 'What you plan to deposit in the next twelve months', { config: amount })),
        ask('checkbox_group', 'sources', 'Where does it come from?', {
          options: [
            ['employment', 'Salary or pension'],
            ['business', 'My own business'],
            ['savings', 'Savings'],
            ['sale', 'Sale of property, a company or investments'],
            ['inheritance', 'Inheritance or a gift'],
            ['crypto', 'Crypto-assets'],
            ['other', 'Something else'],
          ],
          config: { ...required, count_min: 1 },
        }),
      ]),
      step('sources', 'The sources', [
        ask('text', 'employer', 'Employer or pension provider', { config: { ...required, chars_max: 120 } }),
        beside(ask('text', 'occupation', 'Occupation', { config: { ...required, chars_max: 120 } })),
        ask('decimal', 'employment_amount', 'Net income per year', { config: amount }),
        ask('text', 'company', 'Name of the business', { config: { ...required, chars_max: 120 } }),
        beside(ask('country', 'company_country', 'Country of the business', { config: required })),
        ask('decimal', 'company_share', 'Your share in percent', {
          config: { ...required, min: '0', max: '100', decimals: 2 },
        }),
        beside(ask('decimal', 'business_amount', 'Your income from it in the last year', { config: amount })),
        ask('decimal', 'savings_amount', 'Savings', { config: amount }),
        beside(
          ask('text', 'savings_from', 'How the savings were built up', { config: { ...required, chars_max: 500 } }),
        ),
        ask('text', 'sold', 'What was sold', { config: { ...required, chars_max: 200 } }),
        beside(ask('date', 'sold_on', 'When', { config: { ...required, max_date: 'today' } })),
        ask('decimal', 'sale_amount', 'Amount received', { config: amount }),
        ask('text', 'giver', 'Received from', { config: { ...required, chars_max: 120 } }),
        beside(
          ask('select', 'giver_relation', 'Your relationship to this person', {
            options: [
              ['parent', 'Parent'],
              ['spouse', 'Husband, wife or partner'],
              ['relative', 'Another relative'],
              ['other', 'Somebody else'],
            ],
            config: required,
          }),
        ),
        ask('date', 'received_on', 'When', { config: { ...required, max_date: 'today' } }),
        beside(ask('decimal', 'inheritance_amount', 'Amount received', { config: amount })),
        ask('text', 'crypto_platform', 'Exchange or wallet', { config: { ...required, chars_max: 120 } }),
        beside(ask('decimal', 'crypto_amount', 'Amount exchanged, in the currency above', { config: amount })),
        ask('textarea', 'crypto_bought_with', 'What were they bought with, and when?', {
          config: { ...required, chars_max: 1_000 },
        }),
        ask('textarea', 'other_source', 'What else?', { config: { ...required, chars_max: 1_000 } }),
        ask('decimal', 'other_amount', 'Amount', { config: amount }),
        ask('formula', 'declared', 'Total', {
          config: {
            formula:
              '{employment_amount} + {business_amount} + {savings_amount} + {sale_amount} + {inheritance_amount} + {crypto_amount} + {other_amount}',
            decimals: 2,
          },
        }),
        note(
          'less_than_planned',
          'Less than you plan to deposit',
          '<p>The total is less than what you plan to deposit. Please add what is missing, or explain the difference below.</p>',
        ),
        ask('textarea', 'difference', 'Please explain the difference', {
          config: { ...required, chars_max: 1_000 },
        }),
      ]),
      step('person', 'About you', [
        ask('yes_no', 'is_exposed', 'Do you hold a high public office, or did you in the last year?', {
          description:
            'For example in a government, parliament, high court or embassy, or at the head of a state company.',
          config: required,
        }),
        ask('yes_no', 'is_close_to_exposed', 'Are you a close relative or business partner of somebody who does?', {
          config: required,
        }),
        ask('textarea', 'exposed_details', 'Which office is it, who holds it, in which country, and since when?', {
          config: { ...required, chars_max: 1_000 },
        }),
        ask('yes_no', 'is_own_money', 'Is it your own money, and do you trade for yourself?', { config: required }),
        ask('textarea', 'for_whom', 'Whose money is it?', { config: { ...required, chars_max: 1_000 } }),
      ]),
      step('documents', 'Documents', [
        note(
          'documents_note',
          'Accepted documents',
          '<p>For each source, one document from the last twelve months:</p><ul><li>payslips, a tax assessment, a pension statement</li><li>accounts of the business</li><li>statements of the bank, the broker or the exchange</li><li>the contract of a sale, a deed of gift, a certificate of inheritance</li></ul>',
        ),
        ask('files', 'documents', 'Documents', { config: { ...required, count_min: 1, count_max: 10 } }),
        ask('consent', 'is_true', 'My statements here are true and complete, and I will inform you of any change.', {
          config: required,
        }),
        ask('signature', 'signature', 'Signature', { config: required }),
      ]),
    ],
    show_conditions: {
      employer: comesFrom('employment'),
      occupation: comesFrom('employment'),
      employment_amount: comesFrom('employment'),
      company: comesFrom('business'),
      company_country: comesFrom('business'),
      company_share: comesFrom('business'),
      business_amount: comesFrom('business'),
      savings_amount: comesFrom('savings'),
      savings_from: comesFrom('savings'),
      sold: comesFrom('sale'),
      sold_on: comesFrom('sale'),
      sale_amount: comesFrom('sale'),
      giver: comesFrom('inheritance'),
      giver_relation: comesFrom('inheritance'),
      received_on: comesFrom('inheritance'),
      inheritance_amount: comesFrom('inheritance'),
      crypto_platform: comesFrom('crypto'),
      crypto_amount: comesFrom('crypto'),
      crypto_bought_with: comesFrom('crypto'),
      other_source: comesFrom('other'),
      other_amount: comesFrom('other'),
      less_than_planned: { '<': [{ var: 'declared' }, { var: 'planned' }] },
      difference: { '<': [{ var: 'declared' }, { var: 'planned' }] },
      exposed_details: {
        or: [{ '==': [{ var: 'is_exposed' }, 'yes'] }, { '==': [{ var: 'is_close_to_exposed' }, 'yes'] }],
      },
      for_whom: { '==': [{ var: 'is_own_money' }, 'no'] },
    },
    input_name_conditions: {},
    result_bands: [],
  },
}
