import { IconDots, IconMessageReport, IconPlus } from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { useMayOpen } from '../../features/session/use-may-open.ts'
import frame from '../../ui/layout/frame.module.css'
import { LazyDrawer } from '../../ui/lazy/lazy.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import type { Place } from '../menu.ts'
import { useEverywhere } from './everywhere.tsx'
import parts from './shell.module.css'

/** The actions of the header on larger screens. */
const openings = [
  { kind: 'live', to: '/accounts/open-live-account', label: 'Open Live Account' },
  { kind: 'demo', to: '/accounts/open-demo-account', label: 'Open Demo Account' },
] as const

/** The four most used pages, and the rest behind More. */
export function BottomBar({ places }: { places: Place[] }) {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const mayOpen = useMayOpen()
  const { openComplaint } = useEverywhere()
  // Tied to the current page, so that navigation closes the sheet.
  const [moreOpenAt, setMoreOpenAt] = useState<string | null>(null)
  const isMoreOpen = moreOpenAt === pathname
  const close = () => setMoreOpenAt(null)
  const near = places.filter((place) => place.isOnBottomBar).slice(0, 4)
  const rest = places.filter((place) => !near.includes(place))
  const isHere = (place: Place) =>
    place.to === '/funds'
      ? pathname.startsWith('/funds') && !pathname.startsWith('/funds/transactions')
      : pathname.startsWith(place.to)
  return (
    <>
      <nav className={parts.bottomBar} aria-label={t('Main menu')}>
        {near.map((place) => (
          <Link key={place.to} to={place.to} className={`${parts.tab} ${isHere(place) ? parts.tabHere : ''}`}>
            <place.icon size={20} stroke={1.5} aria-hidden />
            {t(place.label)}
          </Link>
        ))}
        <button
          type="button"
          className={parts.tab}
          aria-haspopup="dialog"
          aria-expanded={isMoreOpen}
          onClick={() => setMoreOpenAt(pathname)}
        >
          <IconDots size={20} stroke={1.5} aria-hidden />
          {t('More')}
        </button>
      </nav>
      <LazyDrawer
        opened={isMoreOpen}
        onClose={close}
        position="bottom"
        classNames={{ content: parts.sheet ?? '' }}
        title={t('More')}
        closeButtonProps={{ 'aria-label': t('Close') }}
      >
        <div className={parts.more}>
          {rest.map(({ to, label, icon: Icon }) => (
            <Link
              key={to}
              to={to}
              className={`${frame.entry} ${parts.moreEntry}`}
              activeProps={{ className: frame.here }}
            >
              <Icon size={20} stroke={1.5} aria-hidden />
              {t(label)}
            </Link>
          ))}
          {openings
            .filter(({ kind }) => mayOpen(kind))
            .map(({ to, label }) => (
              <Link
                key={to}
                to={to}
                className={`${frame.entry} ${parts.moreEntry}`}
                activeProps={{ className: frame.here }}
                // The page may be open already, and stay open.
                onClick={close}
              >
                <IconPlus size={20} stroke={1.5} aria-hidden />
                {t(label)}
              </Link>
            ))}
          {openComplaint && (
            <button
              type="button"
              className={`${frame.entry} ${parts.moreEntry}`}
              aria-haspopup="dialog"
              onClick={() => {
                close()
                openComplaint()
              }}
            >
              <IconMessageReport size={20} stroke={1.5} aria-hidden />
              {t('Complaint')}
            </button>
          )}
        </div>
      </LazyDrawer>
    </>
  )
}
