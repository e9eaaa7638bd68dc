import type { Call, CallAnswer } from '@atrium/contract/call.ts'

/**
 * Hand-written checks for the answers of the first screens, where the schema library would be larger than the answers. The
 * contract's schemas parse all other answers.
 */
export type Check<Value> = (value: unknown) => value is Value

export const isText = (value: unknown): value is string => typeof value === 'string'
export const isNumber = (value: unknown): value is number => typeof value === 'number'
export const isFlag = (value: unknown): value is boolean => typeof value === 'boolean'

export const isOneOf =
  <const Word extends string>(...words: Word[]): Check<Word> =>
  (value): value is Word =>
    words.some((word) => word === value)

export const isNullOr =
  <Value>(check: Check<Value>): Check<Value | null> =>
  (value): value is Value | null =>
    value === null || check(value)

export const isLeftOutOr =
  <Value>(check: Check<Value>): Check<Value | undefined> =>
  (value): value is Value | undefined =>
    value === undefined || check(value)

export const isListOf =
  <Value>(check: Check<Value>): Check<Value[]> =>
  (value): value is Value[] =>
    Array.isArray(value) && value.every(check)

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Allows additional fields, since a newer server may send more. */
export const isMade =
  <Made extends object>(fields: { [Name in keyof Made]-?: Check<Made[Name]> }): Check<Made> =>
  (value): value is Made =>
    isRecord(value) && Object.entries<Check<unknown>>(fields).every(([name, check]) => check(value[name]))

/** A call of the contract whose answer is checked by hand; `first-calls.test.ts` verifies that the check agrees with the contract. */
export const checkedCall = <C extends Call>(facts: Pick<C, 'method' | 'path'>, check: Check<CallAnswer<C>>): C => {
  const safeParse = (data: unknown) =>
    check(data) ? { success: true, data } : { success: false, error: { issues: [] } }
  return { ...facts, answer: { safeParse } } as unknown as C
}
