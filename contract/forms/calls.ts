import { z } from 'zod'
import { defineCall } from '../call.ts'
import { scanState } from '../files/calls.ts'
import { limits } from '../limits.ts'
import { submissionTexts } from '../requests/texts.ts'
import { texts } from '../texts.ts'
import type { FormDefinition } from './definition.ts'
import { formLimits } from './form-limits.ts'

const ok = z.object({ status: z.literal('ok') })

const answerText = z
  .string()
  .max(limits.answerCharsMax, texts.textTooLong.replace('{{count}}', String(limits.answerCharsMax)))
const answer = z.union([
  answerText,
  z.number(),
  z.boolean(),
  z.null(),
  z.array(answerText).max(formLimits.optionsMax),
  z.object({ from: answerText, to: answerText }),
])

/** By input name. Checks only shape and size; the form validates each field. */
export const answersInput = z
  .record(z.string().max(limits.answerNameCharsMax), answer)
  .refine((answers) => Object.keys(answers).length <= limits.answersMax, submissionTexts.tooLarge)
  .refine((answers) => JSON.stringify(answers).length <= limits.answersCharsMax, submissionTexts.tooLarge)

const version = z.int().min(1).max(1_000_000)
const idempotencyKey = z.string().min(1).max(200)

/** Fields of every submission; the version defaults to the current one. */
export const submission = {
  version: version.optional(),
  /** The idempotency key from `POST /members/get-unique-token` with `form_submit`: a repeat with the same answers returns the same submission. */
  nonce_token: idempotencyKey.optional(),
  /** The submitted draft: the submission deletes it, and it cannot be submitted twice. */
  draft: z.uuid().optional(),
  /**
   * The draft revision that this submission continues, null without a draft. A later revision by another device is a
   * conflict, since the submission would delete what was entered there; if absent, the revision is not checked.
   */
  draft_revision: z.int().min(1).nullable().optional(),
  /** The browser's time zone decides which day is today if the profile has none. An unknown zone is ignored. */
  time_zone: z.string().max(64).optional(),
}

export const answeredScores = z.object({
  total: z.number(),
  band: z.object({ name: z.string(), text: z.string() }).nullable(),
})
export type AnsweredScores = z.output<typeof answeredScores>

/** Validated when it was published, and immutable since. */
export const publishedDefinition = z.custom<FormDefinition>((value) => typeof value === 'object' && value !== null)

/** The answers with the definition they were given to. Files and accounts are ids. */
export const answered = z.object({
  form: z.object({ _id: z.uuid(), name: z.string(), version }),
  definition: publishedDefinition,
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
  /** Labels of account ids: the account number, the bank's name. */
  labels: z.record(z.string(), z.string()),
})
/** `form_data` of a request is this as JSON. */
export type Answered = z.output<typeof answered>

const draft = z.object({
  _id: z.uuid(),
  form: z.uuid(),
  /** The version that the draft was started with, which can still be submitted. */
  version,
  answers: answersInput,
  step: z.int(),
  /** Incremented with every change of the answers; sent again on save and submit to detect changes by another device. */
  revision: z.int(),
  saved_at: z.number(),
})
export type FormDraft = z.output<typeof draft>

/** The member's own draft of a form, with the definition that it was started with. */
export const readDraft = defineCall({
  method: 'GET',
  path: '/forms/draft',
  access: 'member',
  input: z.object({ form: z.uuid() }),
  answer: ok.extend({
    draft: draft.nullable(),
    /** The definition of the draft, if it differs from the current one. */
    definition: publishedDefinition.nullable(),
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
    /** The revision that this save continues; null without a draft. Any other is refused as a conflict. */
    revision: z.int().min(1).nullable(),
    /**
     * The idempotency key of an unanswered submission of this draft. If that submission arrived, saving is refused as a conflict, so
     * that submitted answers do not become a draft again.
     */
    nonce_token: idempotencyKey.optional(),
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
