import { newId } from '../../../server/foundation/ids.ts'
import { aField, aForm } from '../../fixtures/form-definitions.ts'
import { addAnswerFile, addForm, addOffered, addressAnswers, addressForm } from '../../fixtures/forms.ts'
import { addRequest, addRequestType } from '../../fixtures/requests.ts'
import { by, enterMember, enterStaff, type Fixture, type Prepare } from './valid-request.ts'

async function requestOf(fixture: Fixture) {
  const { system } = fixture.setup
  const person = await enterMember(fixture)
  const { typeId } = await addOffered(system)
  return { person, id: await addRequest(system, { memberId: person.id, requestTypeId: typeId }) }
}

const byStaff =
  (place: (fixture: Fixture) => Promise<string>, body: () => object = () => ({})): Prepare =>
  async (fixture) =>
    by(await enterStaff(fixture), { places: { id: await place(fixture) }, body: body() })

const aRequest = async (fixture: Fixture) => (await requestOf(fixture)).id
const aFormOf = ({ setup: { system } }: Fixture) => addForm(system)
const aType = ({ setup: { system } }: Fixture) => addRequestType(system, { name: newId() })

const values = { show_on: null, is_request: true, category: null, vendors: [], departments: [] }
const type = { description: null, predefined_type: null, form: null, show_in_portal: true, is_quick_link: false }

export const requestsOfForms: Record<string, Prepare> = {
  'POST /form/submit': async (fixture) => {
    const { system } = fixture.setup
    const [person, form] = [
      await enterMember(fixture),
      await addForm(system, { show_on: 'members-portal', is_request: false }),
    ]
    return by(person, { body: { form, data: { ...addressAnswers, proofs: [await addAnswerFile(system, person.id)] } } })
  },
  'POST /forms/drafts/save': async (fixture) => {
    const { formId: form } = await addOffered(fixture.setup.system)
    return by(await enterMember(fixture), { body: { form, version: 1, answers: {}, step: 0, revision: null } })
  },
  'POST /forms/drafts/discard': async (fixture) => {
    const { formId: form } = await addOffered(fixture.setup.system)
    const person = await enterMember(fixture)
    const body = { form, version: 1, answers: {}, step: 0, revision: null }
    await fixture.caller.post('/forms/drafts/save', body, person.token)
    return by(person, { body: { form } })
  },
  'POST /requests/send-customer-request': async (fixture) => {
    const { formId: form, typeId: request_type } = await addOffered(fixture.setup.system)
    const person = await enterMember(fixture)
    const form_submit = { form, data: addressAnswers }
    return by(person, { body: { request: { request_type }, form_submit, customer: person.id } })
  },
  'POST /requests/cp-change-status': async (fixture) => {
    const { person, id } = await requestOf(fixture)
    return by(person, { body: { _id: id } })
  },
  'POST /desk/api/forms/add': async (fixture) =>
    by(await enterStaff(fixture), { body: { ...values, name: newId(), definition: addressForm } }),
  'POST /desk/api/forms/:id/change': byStaff(aFormOf, () => ({ ...values, name: newId() })),
  'POST /desk/api/forms/:id/publish': byStaff(aFormOf, () => ({
    definition: aForm([aField('text', 'city')]),
    based_on: 1,
  })),
  'POST /desk/api/forms/:id/archive': byStaff(aFormOf),
  'POST /desk/api/request-types/add': async (fixture) =>
    by(await enterStaff(fixture), { body: { ...type, name: newId() } }),
  'POST /desk/api/request-types/:id/change': byStaff(aType, () => ({ ...type, name: newId() })),
  'POST /desk/api/request-types/:id/archive': byStaff(aType),
  'POST /desk/api/request-types/order': async (fixture) => {
    await aType(fixture)
    await aType(fixture)
    const staff = await enterStaff(fixture)
    const listed = (await fixture.caller.get('/desk/api/request-types', staff.token)).body
    const offered = (listed.types as { _id: string; archived: boolean }[]).filter(({ archived }) => !archived)
    return by(staff, { body: { types: offered.map(({ _id }) => _id).reverse() } })
  },
  'POST /desk/api/requests/:id/assign': async (fixture) => {
    const [id, staff] = [await aRequest(fixture), await enterStaff(fixture)]
    return by(staff, { places: { id }, body: { from: null, to: staff.id } })
  },
  'POST /desk/api/requests/:id/status': byStaff(aRequest),
  'POST /desk/api/requests/:id/comment': byStaff(aRequest),
}
