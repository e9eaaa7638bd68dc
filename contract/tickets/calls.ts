import { z } from 'zod'
import { defineCall } from '../call.ts'
import { limits } from '../limits.ts'
import { texts } from '../texts.ts'
import { validatorTexts } from '../validators/messages.ts'
import { ticketPriorities, ticketStates, ticketTypes } from './states.ts'
import { ticketTexts } from './texts.ts'

const tooLong = (charsMax: number) => texts.textTooLong.replace('{{count}}', String(charsMax))
/** Lines and tabs, and nothing else that has no shape. */
const isReadable = (text: string) => text.isWellFormed() && !/[^\P{Cc}\n\r\t]/u.test(text)
/** Half of a character pair and control characters would not come back as they were written. */
export const ticketText = (charsMax: number, missing: string = validatorTexts.required) =>
  z
    .string({ error: missing })
    .trim()
    .min(1, missing)
    .max(charsMax, tooLong(charsMax))
    .refine(isReadable, texts.textUnreadable)

export const ticketSubject = ticketText(limits.complaintSubjectCharsMax).refine(
  (text) => !/\p{Cc}/u.test(text),
  texts.textUnreadable,
)
export const ticketDescription = ticketText(limits.complaintDescriptionCharsMax)
export const ticketMessage = ticketText(limits.ticketMessageCharsMax, ticketTexts.messageMissing)

const noneIfEmpty = (value: unknown) => (value === '' || value === null ? undefined : value)
const optionalId = z.preprocess(noneIfEmpty, z.uuid().optional())

const ticket = z.object({
  _id: z.uuid(),
  ticket: z.string(),
  status: z.enum(ticketStates),
  priority: z.enum(ticketPriorities),
})
export type WireTicket = z.output<typeof ticket>

const ok = z.object({ status: z.literal('ok'), msg: z.array(z.string()) })
const answer = ok.extend({ ticket })

export const createTicket = defineCall({
  method: 'POST',
  path: '/tickets/cp-create',
  access: 'member',
  isHarmlessTwice: true,
  input: z.object({
    subject: ticketSubject,
    description: ticketDescription,
    type: z.enum(ticketTypes).default('profile'),
    /** An account, a transaction of money or a download: the server finds out which. */
    model_id: optionalId,
    /** Of nobody but whoever asks. */
    customer: optionalId,
    /** Read for shape and never believed: a new ticket is always low. */
    priority: z.enum(ticketPriorities).optional(),
  }),
  // Twice the same, since the specification reads it as `data.ticket` without saying whose `data` that is.
  answer: answer.extend({ data: z.object({ ticket }) }),
})

const wanted = { priority: z.enum(ticketPriorities).optional(), status: z.enum(ticketStates).optional() }

export const updateTicket = defineCall({
  method: 'POST',
  path: '/tickets/cp-update',
  access: 'member',
  input: z
    .object({ _id: z.uuid(), ...wanted })
    .refine(({ priority, status }) => priority !== undefined || status !== undefined, {
      error: texts.fieldsMissing,
      path: ['status'],
    }),
  answer,
})

const isSaid = (content: string | undefined) => (content ?? '') !== ''

/** A message says something; an attachment names a file, and may say something about it. */
const response = z
  .object({
    type: z.enum(['message', 'attachment']),
    content: z.preprocess(
      (value) => value ?? undefined,
      z
        .string()
        .trim()
        .max(limits.ticketMessageCharsMax, tooLong(limits.ticketMessageCharsMax))
        .refine(isReadable, texts.textUnreadable)
        .optional(),
    ),
    attachment: optionalId,
  })
  .refine(({ type, content }) => type !== 'message' || isSaid(content), {
    error: ticketTexts.messageMissing,
    path: ['content'],
  })
  .refine(({ type, attachment }) => (type === 'attachment') === (attachment !== undefined), {
    error: ticketTexts.attachmentUnknown,
    path: ['attachment'],
  })
export type TicketResponse = z.output<typeof response>

export const respondToTicket = defineCall({
  method: 'POST',
  path: '/tickets/cp-respond',
  access: 'member',
  isHarmlessTwice: true,
  input: z.object({ _id: z.uuid(), response }),
  answer: answer.extend({ message: z.object({ uid: z.uuid() }) }),
})

/** Everything that was said up to now has been seen. */
export const readTicket = defineCall({
  method: 'POST',
  path: '/tickets/cp-read',
  access: 'member',
  input: z.object({ _id: z.uuid() }),
  answer: z.object({ status: z.literal('ok') }),
})
