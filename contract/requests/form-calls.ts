import { z } from 'zod'
import { defineCall } from '../call.ts'
import { answeredScores, answersInput, submission } from '../forms/calls.ts'

/** JSON, or multipart with `form`, `data` as JSON text, and a part per file: `data[name]`, or `data[name][]` for several. */
export const submitForm = defineCall({
  method: 'POST',
  path: '/form/submit',
  access: 'member',
  isHarmlessTwice: true,
  input: z.object({ form: z.uuid(), data: answersInput.default({}), ...submission }),
  answer: z.object({
    status: z.literal('ok'),
    msg: z.array(z.string()),
    submission: z.object({
      _id: z.uuid(),
      /** The score of a questionnaire and its meaning. */
      scores: answeredScores.nullable(),
      /** The created request, if the form belongs to a request type. */
      request: z.uuid().nullable(),
    }),
  }),
})
