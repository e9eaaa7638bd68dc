import { submitForm } from '@atrium/contract/requests/form-calls.ts'
import { refuse } from '../foundation/errors.ts'
import type { Body } from '../foundation/form-fields.ts'
import { idOf, objectOf } from '../foundation/form-fields.ts'
import { parseShallow } from '../foundation/json.ts'

const isObject = (value: unknown): value is Body => typeof value === 'object' && value !== null && !Array.isArray(value)
const ownFields = Object.keys(submitForm.input.shape)

/** Moves the answers to `data`: they may be there, as an object or as JSON text, or beside the form's id. */
export function normalizeSubmission(body: Body): Body {
  const { form_id, ...named } = unfold(body)
  const rest: Body = { form: form_id, ...named }
  if (rest.data !== undefined) return { ...rest, data: readObject(rest.data) }
  const entries = Object.entries(rest)
  const isOwn = ([name]: [string, unknown]) => ownFields.includes(name)
  const answers = Object.fromEntries(entries.filter((entry) => !isOwn(entry)))
  return { ...Object.fromEntries(entries.filter(isOwn)), data: answers }
}

/** Accepts a request in form notation, with parts as JSON text, or with customer and type as objects. */
export function normalizeRequest(body: Body): Body {
  const { request, form_submit, customer, ...rest } = unfold(body)
  const filled = readObject(form_submit ?? {})
  const asked = readObject(request)
  return {
    ...rest,
    request: isObject(asked) ? { ...asked, request_type: idOf(asked.request_type) } : asked,
    form_submit: isObject(filled) && filled.data !== undefined ? { ...filled, data: readObject(filled.data) } : filled,
    ...(customer !== undefined && { customer: idOf(customer) }),
  }
}

/** Some clients use form notation such as `form_submit[form]` in JSON too. */
function unfold(body: Body): Body {
  const entries = Object.entries(body)
  return entries.some(([name]) => name.includes('[')) ? objectOf(entries) : body
}

function readObject(value: unknown): unknown {
  if (typeof value !== 'string' || value.trim() === '') return value || {}
  // Refuses names of Object.prototype, as the JSON parser does for a body.
  if (/"(__proto__|constructor)"\s*:/.test(value)) refuse('malformed', 'The answers could not be read.')
  try {
    return parseShallow(value)
  } catch {
    return refuse('malformed', 'The answers could not be read.')
  }
}
