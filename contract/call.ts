import type { z } from 'zod'
import type { ListDeclaration } from './list.ts'
import type { MoneyDecisionName } from './money/decisions.ts'
import type { DeskRight } from './staff/rights.ts'

/** Who may make a call: anyone, a signed-in member, a signed-in desk user. */
export type Access = 'anyone' | 'member' | 'staff'

/**
 * The definition of a REST call: the server validates with it, the web derives its types from it. Server-only facts are declared
 * with the route (server/http/call-facts.ts).
 */
export type Call<
  Input extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
  Who extends Access = Access,
  Method extends 'GET' | 'POST' = 'GET' | 'POST',
> = {
  method: Method
  /** `:name` parameters are filled from the input fields of that name. */
  path: string
  access: Who
  /** The right that a desk call requires of the role. */
  right?: DeskRight
  /** The money decisions of this call; the server refuses to start if one of them has no policy. */
  decides?: readonly MoneyDecisionName[]
  /** Repeating the call is safe: an idempotency key or recent state makes both the same, or it changes nothing significant. */
  isHarmlessTwice?: true
  /** The list that it reads a page of. Staff save views of it (staff/list-views.ts). */
  pageOf?: ListDeclaration
  input: Input
  answer: Answer
}

/** A call that requires the right to decide about money must name its decisions. */
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
