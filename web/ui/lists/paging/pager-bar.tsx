import { limits } from '@atrium/contract/limits.ts'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { numberText } from '../../text/format.ts'
import { useTranslation } from '../../text/use-translation.ts'
import { pageCount, pageLinks, shownRange } from './pager.ts'
import parts from './pager-bar.module.css'

type PagerBarProps = {
  page: number
  size: number
  total: number
  /** Counting stopped before the end. */
  isLeast?: boolean
  onPage: (page: number) => void
}

/** "Showing X to Y of N entries", and the page links. */
export function PagerBar({ page, size, total, isLeast = false, onPage }: PagerBarProps) {
  const { t } = useTranslation()
  const pages = pageCount(total, size)
  useLastPage(page, total === 0 ? page : pages)
  if (total === 0 && page <= 1) return null
  const { from, to } = shownRange(page, size, total)
  const shown = { from: numberText(`${from}`), to: numberText(`${to}`), total: numberText(`${total}`) }
  return (
    <nav className={parts.bar} aria-label={t('Pages')}>
      <span aria-live="polite">
        {isLeast
          ? t('Showing {{from}} to {{to}} of {{total}} entries and more', shown)
          : t('Showing {{from}} to {{to}} of {{total}} entries', shown)}
      </span>
      <div className={parts.links}>
        <button
          type="button"
          className={`${parts.link} ${parts.turn}`}
          disabled={page <= 1}
          onClick={() => onPage(Math.min(page - 1, pages))}
        >
          {t('Previous')}
        </button>
        {pageLinks(page, pages, limits.pageLinksMax).map((link, index) =>
          link === 'gap' ? (
            <span key={index === 1 ? 'gap-before' : 'gap-after'} aria-hidden>
              {'\u2026'}
            </span>
          ) : (
            <button
              key={link}
              type="button"
              className={parts.link}
              aria-label={t('Page {{page}}', { page: link })}
              aria-current={link === page ? 'page' : undefined}
              onClick={() => onPage(link)}
            >
              {link}
            </button>
          ),
        )}
        <button
          type="button"
          className={`${parts.link} ${parts.turn}`}
          disabled={page >= pages}
          onClick={() => onPage(page + 1)}
        >
          {t('Next')}
        </button>
      </div>
    </nav>
  )
}

/** Redirects from a page beyond the end, of a list that became shorter, to the last page. */
function useLastPage(page: number, last: number): void {
  const navigate = useNavigate()
  useEffect(() => {
    if (page <= last) return
    const search = (before: object) => ({ ...before, page: last > 1 ? last : undefined })
    void navigate({ to: '.', search: search as never, replace: true, resetScroll: false })
  }, [page, last, navigate])
}
