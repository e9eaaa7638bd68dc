import { z } from 'zod'
import { defineCall } from '../call.ts'
import { limits } from '../limits.ts'
import { texts } from '../texts.ts'
import { validatorTexts } from '../validators/messages.ts'
import { ticketPriorities, ticketStates, ticketTypes } from './states.ts'
import { ticketTexts } from './texts.ts'

const tooLong = (charsMax: number) => texts.textTooLong.replace('{{count}}', String(charsMax))
/** Allows line breaks and tabs, but no other control characters. */
const isReadable = (text: string) => text.isWellFormed() && !/[^\P{Cc}\n\r\t]/u.test(text)
/** Refuses lone surrogates and control characters, which would not be stored and returned unchanged. */
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
    /** An account, a transaction or a download: the server determines which. */
    model_id: optionalId,
    /** The signed-in member. */
    customer: optionalId,
    /** Validated and ignored: the priority of a new ticket is always low. */
    priority: z.enum(ticketPriorities).optional(),
  }),
  // The ticket appears twice, since the specification's `data.ticket` does not say to which object `data` belongs.
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

const isGiven = (content: string | undefined) => (content ?? '') !== ''

/** A message needs a text; an attachment needs a file and may have a text. */
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
  .refine(({ type, content }) => type !== 'message' || isGiven(content), {
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

/** Marks everything up to now as read. */
export const readTicket = defineCall({
  method: 'POST',
  path: '/tickets/cp-read',
  access: 'member',
  input: z.object({ _id: z.uuid() }),
  answer: z.object({ status: z.literal('ok') }),
})
