import type { z } from 'zod'
import { texts } from './texts.ts'

/**
 * Error texts for fields whose schema has none of its own. Zod's texts ("Invalid UUID", "must match pattern") address developers,
 * and some expose the schema; these address the person who fills in the form.
 */
export function describeInputProblem(issue: z.core.$ZodRawIssue): string {
  if (isMissing(issue)) return texts.fieldsMissing
  if (issue.code === 'too_big' && issue.origin === 'string') return withCount(texts.textTooLong, issue.maximum)
  if (issue.code === 'too_big' && issue.origin === 'array') return withCount(texts.entriesTooMany, issue.maximum)
  if (issue.code === 'too_big') return withCount(texts.numberTooLarge, issue.maximum)
  if (issue.code === 'too_small') return withCount(texts.numberTooSmall, issue.minimum)
  return texts.valueRefused
}

function isMissing(issue: z.core.$ZodRawIssue): boolean {
  if (issue.input === undefined || issue.input === null) return true
  return issue.code === 'too_small' && (issue.origin === 'string' || issue.origin === 'array')
}

const withCount = (text: string, count: number | bigint) => text.replace('{{count}}', String(count))
