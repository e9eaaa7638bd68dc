import { z } from 'zod'
import { defineCall } from '../call.ts'
import { scanState } from '../files/calls.ts'
import { limits } from '../limits.ts'
import { submissionTexts } from '../requests/texts.ts'
import { texts } from '../texts.ts'
import type { FormDefinition } from './definition.ts'
import { formLimits } from './form-limits.ts'

const ok = z.object({ status: z.literal('ok') })

const plainText = z
  .string()
  .max(limits.answerCharsMax, texts.textTooLong.replace('{{count}}', String(limits.answerCharsMax)))
const answer = z.union([
  plainText,
  z.number(),
  z.boolean(),
  z.null(),
  z.array(plainText).max(formLimits.optionsMax),
  z.object({ from: plainText, to: plainText }),
])

/** By input name. Shape and size alone: whether they fit the form is for the form to say, field by field. */
export const answersInput = z
  .record(z.string().max(limits.answerNameCharsMax), answer)
  .refine((answers) => Object.keys(answers).length <= limits.answersMax, submissionTexts.tooLarge)
  .refine((answers) => JSON.stringify(answers).length <= limits.answersCharsMax, submissionTexts.tooLarge)

const version = z.int().min(1).max(1_000_000)
const nonceToken = z.string().min(1).max(200)

/** What every submission carries; without a version it was filled in as the form now is. */
export const submission = {
  version: version.optional(),
  /** From `POST /members/get-unique-token` with `form_submit`: sent again with the same answers it is the same submission. */
  nonce_token: nonceToken.optional(),
  /** The draft that it was: there is nothing left of it afterwards, and no second submission of it. */
  draft: z.uuid().optional(),
  /**
   * The revision of the draft that was gone on from, null where there was none. Where another device has saved since, it is
   * refused as a conflict: what was entered there would go with the draft. Left out, nobody asks.
   */
  draft_revision: z.int().min(1).nullable().optional(),
  /** Of the browser: it says which day is today where the profile names no zone. One that is not known counts as none. */
  time_zone: z.string().max(64).optional(),
}

export const answeredScores = z.object({
  total: z.number(),
  band: z.object({ name: z.string(), text: z.string() }).nullable(),
})
export type AnsweredScores = z.output<typeof answeredScores>

/** As it was published: judged then, and unchanging since. */
export const keptDefinition = z.custom<FormDefinition>((value) => typeof value === 'object' && value !== null)

/** What was answered, with the definition that it was answered by. Files and accounts stand in answers by their ids. */
export const answered = z.object({
  form: z.object({ _id: z.uuid(), name: z.string(), version }),
  definition: keptDefinition,
  answers: answersInput,
  scores: answeredScores.nullable(),
  files: z.array(
    z.object({
      _id: z.uuid(),
      name: z.string(),
      extension: z.string(),
      is_image: z.boolean(),
      size_bytes: z.int(),
      url: z.string(),
      scan: scanState,
    }),
  ),
  /** What stands for the id of an account: its number, a bank's name. */
  labels: z.record(z.string(), z.string()),
})
/** `form_data` of a request is this as JSON. */
export type Answered = z.output<typeof answered>

/** JSON, or multipart with `form`, `data` as JSON text, and one part a file: `data[name]`, or `data[name][]` of several. */
export const submitForm = defineCall({
  method: 'POST',
  path: '/form/submit',
  access: 'member',
  isHarmlessTwice: true,
  input: z.object({ form: z.uuid(), data: answersInput.default({}), ...submission }),
  answer: ok.extend({
    msg: z.array(z.string()),
    submission: z.object({
      _id: z.uuid(),
      /** Of a questionnaire: what the answers add up to, and what that means. */
      scores: answeredScores.nullable(),
      /** Where the form is one of a request. */
      request: z.uuid().nullable(),
    }),
  }),
})

const draft = z.object({
  _id: z.uuid(),
  form: z.uuid(),
  /** The form as it was when it was begun: it may be finished as that. */
  version,
  answers: answersInput,
  step: z.int(),
  /** Counts up with every change of the answers; named again when it is saved or sent, so that two devices tell each other. */
  revision: z.int(),
  saved_at: z.number(),
})
export type FormDraft = z.output<typeof draft>

/** The member's own draft of a form, with the definition that it was begun with. */
export const readDraft = defineCall({
  method: 'GET',
  path: '/forms/draft',
  access: 'member',
  input: z.object({ form: z.uuid() }),
  answer: ok.extend({
    draft: draft.nullable(),
    /** What the draft was begun with, where that is not how the form is now. */
    definition: keptDefinition.nullable(),
    current_version: version,
  }),
})

export const saveDraft = defineCall({
  method: 'POST',
  path: '/forms/drafts/save',
  access: 'member',
  input: z.object({
    form: z.uuid(),
    version,
    answers: answersInput,
    step: z.int().min(0).max(limits.formStepsMax),
    /** The revision that was gone on from; null where there was no draft. Any other: refused as a conflict. */
    revision: z.int().min(1).nullable(),
    /**
     * The one of a submission of this that got no answer. Where it came nevertheless, it is refused as a conflict: what was
     * sent would be a draft again.
     */
    nonce_token: nonceToken.optional(),
  }),
  answer: ok.extend({ draft: z.object({ _id: z.uuid(), revision: z.int(), saved_at: z.number() }) }),
})

export const discardDraft = defineCall({
  method: 'POST',
  path: '/forms/drafts/discard',
  access: 'member',
  input: z.object({ form: z.uuid() }),
  answer: ok,
})
