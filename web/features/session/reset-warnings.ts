import { limits } from '@atrium/contract/limits.ts'
import { ApiError } from '../../api/api-error.ts'
import { toast } from '../../ui/feedback/toast.ts'
import type { TFunction } from '../../ui/text/i18n.ts'

/** An error that names its keys is shown for a few seconds, as the specification says. */
export const isNamed = (error: Error | null): boolean =>
  error instanceof ApiError && Object.keys(error.fieldErrors).length > 0

/** One warning per key of the answer, as the specification says; the answer's message if it has no keys. */
export function warningsOf(error: Error): string[] {
  const byField = error instanceof ApiError ? Object.values(error.fieldErrors) : []
  return byField.length > 0 ? byField.map((messages) => messages.join(' ')) : [error.message]
}

export function warnOf(error: Error, t: TFunction): void {
  for (const warning of warningsOf(error)) toast.warning(t(warning), limits.resetErrorNoticeMs)
}
