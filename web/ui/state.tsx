import { Button } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type DrawingName, drawings } from './drawings.tsx'
import parts from './state.module.css'
import type { Meaning } from './theme.ts'

type EmptyStateProps = {
  drawing: DrawingName
  title: string
  text?: ReactNode
  action?: ReactNode
  /** Where it is the whole page, its title is the page's. */
  isPage?: boolean
}

/** An invitation: a drawing, the sentence, the way on. */
export function EmptyState({ drawing, title, text, action, isPage = false }: EmptyStateProps) {
  const Title = isPage ? 'h1' : 'p'
  return (
    <div className={`${parts.state} ${isPage ? parts.page : ''}`}>
      <div className={parts.drawing}>{drawings[drawing]}</div>
      <Title className={parts.title}>{title}</Title>
      {text && <p className={parts.text}>{text}</p>}
      {action && <div className={parts.action}>{action}</div>}
    </div>
  )
}

type ErrorStateProps = {
  error: unknown
  onRetry?: () => void /** What still holds, e.g. "Your money has not moved." */
  holds?: string
}

/** What happened, what still holds, and the next step. */
export function ErrorState({ error, onRetry, holds }: ErrorStateProps) {
  const { t } = useTranslation()
  const message = error instanceof Error ? error.message : ''
  return (
    <div className={parts.state} role="alert">
      <div className={parts.drawing}>{drawings.broken}</div>
      <p className={parts.title}>{t('This did not load')}</p>
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

const calloutIcons = {
  red: IconAlertTriangle,
  amber: IconAlertTriangle,
  blue: IconInfoCircle,
  green: IconCircleCheck,
  grey: IconInfoCircle,
}

/** A few calm words in the flow of a page. Announced at once when they refuse something. */
export function Callout({ meaning, children }: { meaning: Meaning; children: ReactNode }) {
  const Icon = calloutIcons[meaning]
  return (
    <div className={`${parts.inline} ${parts[meaning]}`} role={meaning === 'red' ? 'alert' : 'status'}>
      <Icon size={18} stroke={1.5} aria-hidden />
      <div>{children}</div>
    </div>
  )
}
