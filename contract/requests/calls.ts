import { z } from 'zod'
import { defineCall } from '../call.ts'
import { answersInput, submission } from '../forms/calls.ts'
import { limits } from '../limits.ts'
import { texts } from '../texts.ts'
import { needsComment, requestPriorities, requestStates } from './states.ts'
import { requestTexts } from './texts.ts'

const tooLong = (charsMax: number) => texts.textTooLong.replace('{{count}}', String(charsMax))
/** Allows line breaks and tabs, but no other control characters. */
const isReadable = (text: string) => text.isWellFormed() && !/[^\P{Cc}\n\r\t]/u.test(text)

export const requestText = (charsMax: number, missing: string = texts.fieldsMissing) =>
  z
    .string({ error: missing })
    .trim()
    .min(1, missing)
    .max(charsMax, tooLong(charsMax))
    .refine(isReadable, texts.textUnreadable)

/** A blank comment counts as absent. */
export const requestComment = z.preprocess(
  (value) => (typeof value === 'string' && value.trim() === '' ? undefined : (value ?? undefined)),
  requestText(limits.requestCommentCharsMax).optional(),
)

const request = z.object({ _id: z.uuid(), number: z.string(), status: z.enum(requestStates) })
export type WireRequest = z.output<typeof request>

const ok = z.object({ status: z.literal('ok'), msg: z.array(z.string()) })

/** Hidden fields prefilled from the type: validated and ignored. */
const prefilled = (charsMax: number) => z.string().max(charsMax, tooLong(charsMax)).nullish()

const emptyIsNone = (value: unknown) => (value === '' || value === null ? undefined : value)

/**
 * JSON, or multipart with `request[request_type]`, `form_submit[form]`, `form_submit[data]` as JSON text, and a part per file:
 * `form_submit[data][name]`, followed by `[]` for a field of several files.
 */
export const sendRequest = defineCall({
  method: 'POST',
  path: '/requests/send-customer-request',
  access: 'member',
  isHarmlessTwice: true,
  input: z.object({
    request: z.object({
      request_type: z.uuid(),
      subject: prefilled(limits.requestSubjectCharsMax),
      description: prefilled(limits.requestDescriptionCharsMax),
      priority: z.enum(requestPriorities).optional(),
      status: z.enum(requestStates).optional(),
    }),
    form_submit: z.object({
      form: z.preprocess(emptyIsNone, z.uuid().optional()),
      data: answersInput.default({}),
      ...submission,
    }),
    /** The signed-in member; any other id is refused. */
    customer: z.preprocess(emptyIsNone, z.uuid().optional()),
  }),
  answer: ok.extend({ request }),
})

export const changeRequestStatus = defineCall({
  method: 'POST',
  path: '/requests/cp-change-status',
  access: 'member',
  input: z
    .object({ _id: z.uuid(), new_status: z.enum(requestStates), comment: requestComment })
    .refine(({ new_status, comment }) => !needsComment(new_status) || comment !== undefined, {
      error: requestTexts.commentMissing,
      path: ['comment'],
    }),
  answer: ok.extend({ request }),
})
