import { limits } from '../limits.ts'
import { ask, beside, type ReadyMadeForm, required, step } from './form-parts.ts'

/** The fields for the new value have the names in `changeFields`, so that approving the request changes the member. */
export const changeOfLegalName: ReadyMadeForm = {
  key: 'change-of-legal-name',
  name: 'Change of legal name',
  description: 'After a marriage or another legal change. A document is required.',
  category: 'Personal details',
  definition: {
    steps: [
      step('name', 'Your new name', [
        ask('text', 'new_first_name', 'First name', {
          description: 'As in your passport or identity card, including middle names.',
          config: { ...required, chars_max: limits.memberNameCharsMax },
        }),
        beside(
          ask('text', 'new_last_name', 'Last name', { config: { ...required, chars_max: limits.memberNameCharsMax } }),
        ),
        ask('select', 'reason', 'Reason', {
          options: [
            ['marriage', 'Marriage or partnership'],
            ['divorce', 'Divorce'],
            ['deed', 'Change by deed or decision of an authority'],
            ['spelling', 'Our spelling is wrong'],
            ['other', 'Another reason'],
          ],
          config: required,
        }),
        ask('textarea', 'reason_text', 'What should we know?', { config: { ...required, chars_max: 1_000 } }),
        ask('files', 'proof_files', 'Document that shows the new name', {
          config: { ...required, count_min: 1, count_max: 3, file_types: ['png', 'jpg', 'jpeg', 'pdf'] },
        }),
      ]),
    ],
    show_conditions: { reason_text: { '==': [{ var: 'reason' }, 'other'] } },
    input_name_conditions: {},
    result_bands: [],
  },
}

export const changeOfEmail: ReadyMadeForm = {
  key: 'change-of-email',
  name: 'Change of email',
  description: 'The address that you sign in with.',
  category: 'Personal details',
  definition: {
    steps: [
      step('email', 'Your new email', [
        ask('email', 'new_email', 'New email', {
          description: 'You sign in with it once we have approved the change. We write to your old address too.',
          config: required,
        }),
        ask('textarea', 'reason', 'Reason', { config: { ...required, chars_max: 1_000 } }),
      ]),
    ],
    show_conditions: {},
    input_name_conditions: {},
    result_bands: [],
  },
}
