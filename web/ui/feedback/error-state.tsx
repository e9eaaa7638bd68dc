import { Button } from '@mantine/core'
import { broken } from '../brand/drawing.tsx'
import { useTranslation } from '../text/use-translation.ts'
import parts from './state.module.css'

export type ErrorStateProps = {
  error: unknown
  onRetry?: () => void
  /** What is unaffected, e.g. "No decision was made." */
  holds?: string
}

/** What happened, what is unaffected, and the next step. */
export function ErrorState({ error, onRetry, holds }: ErrorStateProps) {
  const { t } = useTranslation()
  const message = error instanceof Error ? error.message : ''
  return (
    <div className={parts.state} role="alert">
      <div className={parts.drawing}>{broken}</div>
      <p className={parts.title}>{t('We couldn\u2019t load this')}</p>
      <p className={parts.text}>
        {t(message)} {holds}
      </p>
      {onRetry && (
        <Button variant="default" className={parts.action ?? ''} onClick={onRetry}>
          {t('Try again')}
        </Button>
      )}
    </div>
  )
}
