import type { FieldType } from '@atrium/contract/forms/definition.ts'
import { addForm as addFormCall, changeForm, type FormValues, publishForm } from '@atrium/contract/forms/desk-calls.ts'
import { changeRequestStatus } from '@atrium/contract/requests/calls.ts'
import {
  addRequestType as addTypeCall,
  changeRequestType,
  commentOnRequest,
  moveRequest,
} from '@atrium/contract/requests/desk-calls.ts'
import type pg from 'pg'
import { aField, aForm } from '../../fixtures/form-definitions.ts'
import { addForm } from '../../fixtures/forms.ts'
import { addRequest, addRequestType } from '../../fixtures/requests.ts'
import type { TradingFixture } from '../../fixtures/trading/trading-fixture.ts'
import type { StoredText } from './stored-text.ts'

const values: FormValues = {
  ...{ name: 'Change of name', show_on: null, is_request: true },
  ...{ category: null, vendors: [], departments: [] },
}
const type = { name: 'Change of name', description: null, predefined_type: null, form: null }
const offered = { ...type, show_in_portal: true, is_quick_link: false }
const ownTypes = `/graph?q=${Buffer.from('{ requests_types { name description } }').toString('base64url')}`
const ownRequests = `/graph?q=${Buffer.from('{ requests { comment } }').toString('base64url')}`

/** Texts of forms and of requests sent by them. */
export function storedRequestTexts({ system, member: { memberId } }: TradingFixture, owner: pg.Client): StoredText[] {
  /** Deletes earlier rows, since the texts would exceed the maximum number. */
  const clear = async () => {
    await owner.query('update request_types set archived_at = now() where archived_at is null')
    await owner.query('update forms set archived_at = now() where archived_at is null')
  }
  const form = async () => {
    await clear()
    return addForm(system)
  }
  const request = async () => addRequest(system, { memberId, requestTypeId: await addRequestType(system) })
  const forms: Pick<StoredText, 'shown'> = {
    shown: (_, { form: made }) => [['staff', `/desk/api/forms/${(made as { _id: string })._id}`]],
  }
  const types: Pick<StoredText, 'shown'> = {
    shown: () => [
      ['staff', '/desk/api/request-types'],
      ['member', ownTypes],
    ],
  }
  const toBoth: StoredText['shown'] = ({ id, _id }) => [
    ['staff', `/desk/api/requests/${id ?? _id}`],
    ['member', ownRequests],
  ]
  const bands = [{ from: 0, to: 9, name: 'Low', text: 'Nothing to do.' }]
  const definitions = definitionTexts.map(([of, fields]) => {
    const definition = aForm([aField(of, 'answer')], of === 'select' ? { result_bands: bands } : {})
    return { definition, fields: fields.map((field) => `definition.${field}`) }
  })
  return [
    {
      call: addFormCall,
      fields: ['name', 'category', 'vendors.0', 'departments.0'],
      async body() {
        await clear()
        return { ...values, definition: aForm([aField('text', 'answer')]) }
      },
      ...forms,
    },
    {
      call: changeForm,
      fields: ['name', 'category', 'vendors.0', 'departments.0'],
      body: async () => ({ ...values, id: await form() }),
      ...forms,
    },
    ...definitions.flatMap(({ definition, fields }): StoredText[] => [
      {
        call: addFormCall,
        fields,
        async body() {
          await clear()
          return { ...values, definition }
        },
        ...forms,
      },
      { call: publishForm, fields, body: async () => ({ id: await form(), definition, based_on: 1 }), ...forms },
    ]),
    {
      call: addTypeCall,
      fields: ['name', 'description'],
      async body() {
        await clear()
        return offered
      },
      ...types,
    },
    {
      call: changeRequestType,
      fields: ['name', 'description'],
      async body() {
        await clear()
        return { ...offered, id: await addRequestType(system, { name: 'Before' }) }
      },
      ...types,
    },
    {
      call: changeRequestStatus,
      fields: ['comment'],
      body: async () => ({ _id: await request(), new_status: 'canceled' }),
      shown: toBoth,
    },
    {
      call: moveRequest,
      fields: ['comment'],
      body: async () => ({ id: await request(), from: 'not-assigned', to: 'rejected' }),
      shown: toBoth,
    },
    { call: commentOnRequest, fields: ['comment'], body: async () => ({ id: await request() }), shown: toBoth },
  ]
}

const ofField = (...names: string[]) => names.map((name) => `steps.0.fields.0.${name}`)
/** The texts that each field type has. */
const definitionTexts: readonly (readonly [FieldType, readonly string[]])[] = [
  ['text', ['steps.0.name', ...ofField('name', 'description', 'config.placeholder', 'config.help', 'config.default')]],
  ['select', [...ofField('options.0.label'), 'result_bands.0.name', 'result_bands.0.text']],
  ['scale', ofField('config.label_low', 'config.label_high')],
]
