import { newId } from '../../../server/foundation/ids.ts'
import { aField, aForm } from '../../fixtures/form-definitions.ts'
import { addAnswerFile, addForm, addOffered, addressAnswers, addressForm } from '../../fixtures/forms.ts'
import { addRequest, addRequestType } from '../../fixtures/requests.ts'
import { by, enterMember, enterStaff, type Prepare, type Stage } from './valid-request.ts'

async function requestOf(stage: Stage) {
  const { system } = stage.floor
  const person = await enterMember(stage)
  const { typeId } = await addOffered(system)
  return { person, id: await addRequest(system, { memberId: person.id, requestTypeId: typeId }) }
}

const byStaff =
  (place: (stage: Stage) => Promise<string>, body: () => object): Prepare =>
  async (stage) =>
    by(await enterStaff(stage), { places: { id: await place(stage) }, body: body() })

const aRequest = async (stage: Stage) => (await requestOf(stage)).id
const aFormOf = ({ floor: { system } }: Stage) => addForm(system)
const aType = ({ floor: { system } }: Stage) => addRequestType(system, { name: newId() })

const values = { show_on: null, is_request: true, category: null, vendors: [], departments: [] }
const type = { description: null, predefined_type: null, form: null, show_in_portal: true, is_quick_link: false }

export const requestsOfForms: Record<string, Prepare> = {
  'POST /form/submit': async (stage) => {
    const { system } = stage.floor
    const [person, form] = [
      await enterMember(stage),
      await addForm(system, { show_on: 'members-portal', is_request: false }),
    ]
    return by(person, { body: { form, data: { ...addressAnswers, proofs: [await addAnswerFile(system, person.id)] } } })
  },
  'POST /forms/drafts/save': async (stage) => {
    const { formId: form } = await addOffered(stage.floor.system)
    return by(await enterMember(stage), { body: { form, version: 1, answers: {}, step: 0, revision: null } })
  },
  'POST /forms/drafts/discard': async (stage) => {
    const { formId: form } = await addOffered(stage.floor.system)
    const person = await enterMember(stage)
    const body = { form, version: 1, answers: {}, step: 0, revision: null }
    await stage.caller.post('/forms/drafts/save', body, person.token)
    return by(person, { body: { form } })
  },
  'POST /requests/send-customer-request': async (stage) => {
    const { formId: form, typeId: request_type } = await addOffered(stage.floor.system)
    const person = await enterMember(stage)
    const form_submit = { form, data: addressAnswers }
    return by(person, { body: { request: { request_type }, form_submit, customer: person.id } })
  },
  'POST /requests/cp-change-status': async (stage) => {
    const { person, id } = await requestOf(stage)
    return by(person, { body: { _id: id, new_status: 'canceled', comment: 'Not needed any more' } })
  },
  'POST /desk/api/forms/add': async (stage) =>
    by(await enterStaff(stage), { body: { ...values, name: newId(), definition: addressForm } }),
  'POST /desk/api/forms/:id/change': byStaff(aFormOf, () => ({ ...values, name: newId() })),
  'POST /desk/api/forms/:id/publish': byStaff(aFormOf, () => ({
    definition: aForm([aField('text', 'city')]),
    based_on: 1,
  })),
  'POST /desk/api/forms/:id/archive': byStaff(aFormOf, () => ({ archived: true })),
  'POST /desk/api/request-types/add': async (stage) =>
    by(await enterStaff(stage), { body: { ...type, name: newId() } }),
  'POST /desk/api/request-types/:id/change': byStaff(aType, () => ({ ...type, name: newId() })),
  'POST /desk/api/request-types/:id/archive': byStaff(aType, () => ({ archived: true })),
  'POST /desk/api/request-types/order': async (stage) => {
    await aType(stage)
    await aType(stage)
    const staff = await enterStaff(stage)
    const listed = (await stage.caller.get('/desk/api/request-types', staff.token)).body
    const offered = (listed.types as { _id: string; archived: boolean }[]).filter(({ archived }) => !archived)
    return by(staff, { body: { types: offered.map(({ _id }) => _id).reverse() } })
  },
  'POST /desk/api/requests/:id/assign': async (stage) => {
    const [id, staff] = [await aRequest(stage), await enterStaff(stage)]
    return by(staff, { places: { id }, body: { from: null, to: staff.id } })
  },
  'POST /desk/api/requests/:id/status': byStaff(aRequest, () => ({
    from: 'not-assigned',
    to: 'rejected',
    comment: 'A proof is missing.',
  })),
  'POST /desk/api/requests/:id/comment': byStaff(aRequest, () => ({ comment: 'On its way.' })),
}
