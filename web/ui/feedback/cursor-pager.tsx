import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from '../text/use-translation.ts'
import parts from './cursor-pager.module.css'

/** The cursors of the next and previous page; null at the end of the list. */
export type Cursors = { next: string | null; previous: string | null }
export type Turn = { after: string } | { before: string }

type CursorPagerProps = {
  marks: Cursors
  labels?: 'pages' | 'times'
  onTurn: (turn: Turn) => void
  children?: ReactNode
}

const labels = {
  pages: { back: 'Previous', on: 'Next' },
  times: { back: 'Newer', on: 'Older' },
} as const

/** Next and previous buttons of a list with cursor pagination, which has no page numbers. */
export function CursorPager({
  marks: { next, previous },
  labels: which = 'pages',
  onTurn,
  children,
}: CursorPagerProps) {
  const { t } = useTranslation()
  const { back, on } = labels[which]
  return (
    <nav className={parts.pager} aria-label={t('Pages')}>
      <span aria-live="polite">{children}</span>
      <Button
        size="compact-xs"
        variant="default"
        disabled={!previous}
        onClick={() => previous && onTurn({ before: previous })}
      >
        {t(back)}
      </Button>
      <Button size="compact-xs" variant="default" disabled={!next} onClick={() => next && onTurn({ after: next })}>
        {t(on)}
      </Button>
    </nav>
  )
}
