import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { type DrawingName, drawings } from '../brand/drawings.tsx'
import type { Meaning } from '../brand/theme.ts'
import parts from './state.module.css'

type EmptyStateProps = {
  drawing: DrawingName
  title: string
  text?: ReactNode
  action?: ReactNode
  /** True when it is the whole page: its title is then the page's heading. */
  isPage?: boolean
}

/** An empty state: a drawing, a sentence, and the next action. */
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

const calloutIcons = {
  red: IconAlertTriangle,
  amber: IconAlertTriangle,
  blue: IconInfoCircle,
  green: IconCircleCheck,
  grey: IconInfoCircle,
}

/** A short message in the flow of a page. A refusal is announced immediately. */
export function Callout({ meaning, children }: { meaning: Meaning; children: ReactNode }) {
  const Icon = calloutIcons[meaning]
  return (
    <div className={`${parts.inline} ${parts[meaning]}`} role={meaning === 'red' ? 'alert' : 'status'}>
      <Icon size={18} stroke={1.5} aria-hidden />
      <div>{children}</div>
    </div>
  )
}
