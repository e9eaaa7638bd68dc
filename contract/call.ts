import type { z } from 'zod'
import type { MoneyDecisionName } from './money/decisions.ts'
import type { DeskRight } from './staff/rights.ts'

/** Who may make a call at all: anybody, a signed-in member, a signed-in desk user. */
export type Access = 'anyone' | 'member' | 'staff'

/**
 * One REST call, as both sides know it: the server validates with it, the web is typed by it. What only the server needs to
 * know of it is said where its route is opened (server/http/call-facts.ts).
 */
export type Call<
  Input extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
  Who extends Access = Access,
  Method extends 'GET' | 'POST' = 'GET' | 'POST',
> = {
  method: Method
  /** With `:name` places, filled from the input's fields of that name. */
  path: string
  access: Who
  /** What a call of the desk asks of the role. */
  right?: DeskRight
  /** Which decisions about money it takes; the server refuses to start where one of them has no policy. */
  decides?: readonly MoneyDecisionName[]
  /** Sent twice it does no harm: its nonce, or what was said a moment ago, makes both the same; or it changes nothing to speak of. */
  isHarmlessTwice?: true
  input: Input
  answer: Answer
}

/** A call that asks for the right to decide about money says which decisions those are. */
type StaffCall =
  | { right: Exclude<DeskRight, 'money.decide'> }
  | { right: 'money.decide'; decides: readonly [MoneyDecisionName, ...MoneyDecisionName[]] }

export function defineCall<
  Input extends z.ZodType,
  Answer extends z.ZodType,
  Who extends Access,
  Method extends 'GET' | 'POST',
>(
  call: Call<Input, Answer, Who, Method> & (Who extends 'staff' ? StaffCall : unknown),
): Call<Input, Answer, Who, Method> {
  return call
}

export type CallInput<C extends Call> = z.input<C['input']>
export type CallAnswer<C extends Call> = z.output<C['answer']>
