import { limits } from '@atrium/contract/limits.ts'
import { numberText } from '../../text/format.ts'
import { useTranslation } from '../../text/use-translation.ts'
import { pageCount, pageLinks, shownRange } from './pager.ts'
import parts from './pager-bar.module.css'

type PagerBarProps = {
  page: number
  size: number
  total: number
  /** Counting stopped before the end. */
  isLeast: boolean
  onPage: (page: number) => void
}

/** "Showing X to Y of N entries", and the page links. */
export function PagerBar({ page, size, total, isLeast, onPage }: PagerBarProps) {
  const { t } = useTranslation()
  const pages = pageCount(total, size)
  const { from, to } = shownRange(page, size, total)
  const shown = { from: numberText(`${from}`), to: numberText(`${to}`), total: numberText(`${total}`) }
  return (
    <nav className={parts.bar} aria-label={t('Pages')}>
      <span aria-live="polite">
        {isLeast
          ? t('Showing {{from}} to {{to}} of {{total}}+ entries', shown)
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
