import { ApiError } from '../../api/api-error.ts'
import { useTranslation } from '../text/use-translation.ts'
import { ErrorState, type ErrorStateProps } from './error-state.tsx'
import { EmptyState } from './state.tsx'

/** Why the record of an address is not shown: there is none, which no retry changes, or it could not be loaded. */
export function RecordError({ notFound, ...state }: ErrorStateProps & { notFound: string }) {
  const { t } = useTranslation()
  // A malformed id is refused with 422.
  if (state.error instanceof ApiError && [404, 422].includes(state.error.status))
    return <EmptyState drawing="search" title={notFound} text={t('The address may be wrong.')} />
  return <ErrorState {...state} />
}
