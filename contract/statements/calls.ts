import { z } from 'zod'
import { defineCall } from '../call.ts'

/** Texts about statements, for the web and the server. */
export const statementTexts = {
  beingRead: 'The history of this account is still being read from the trading platform. Please try again in a moment.',
  noSuchMonth: 'There is no statement for this month.',
}

/** A month in the member's time zone, as `2026-11`. */
const month = z.string().regex(/^20\d{2}-(0[1-9]|1[0-2])$/, statementTexts.noSuchMonth)

/** The months of an account that have a statement, newest first. */
export const listStatements = defineCall({
  method: 'GET',
  path: '/members/trading-accounts/:id/statements',
  access: 'member',
  input: z.object({ id: z.uuid() }),
  answer: z.object({ status: z.literal('ok'), time_zone: z.string(), months: z.array(z.string()) }),
})

/** The statement of a month, as PDF. */
export const readStatement = defineCall({
  method: 'GET',
  path: '/members/trading-accounts/:id/statement',
  access: 'member',
  input: z.object({ id: z.uuid(), month }),
  answer: z.object({ status: z.literal('ok') }),
})
